⍝ Lattice Boltzmann, as in Parboil: nineteen densities in each cell of a box without ends,
⍝ which move on to the neighbours and relax
n←8 ⍝ size: test 8, bench 64
steps←5 ⍝ size: test 5, bench 20
omega←1.2
c←¯1+⍉3 3 3⊤¯1+⍳27
c←(2≥+/|c)⌿c
w←(÷3 18 36)[1++/|c]
f←w∘.×1+0.01×n n n⍴(101|(⍳n*3)*2)÷101
move←{c[⍺;1]⌽[1]c[⍺;2]⌽[2]c[⍺;3]⌽[3]⍵}
relax←{
    rho←+⌿⍵
    u←((⍉c)+.×⍵)÷[2 3 4]rho
    cu←3×c+.×u
    still←1-1.5×+⌿u*2
    ⍵+omega×((w∘.×rho)×still+[2 3 4]cu+0.5×cu*2)-⍵
}
f←{relax(⍳19)move⍤0 3⊢⍵}⍣steps⊢f
⌊0.5+1E9×(+/,f),(⌈/,f),(⌊/,f),f[5;1;2;3]
