⍝ A rod that cools from both ends, step by step in a loop
n←60 ⍝ size: test 60, bench 100000
steps←100 ⍝ size: test 100, bench 1000
∇ t←steps Cool t;i
  :For i :In ⍳steps
      t[1+⍳¯2+≢t]←(0.25×¯2↓t)+(0.5×1↓¯1↓t)+0.25×2↓t
  :EndFor
∇
t←steps Cool 0,(100⍴⍨n-2),0
⌊0.5+1E6×(+/t),(⌈/t),t[⌊n÷2]
