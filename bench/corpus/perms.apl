⍝ All permutations of n things by recursion, their inversions and fixed points
n←4 ⍝ size: test 4, bench 9
perm←{⍵=1:1 1⍴1 ⋄ p←∇ ⍵-1 ⋄ ⊃⍪/{⍵,p+p≥⍵}¨⍳⍵}
p←perm n
inv←{+/,(∘.<⍨⍳≢⍵)∧∘.>⍨⍵}⍤1⊢p
fixed←+/p=⍤1⍳n
(≢p),(+/inv),(⌈/inv),(+/fixed=0),(+/2|inv),+/inv×fixed
