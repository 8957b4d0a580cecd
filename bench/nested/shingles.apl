⍝ Likeness of neighbouring documents by their sets of numbers
n←40 ⍝ size: test 40, bench 80000
len←20+30|⌊(1000003|(⍳n)*2)÷7
i←⍳+/len
v←60|⌊(2147483647|7919×i×i)÷5
docs←(∊len↑¨1)⊂v
sets←∪¨docs
like←2{(≢⍺∩⍵)÷≢⍺∪⍵}/sets
⌊0.5+1000×(+/like),(⌈/like),⌊/like
(+/≢¨sets),+/like>0.5
