⍝ A vector reversed again and again
n←1000 ⍝ size: test 1000, bench 8000000
steps←3 ⍝ size: test 3, bench 21
x←(1009|⍳n)÷1009
y←({⌽⍵}⍣steps)x
y[⍳3]
(⌊0.5+1000×+/y)÷1000
