⍝ LU decomposition by elimination without pivoting: the factors share one
⍝ matrix, L below the diagonal (its own diagonal is 1), U on and above it
n←24 ⍝ size: test 24, bench 1024
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

lu←{⍝: int → [n,m]double → [n,m]double
    ⍺≥≢⍵:⍵
    a←⍵
    rest←⍺↓⍳≢a
    a[rest;⍺]÷←a[⍺;⍺]
    a[rest;rest]-←a[rest;⍺]∘.×a[⍺;rest]
    (⍺+1)∇a
}

i←⍳n×n
unit←(⍳n)∘.=⍳n
m←(n×unit)+(n,n)⍴(1009|i×i)÷1009
f←1 lu m
l←unit+f×(⍳n)∘.>⍳n
u←f×(⍳n)∘.≤⍳n

⍝ Logarithm of the determinant; residual of L(Ux)=Mx; corners
x←(⍳n)÷n
8 round(+/⍟1 1⍉f)÷n
8 round⌈/|(m+.×x)-l+.×u+.×x
8 round f[1;n],f[n;1],f[n;n]
