⍝ Bodies that attract each other: steps of a fixed length; forces are softened
n←30 ⍝ size: test 30, bench 2000
steps←4 ⍝ size: test 4, bench 10
dt←0.001
i←⍳n
p←⍉↑((1009|i*2)÷1009)((997|7×i)÷997)((991|3×i*2)÷991)
v←n 3⍴0
m←(1+7|i)÷n
step←{
    p v←⍵
    v←v+dt×{d←p-⍤1⊢⍵ ⋄ m+.×d×⍤1 0⊢(1E¯9++/d*2)*¯1.5}⍤1⊢p
    (p+dt×v)v
}
p v←step⍣steps⊢p v
⌊0.5+1E9×(+⌿p),+/,v*2
⌊0.5+1E9×+⌿v
