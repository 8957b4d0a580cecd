⍝ A sum, a dot product, a mean and a variance of the same vectors
n←1000 ⍝ size: test 1000, bench 50000000
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r
i←⍳n
x←((1009|3×i)-400)÷8
y←((997|5×i)-498)÷16
sum←+/x
dot←x+.×y
mean←sum÷n
variance←(+/(x-mean)*2)÷n
6 round sum,(dot÷n),mean,variance
(⌈/x),(⌊/y),+/x>y
