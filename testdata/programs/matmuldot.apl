⍝ Matrix product by the dot operator of Guibas and Wyatt (thesis, figure 3.5),
⍝ which replicates and transposes both arguments and reduces the last axis
n←16 ⍝ size: test 16, bench 512

dot←{⍝: (κ→κ→κ)→(κ→κ→κ)→[κ](r1+1)→[κ](r2+1)→[κ](r1+r2)
    wa←(1↓⍴⍵),⍴⍺
    ka←(≢⍴⍺)-1
    va←⍳≢wa
    za←(ka⌽¯1↓va),¯1↑va
    ta←za⍉wa⍴⍺                 ⍝ replicate, transpose
    wb←(¯1↓⍴⍺),⍴⍵
    kb←≢⍴⍺
    vb←⍳≢wb
    zb←(¯1↓⍳kb),((-kb)↓kb⌽vb),kb
    tb←zb⍉wb⍴⍵                 ⍝ replicate, transpose
    ⍺⍺/ta ⍵⍵ tb
}

i←⍳n×n
a←(n,n)⍴((17|i)-8)÷8
b←(n,n)⍴((13|7×i)-6)÷4
c←a+dot×b
(+/,c),(⌈/,c),(⌊/,c),+/1 1⍉c
c[1;⍳5]
c[n;⍳5]

⍝ The example of the figure
p←3 2⍴⍳5
r←p+dot×⍉p
×/+/r
