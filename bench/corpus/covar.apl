⍝ Covariances of 12 quantities, and the pair that goes together best
n←60 ⍝ size: test 60, bench 500000
k←12
x←n k⍴((16381|(⍳n×k)*2)÷16381)+(n×k)⍴(⍳n)÷n
dev←x-⍤1⊢(+⌿÷≢)x
cov←((⍉dev)+.×dev)÷n-1
sd←(1 1⍉cov)*0.5
cor←cov÷sd∘.×sd
off←cor×~∘.=⍨⍳k
⌊0.5+1E6×(+/,cor),⌈/,off
