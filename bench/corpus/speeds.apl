⍝ A gas of five speeds on a ring: collisions relax a cell to its mean, then all move on
n←60 ⍝ size: test 60, bench 400000
speed←¯2 ¯1 0 1 2
collide←{⍵+0.3×((÷5)×(5⍴1)∘.×+⌿⍵)-⍵}
move←{(-speed)⌽⍤0 1⊢⍵}
gas←{move collide ⍵}⍣60⊢(5,n)⍴1+(⍳5×n)÷5×n
⌊0.5+1000×(+/+/gas),(⌈/,gas),⌊/,gas
