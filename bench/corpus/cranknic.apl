⍝ Heat in a rod by Crank and Nicolson: Thomas's sweeps with factors computed once
n←40 ⍝ size: test 40, bench 1000
steps←10 ⍝ size: test 10, bench 300
r←0.4
a←-r÷2 ⋄ b←1+r
∇ c←factors n;k
  c←n⍴0
  c[1]←a÷b
  :For k :In 1+⍳n-1
      c[k]←a÷b-a×c[k-1]
  :EndFor
∇
∇ u←c solve d;k;n
  n←≢d
  d[1]←d[1]÷b
  :For k :In 1+⍳n-1
      d[k]←(d[k]-a×d[k-1])÷b-a×c[k-1]
  :EndFor
  :For k :In ⌽⍳n-1
      d[k]-←c[k]×d[k+1]
  :EndFor
  u←d
∇
c←factors n
step←{c solve (⍵×1-r)+(r÷2)×(1↓⍵,0)+¯1↓0,⍵}
u0←1○(⍳n)×3.141592653589793÷n+1
u0←u0+0.3×20>|(⍳n)-n÷2
u←(step⍣steps)u0
⌊0.5+1E6×(+/u),(⌈/u),u[1],+/u×u
