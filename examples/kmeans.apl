⍝ Points in the plane in three clusters: each point to the nearest centre, each
⍝ centre to the mean of its points, until nothing changes
points←12 2⍴1 1 1.5 2 2 1.2 1.2 1.6 8 8 8.5 9 9 8.2 7.8 8.6 1 8 1.6 8.4 2 7.6 1.4 9
distance←{+/(⍺-⍵)*2}
cluster←{d←points(distance⍤1⍤1 2)⍵ ⋄ {⍵⍳⌊/⍵}⍤1⊢d}
centres←{m←(⍳3)∘.=cluster ⍵ ⋄ (m+.×points)÷⍤1 0⊢+/m}
final←centres⍣≡points[1 5 9;]
final
cluster final
