⍝ Islands on a map: land, length of the coast, cells of land with sea on all four sides
n←30 ⍝ size: test 30, bench 3000
land←n n⍴3>7|⌊(65521|(⍳n×n)*2)÷5
sea←0,(0⍪land⍪0),0
coast←(+/,2≠/sea)+(+/,2≠⌿sea)
near←(1⊖sea)+(¯1⊖sea)+(1⌽sea)+¯1⌽sea
alone←+/,sea∧0=near
(+/,land),coast,alone
