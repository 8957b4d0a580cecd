⍝ Prefix sums of a vector of doubles (exact: multiples of ÷8)
n←1000 ⍝ size: test 1000, bench 50000000
x←((1000|37×⍳n)-500)÷8
y←+\x
(⌈/y),(⌊/y),(≢y)
y[(⌊n÷5)×⍳5]
