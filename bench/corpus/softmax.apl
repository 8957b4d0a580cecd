⍝ Rows of scores to probabilities, and the entropy of each row
n←50 ⍝ size: test 50, bench 200000
k←24
score←(n k⍴(8191|(⍳n×k)×1+⍳n×k)÷1024)-4
prob←{e÷+/e←*⍵-⌈/⍵}⍤1⊢score
ent←{-+/⍵×⍟⍵}⍤1⊢prob
⌊0.5+1E6×(⌈/ent),(⌊/ent),(+/ent)÷n
⌊0.5+1E6×+/⌈/prob
