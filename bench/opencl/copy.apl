⍝ An array copied, each element with one addition
n←1000 ⍝ size: test 1000, bench 8000000
steps←3 ⍝ size: test 3, bench 20
x←(1009|⍳n)÷1009
y←({⍵+1}⍣steps)x
(⌊0.5+1000×(+/y)÷n)÷1000
