⍝ Sierpinski's gasket by recursion over quarters
n←4 ⍝ size: test 4, bench 11
gasket←{⍵=0:1 1⍴1 ⋄ m←∇⍵-1 ⋄ (m,m)⍪m,0×m}
g←gasket n
(+/,g),(+/g[2*n-1;]),(+/1 1⍉g),≢⍸∧/g
