⍝ Needleman-Wunsch: scores of the alignments of two texts. The matrix of scores is made in
⍝ square blocks; those of an antidiagonal do not need each other
⎕IO←0
p←6 ⍝ size: test 6, bench 64
b←8 ⍝ size: test 8, bench 32
n←p×b
w←n+1
gap←10
s←20|⌊(17×⍳n)÷10
t←20|⌊((⍳n)*2)÷97
pairs←(⍳20)∘.{(¯4+13|(⍺×⍺)+⍵×⍵)+8×⍺=⍵}⍳20
slope←gap×⍳b+1

⍝ The rest of a block, of which ⍵ has the row above it and the column on its left
rows←{i match m←⍵
    i=b:m
    m[i+1;]←(⌈\slope+m[i+1;0],(match[i;]+¯1↓m[i;])⌈(1↓m[i;])-gap)-slope
    ∇(i+1)match m
}
block←{i j←b×⍵ ⋄ 1 1↓rows 0(pairs[s[i+⍳b];t[j+⍳b]])(⍺[i+⍳b+1;j+⍳b+1])}

step←{d m←⍵
    d=¯1+2×p:m
    k←(0⌈d-p-1)+⍳(1+d)⌊(2×p)-1+d
    f←,m
    f[((w+1)+(b×d)+k×b×w-1)∘.+(w×⍳b)∘.+⍳b]←{m block ⍵,d-⍵}⍤0⊢k
    ∇(d+1)(w w⍴f)
}
m←w w⍴0
m[0;]←-gap×⍳w
m[;0]←-gap×⍳w
m←step 0 m
m[n;n],(⌈/m[n;]),(⌈/m[;n]),+/,m
