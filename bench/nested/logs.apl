⍝ Lines of a log: level, code and duration, counted by level
n←30 ⍝ size: test 30, bench 240000
i←⍳n
lev←'info' 'warn' 'error'[1+3|⌊(1000003|i×i)÷7]
code←100+500|⌊(1000003|i×31+i)÷5
dur←1+2000|⌊(1000003|7919×i)÷3
text←∊{(⊃⍵),' ',(⍕2⊃⍵),' ',(⍕3⊃⍵),⎕UCS 10}¨↓⍉↑lev code dur
lines←(text≠⎕UCS 10)⊆text
parts←' '(≠⊆⊢)¨lines
level←⊃¨parts
codes←⍎¨2⊃¨parts
durs←⍎¨3⊃¨parts
names←∪level
names
(≢text),≢lines
level{(≢⍵),(+/durs[⍵]),⌈/durs[⍵]}⌸⍳≢level
(+/codes),+/durs×codes≥500
