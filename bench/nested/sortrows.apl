⍝ Each row sorted, and how far rows were from it
n←50 ⍝ size: test 50, bench 200000
len←1+60|⌊(1000003|(⍳n)*2)÷11
i←⍳+/len
rows←(∊len↑¨1)⊂100003|⌊(2147483647|7919×i×i)÷5
sorted←{⍵[⍋⍵]}¨rows
moved←+/¨rows≠sorted
rise←{⌈/0,2-⍨/⍵}¨sorted
(+/⊃¨sorted),(+/⊃∘⌽¨sorted),(+/moved),(⌈/rise),+/rise
(+/(∊sorted)×⍳+/len),3↑∊sorted
