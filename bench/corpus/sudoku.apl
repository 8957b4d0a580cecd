⍝ Squares of 9 by 9 digits whose rows, columns and boxes have nine different ones
n←4 ⍝ size: test 4, bench 20000
base←9 9⍴(⍳9),(3⌽⍳9),(6⌽⍳9),(1⌽⍳9),(4⌽⍳9),(7⌽⍳9),(2⌽⍳9),(5⌽⍳9),8⌽⍳9
grid←{g←base ⋄ g[1+9|⍵;1+9|⌊⍵÷9]←1+9|⍵×7 ⋄ ⍵⌽g}¨⍳n
nine←{∧/{(⍳9)≡{⍵[⍋⍵]}⍵}¨⍵}
box←{,⍵[(3×⌊(⍺-1)÷3)+⍳3;(3×3|⍺-1)+⍳3]}
good←{(nine↓⍵)∧(nine↓⍉⍵)∧nine(⍳9)box¨⊂⍵}¨grid
(+/good),(good⍳1),+/good×⍳n
