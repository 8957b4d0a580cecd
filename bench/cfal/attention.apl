⍝ Attention, written as its formula: softmax of the scaled products of queries and keys,
⍝ times values
n←32 ⍝ size: test 32, bench 4096
d←8 ⍝ size: test 8, bench 64
i←⍳n×d
q←(n,d)⍴¯1+2×(1009|i*2)÷1009
k←(n,d)⍴¯1+2×(997|7×i)÷997
v←(n,d)⍴¯1+2×(991|3×i*2)÷991
softmax←{e÷+/e←*⍵-⌈/⍵}
o←(softmax⍤1⊢(q+.×⍉k)÷d*0.5)+.×v
⌊0.5+1E9×(+/,o),(⌈/,o),(⌊/,o),(+/,o*2),o[n;1 2]
