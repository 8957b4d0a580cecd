⍝ Complex numbers: maps, reductions, scans, inner products, an index test
z←(0.25×⍳60)×(⌊⍎'3')*0J1
+/*z÷20
×/z÷10
¯2↑+\z×z
m←6 10⍴z
+/m
+⌿m
+/,m+.×⍉m
+/|m
≢(5<|z)/z
z[⍳3]
{⍵×1J1}⍣3⊢3↑z
