⍝ Power iteration on a lower triangular matrix, kept as rows of 1, 2, 3 … entries
n←60 ⍝ size: test 60, bench 4000
rows←{(1+7|⍵×⍳⍵)÷8}¨⍳n
step←{v←⍵ ⋄ y←{+/⍵×(≢⍵)↑v}¨rows ⋄ y÷⌈/y}
v←step⍣10⊢n⍴1
⌊0.5+1E6×(+/v),v[1 2 3],v[n]
