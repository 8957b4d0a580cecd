⍝ Fast transform of Walsh and Hadamard: sums and differences of halves, one beside the other
n←6 ⍝ size: test 6, bench 20
x←1-2×2|⌊(1009|(⍳2*n)*2)÷3
step←{m←(2,(≢⍵)÷2)⍴⍵ ⋄ ,⍉(+⌿m),[0.5]-⌿m}
y←step⍣n⊢x
(⌈/y),(⌊/y),(y⍳⌈/y),(+/|y),y[1 2 3]
