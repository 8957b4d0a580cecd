⍝ Conway's Game of Life by rotations
life ← { ⍝: [int]2 → [int]2
  n←⊃+/(¯1 0 1)∘.⊖(¯1 0 1)∘.⌽⊂⍵
  (n=3)∨⍵∧n=4
}
⎕←(life⍣3) 5 5⍴0 1 0 0 0
