⍝ Simpson's rule with twice as many points until it settles; labels and branches
n←20 ⍝ size: test 20, bench 3000
∇ r←eps
  r←1E¯9
∇
∇ r←maxk
  r←4096
∇
∇ r←f x
  r←(1○x)÷1+x*2
∇
∇ r←a simpson b;h;k;old;x
  k←4
  old←0
 AGAIN:h←(b-a)÷k
  x←a+h×¯1+⍳k+1
  r←(h÷3)×+/(f x)×1,((k-1)⍴4 2),1
  →(eps>|r-old)/0
  old←r
  k←k×2
  →(k<maxk)/AGAIN
∇
v←0 simpson¨(⍳n)×10÷n
⌊0.5+1E6×(+/v),(⌈/v),(⌊/v),v[1],¯1↑v
