⍝ Segmented reductions in all shapes, scans, selections, and inner products
o←(⌊⍎'3') 100⍴⍳300
+/o
⌈/o×o
s←(40+⌊⍎'3') 40⍴0.1×⍳1720
3↑+/s
3↑+⌿⍉s
3↑⌊/3-s
m←(60+⌊⍎'3') 12⍴0.5×⍳756
+/+/m
+/,(⌊/m)∘.+⌈⌿m
+\+/m
¯3↑(30<+/m)/⍳63
+/,(10 12↑m)+.×⍉10 12↑m
(10 12↑m)∨.=12⍴m
