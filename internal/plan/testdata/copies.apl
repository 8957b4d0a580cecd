⍝ A copy that is left out, and one of what is used afterwards
a←?100000⍴0
f←{i x←⍵ ⋄ i>9:x ⋄ x[i]←7 ⋄ ∇(i+1)x}
+/(⌽a)×f 1 a
b←?100000⍴7
+/f 1(+\b)
