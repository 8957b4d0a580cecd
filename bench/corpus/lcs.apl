⍝ Length of the longest common subsequence of two texts, row by row
n←60 ⍝ size: test 60, bench 6000
a←'ACGT'[1+4|⌊(17×⍳n)÷10]
b←'ACGT'[1+4|⌊((⍳n)*2)÷97]
row←{⌈\⍵⌈(⍺=b)×1+0,¯1↓⍵}
last←⊃row/(⌽a),⊂n⍴0
(⊃⌽last),+/last
