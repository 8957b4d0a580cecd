⍝ Who is left of n people in a ring, for each length of the count, by recursion
n←50 ⍝ size: test 50, bench 3000
m←20 ⍝ size: test 20, bench 2000
left←{⍵=1:0 ⋄ ⍵|⍺+⍺∇⍵-1}
s←1+{⍵ left n}¨⍳m
(+/s),(⌈/s),(≢∪s),+/s×2|⍳m
