⍝ Hares and foxes: many populations side by side, their numbers a strand, in steps of Euler
m←30 ⍝ size: test 30, bench 20000
steps←50 ⍝ size: test 50, bench 1000
i←⍳m
born←0.9+0.2×(7|i)÷7
killed←0.4+0.1×(5|i)÷5
h←0.002
step←{hares foxes←⍵ ⋄ (hares×1+h×born-killed×foxes)(foxes×1+h×(0.5×hares)-1)}
hares foxes←step⍣steps⊢(1+(11|i)÷11)(m⍴0.5)
⌊0.5+1E6×(+/hares),(+/foxes),(⌈/hares),⌊/foxes
