⍝ Grades of vectors by radix passes
a←(⌊⍎'3')×⍳200
v←0.5×100-209|a×a
g←⍋v
+/(⍳200)×v[g]
+/(⍳200)×⍒7|a
b←a×¯1000000000000*1=2|⍳200
+/b[⍋b]×⍳200
t←a>300
5↑⍒t
