⍝ A matrix transposed again and again
n←20 ⍝ size: test 20, bench 3000
steps←3 ⍝ size: test 3, bench 21
x←(n,n)⍴(1009|⍳n×n)÷1009
y←({⍉⍵}⍣steps)x
y[2;⍳3]
(⌊0.5+1000×+/,y)÷1000
