⍝ Numbers as lists of their prime factors: those with equal factors, smooth ones, and the most
n←100 ⍝ size: test 100, bench 200000
fac←{⍺←2 ⋄ ⍵=1:⍬ ⋄ (⍺×⍺)>⍵:,⍵ ⋄ 0=⍺|⍵:⍺,⍺∇⍵÷⍺ ⋄ (⍺+1)∇⍵}
F←fac¨⍳n
k←≢¨F
u←(≢∪)¨F
(∧/(×/¨F)=⍳n),(+/k),(⌈/k),(+/k=1),(+/k=u),(⌈/u),+/7≥⌈/¨1,¨F
