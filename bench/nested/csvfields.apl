⍝ Lines of a name, a quantity and a price: what was sold under each name
n←30 ⍝ size: test 30, bench 100000
i←⍳n
name←'ABCDEFGH'[1+8|⌊(1000003|i×i)÷7]
qty←1+99|⌊(1000003|i×31+i)÷5
price←100+900|⌊(1000003|i×7919)÷3
lines←name{⍺,',',(⍕⍵[1]),',',(⍕⍵[2]÷100)}¨↓⍉↑qty price
text←⊃,/lines,¨⎕UCS 10
fields←{(⍵≠',')⊆⍵}¨(text≠⎕UCS 10)⊆text
names←⊃¨⊃¨fields
quantities←{⍎2⊃⍵}¨fields
prices←{⍎3⊃⍵}¨fields
(≢text),≢fields
sold←names{(+/⍵),≢⍵}⌸quantities×prices
⌊0.5+100×sold[;1]
sold[;2]
