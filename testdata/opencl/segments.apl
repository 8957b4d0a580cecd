⍝ Segmented reductions in all shapes, scans, selections, and inner products
o←(⌊⍎'3') 100⍴⍳300
+/o
⌈/o×o
m←(60+⌊⍎'3') 12⍴0.5×⍳756
+/+/m
+/,(⌊/m)∘.+⌈⌿m
+\+/m
¯3↑(30<+/m)/⍳63
+/,(10 12↑m)+.×⍉10 12↑m
(10 12↑m)∨.=12⍴m
