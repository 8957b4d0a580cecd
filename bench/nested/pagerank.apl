⍝ Rank of pages by the pages that point to them, twelve rounds
n←70 ⍝ size: test 70, bench 100000
out←1+6|⌊(1000003|(⍳n)*2)÷7
k←⍳+/out
from←out/⍳n
to←1+n|⌊(2147483647|7919×k×k)÷5
in←1↓¨{⊂⍵}⌸(⍳n),to
in←{from[⍵-n]}¨in
step←{s←⍵÷out ⋄ 0.15+0.85×{+/s[⍵]}¨in}
r←step⍣12⊢n⍴1
(⌊0.5+1000×+/r),(⌊0.5+1000×⌈/r),r⍳⌈/r
+/0=≢¨in
