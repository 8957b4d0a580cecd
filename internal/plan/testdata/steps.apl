⍝ Steps over a matrix whose edges are loops of their own, and a library call
m←600 700⍴⍳420000
step←{(⍵+(1⌽⍵)+1⊖⍵)÷3}
e←(step⍣10)m
+/⌈/e
v←⍋,e
v[1]
