⍝ LU decomposition in blocks, as in Rodinia: the block on the diagonal, the blocks on its
⍝ right and those below it, then what is left, all in one matrix
p←3 ⍝ size: test 3, bench 32
b←8 ⍝ size: test 8, bench 32
n←p×b
i←⍳n×n
m←(n×(⍳n)∘.=⍳n)+n n⍴(1009|i×i)÷1009
k←⍳b

⍝ The block ⍵ by elimination
inner←{⍺=b:⍵ ⋄ a←⍵ ⋄ r←⍺↓⍳b
    a[r;⍺]÷←a[⍺;⍺]
    a[r;r]-←a[r;⍺]∘.×a[⍺;r]
    (⍺+1)∇a
}
⍝ L of the block ⍺ into ⍵, row by row; ⍵ into U of it, column by column
upper←{d x←⍵ ⋄ ⍺>b:x ⋄ x[⍺;]-←d[⍺;⍳⍺-1]+.×x[⍳⍺-1;] ⋄ (⍺+1)∇d x}
lower←{d x←⍵ ⋄ ⍺>b:x ⋄ x[;⍺]←(x[;⍺]-x[;⍳⍺-1]+.×d[⍳⍺-1;⍺])÷d[⍺;⍺] ⋄ (⍺+1)∇d x}

lud←{⍺=p:⍵ ⋄ a←⍵
    d←(b×⍺)+k ⋄ r←((⍺+1)×b)↓⍳n
    a[d;d]←1 inner a[d;d]
    a[d;r]←2 upper (a[d;d])(a[d;r])
    a[r;d]←1 lower (a[d;d])(a[r;d])
    a[r;r]-←a[r;d]+.×a[d;r]
    (⍺+1)∇a
}
f←0 lud m
round←{(⌊0.5+⍵×10*⍺)÷10*⍺}
x←(⍳n)÷n
l←((⍳n)∘.=⍳n)+f×(⍳n)∘.>⍳n
u←f×(⍳n)∘.≤⍳n
8 round(+/⍟1 1⍉f)÷n
8 round⌈/|(m+.×x)-l+.×u+.×x
8 round f[1;n],f[n;1],f[n;n]
