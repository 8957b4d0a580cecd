⍝ Sierpinski's carpet by recursion over ninths
n←3 ⍝ size: test 3, bench 7
carpet←{⍵=0:1 1⍴1 ⋄ c←∇⍵-1 ⋄ (c,c,c)⍪(c,(0×c),c)⍪c,c,c}
c←carpet n
(+/,c),(⌈/+/c),+/∧/c
