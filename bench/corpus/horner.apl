⍝ A polynomial of degree 12 at many points, by base value; where it changes its sign
n←100 ⍝ size: test 100, bench 5000000
c←÷!⌽¯1+⍳13
x←¯4+8×(⍳n)÷n
y←{⍵⊥c}¨x
⌊0.5+1E6×(⌊/y),(⌈/y),(+/y)÷n
+/2≠/×y-1
