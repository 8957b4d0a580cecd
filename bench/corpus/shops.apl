⍝ The nearest of some shops for each cell of a map, by an outer product of pairs: areas, borders, the longest way
n←20 ⍝ size: test 20, bench 500
k←48
sx←1+n|⌊(65521|(⍳k)*3)÷3
sy←1+n|⌊(65521|(⍳k)*4)÷3
near←{d←((sx-⍺)*2)+(sy-⍵)*2 ⋄ (⊃⍋d)(⌊/d)}
cells←(⍳n)∘.near⍳n
owner←⊃¨cells ⋄ way←2⊃¨cells
area←+/(⍳k)∘.=,owner
(⌈/area),(⌊/area),(+/,2≠/owner),(+/,2≠⌿owner),(⌈/,way),+/,way
