⍝ Many tridiagonal systems at once, each a column: elimination, then substitution
n←20 ⍝ size: test 20, bench 200
m←30 ⍝ size: test 30, bench 10000
b←2.1+(n m⍴(251|⍳n×m)÷251)
d←n m⍴(509|(⍳n×m)*2)÷509
cs←ds←n m⍴0
cs[1;]←-÷b[1;]
ds[1;]←d[1;]÷b[1;]
sweep←{
    c p←⍵
    w←÷b[⍺;]+c
    (-w)(w×d[⍺;]+p)
}
forward←{⍺>n:⍵ ⋄ cs ds←⍵ ⋄ c p←⍺ sweep(cs[⍺-1;])(ds[⍺-1;]) ⋄ cs[⍺;]←c ⋄ ds[⍺;]←p ⋄ (⍺+1)∇cs ds}
back←{⍺<1:⍵ ⋄ x←⍵ ⋄ x[⍺;]←ds[⍺;]-cs[⍺;]×x[⍺+1;] ⋄ (⍺-1)∇x}
cs ds←2 forward cs ds
x←(n-1)back ds
⌊0.5+1E6×(+/,x),(⌈/,x),⌊/,x
