⍝ Quickhull: the corners of the convex hull of points, by halves of what is left of a line
n←100 ⍝ size: test 100, bench 1000000
i←⍳n
x←¯1+2×(10007|(i*2)+7×i)÷10007
y←¯1+2×(10009|(3×i)+⌊i÷11)÷10009
inside←1≥(x*2)+y*2
x←inside/x ⋄ y←inside/y
side←{(x1 y1)(x2 y2)←⍺ ⋄ (x y)←⍵ ⋄ ((x2-x1)×y-y1)-(y2-y1)×x-x1}
hull←{
    a b←⍺ ⋄ (x y)←⍵
    s←⍺ side ⍵
    k←0<s
    ~∨/k:0
    x y s←k∘/¨x y s
    f←⊃⍒s
    c←x[f],y[f]
    (a c ∇ x y)+1+c b ∇ x y
}
l←⊃⍋x ⋄ r←⊃⍒x
a←x[l],y[l] ⋄ b←x[r],y[r]
2+(a b hull x y)+b a hull x y
