⍝ How many pairs of numbers up to n have each greatest common divisor, by Euclid's recursion
n←40 ⍝ size: test 40, bench 1500
euclid←{⍵=0:⍺ ⋄ ⍵∇⍵|⍺}
d←,∘.euclid⍨⍳n
(+/d=1),(+/d),(≢∪d),+/d=2
