⍝ Quartiles of 40 columns, between the readings that are next
n←50 ⍝ size: test 50, bench 20001
m←n 40⍴(65521|(⍳n×40)*2)÷8
q←0.25 0.5 0.75
sorted←{⍵[⍋⍵]}⍤1⍉m
at←1+q×n-1
lo←⌊at ⋄ w←at-lo
quart←(sorted[;lo]×⍤1⊢1-w)+sorted[;n⌊lo+1]×⍤1⊢w
⌊0.5+1E3×(+⌿quart)÷40
⌊0.5+1E3×(⌈/,quart),⌊/,quart
