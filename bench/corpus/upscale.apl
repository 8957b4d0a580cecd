⍝ An image three times as wide and high, between pixels by their distances
n←20 ⍝ size: test 20, bench 1000
img←n n⍴256|(⍳n×n)×5+⌊(⍳n×n)÷11
m←1+3×n-1
at←1+(¯1+⍳m)÷3
lo←⌊at ⋄ hi←n⌊lo+1 ⋄ w←at-lo
rows←(img[lo;]×⍉(n m)⍴1-w)+img[hi;]×⍉(n m)⍴w
big←(rows[;lo]×⍤1⊢1-w)+rows[;hi]×⍤1⊢w
px←⌊0.5+big
(+/,px),(⌈/,px),(+/,px=0),px[m;m]
