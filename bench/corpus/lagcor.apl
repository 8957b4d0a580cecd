⍝ How a series goes together with itself some time later
n←100 ⍝ size: test 100, bench 1000000
x←{⍵-(+/⍵)÷≢⍵}1009|⌊((⍳n)*2)÷13
lag←0,⍳32
r←{(+/(⍵↓x)×(-⍵)↓x)÷x+.×x}¨lag
⌊0.5+1E6×r[2 3 5 9 17 33]
best←1+⊃⍒1↓r
best,⌊0.5+1E6×r[best]
