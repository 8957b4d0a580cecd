⍝ Words within two edits of each other: a table of distances of all pairs
n←20 ⍝ size: test 20, bench 500
len←3+7|⌊(10007|(⍳n)*2)÷3
t←+/len
letters←'abc'[1+3|⌊(65521|(⍳t)*2)÷7]
w←((⍳t)∊1+0,¯1↓+\len)⊂letters
lev←{
    a b←⍺ ⍵
    r←0,⍳≢b
    go←{i r←⍵ ⋄ i>≢a:⊃⌽r ⋄ d←(1+⊃r),(1+1↓r)⌊(¯1↓r)+b≠a[i] ⋄ k←⍳≢d ⋄ ∇(i+1)(k+⌊\d-k)}
    go 1 r
}
D←w∘.lev w
(+/,D),(⌈/,D),(+/,D≤2),(+/,D=0),∧/,D=⍉D
