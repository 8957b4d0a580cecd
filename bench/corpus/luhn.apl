⍝ Card numbers of 16 digits with a right check digit
n←200 ⍝ size: test 200, bench 500000
digit←n 16⍴10|(⍳16×n)×7+⌊(⍳16×n)÷3
double←16⍴2 1
check←{0=10|+/{⍵-9×⍵>9}double×⍵}
good←check⍤1⊢digit
(+/good),(good⍳1),+/,good⌿digit
