⍝ The most valuable choice of things whose weights may be 15 together
weights←12 2 1 1 4 3 7 9
values←4 2 2 1 10 5 8 11
capacity←15
best←(1+capacity)⍴0
take←{(w v)←⍺ ⋄ ⍵⌈((w⍴0),v+(-w)↓⍵)}
all←{
    (k table)←⍵
    (k+1)((weights[k],values[k])take table)
}
table←2⊃all⍣(≢weights)⊢1 best
table
'best value: ',⍕⊃⌽table
