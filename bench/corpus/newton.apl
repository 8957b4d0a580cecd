⍝ Cube roots by Newton's method, and the steps that each of them takes
n←100 ⍝ size: test 100, bench 1000000
∇ r←Root a;x;old;k
  x←a⌈1
  k←0
  :Repeat
      old←x
      x←((2×x)+a÷x*2)÷3
      k+←1
  :Until 1E¯12>|1-x÷old
  :OrIf k=100
  r←x+1000×k
∇
t←Root¨⍳n
k←⌊t÷1000
(⌈/k),(+/k),⌊0.5+1E3×+/t-1000×k
