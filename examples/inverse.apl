⍝ The inverse of a matrix by elimination, beside ⌹, and a system of equations
a←3 3⍴4 ¯2 1 ¯2 4 ¯2 1 ¯2 4
eliminate←{
    ⍝ step ⍺ of Gauss and Jordan
    pivot←⍵[⍺;]÷⍵[⍺;⍺]
    m←⍵-⍵[;⍺]∘.×pivot
    m[⍺;]←pivot
    m
}
unit←{(⍳⍵)∘.=⍳⍵}
inverse←0 3↓3 eliminate 2 eliminate 1 eliminate a,unit 3
3⍕inverse
3⍕⌹a
∧/,1E¯14>|(unit 3)-a+.×inverse
3⍕11 ¯16 17⌹a
