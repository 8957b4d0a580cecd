⍝ Convex hulls of points by Andrew's chains: a stack in loops of control words
n←100 ⍝ size: test 100, bench 200000
x←(10007|(⍳n)*2)+⍳n
y←(9973|(⍳n)×7919)-(9973|(⍳n)×1+⍳n)÷3
o←⍋x,[1.5]y
px←x[o] ⋄ py←y[o]
cross←{(a b c)←⍵ ⋄ ((px[b]-px[a])×py[c]-py[a])-(py[b]-py[a])×px[c]-px[a]}
∇ s←chain order;k;top
  s←(≢order)⍴0
  top←0
  :For k :In order
      :While top>1
          :If 0<cross s[top-1],s[top],k
              :Leave
          :EndIf
          top-←1
      :EndWhile
      top+←1
      s[top]←k
  :EndFor
  s←top↑s
∇
low←chain ⍳n ⋄ up←chain⌽⍳n
h←(¯1↓low),¯1↓up
area←0.5×+/(px[h]×py[1⌽h])-py[h]×px[1⌽h]
⌊0.5+(≢h),area,+/px[h]
