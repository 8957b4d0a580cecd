⍝ How many ways there are to put n queens on a board, row by row, by recursion
n←6 ⍝ size: test 6, bench 9
free←{(⍳n)~⍵,(⍵+⌽⍳≢⍵),⍵-⌽⍳≢⍵}
count←{n=≢⍵:1 ⋄ c←free ⍵ ⋄ 0=≢c:0 ⋄ q←⍵ ⋄ +/{count q,⍵}¨c}
first←{n=≢⍵:⍵ ⋄ ⍺←1 ⋄ c←free ⍵ ⋄ ⍺>≢c:(1+(free ¯1↓⍵)⍳⊃⌽⍵)∇ ¯1↓⍵ ⋄ 1∇⍵,c[⍺]}
count ⍬
first ⍬
