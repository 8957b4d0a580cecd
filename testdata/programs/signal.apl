⍝ Signal processing, after the APEX suite (thesis, example 3.1)
n←1000 ⍝ size: test 1000, bench 50000000
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

diff←{1↓⍵-¯1⌽⍵} ⍝: <κ>n+1 → <κ>n
signal←{¯50⌈50⌊50×(diff 0,⍵)÷0.01+⍵} ⍝: <κ>n → <double>n

small←+/signal 9 8 6 8 7 4 4 3 2 2 1 2 4 5 6
large←+/signal ⍳n
6 round small,large
