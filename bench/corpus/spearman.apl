⍝ Rank correlation of each row of measurements with the first one
n←30 ⍝ size: test 30, bench 20000
k←50
data←n k⍴(32749|(⍳n×k)*2)
ranks←{⍋⍋⍵}⍤1⊢data
ref←ranks[1;]
rho←{1-(6×+/2*⍨⍵-ref)÷k×¯1+k*2}⍤1⊢ranks
⌊0.5+1E6×(+/rho),(⌈/1↓rho),⌊/rho
