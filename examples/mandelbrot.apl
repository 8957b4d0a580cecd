⍝ The Mandelbrot set as a picture in the format PGM: how many steps of z←c+z*2 stay
⍝ in a circle of radius 2
(wide high steps)←24 12 15
re←¯2+3×(¯1+⍳wide)÷wide-1
im←¯1.2+2.4×(¯1+⍳high)÷high-1
c←(0J1×im)∘.+re
step←{(z n)←⍵ ⋄ in←2≥|z ⋄ (in×c+z*2)(n+in)}
'P2'
wide high
steps
steps⌊2⊃step⍣steps⊢(c×0)(high wide⍴0)
