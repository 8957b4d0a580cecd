⍝ Sums of a vector, times what the sum before gave
n←1000 ⍝ size: test 1000, bench 8000000
steps←3 ⍝ size: test 3, bench 21
x←(1009|⍳n)÷1009
s←({n÷+/x×⍵}⍣steps)1.5
(⌊0.5+1000000×s)÷1000000
