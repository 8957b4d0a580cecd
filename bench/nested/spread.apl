⍝ Mean, spread and range of groups of readings of different lengths
n←40 ⍝ size: test 40, bench 240000
len←3+40|⌊(1000003|(⍳n)*2)÷11
i←⍳+/len
x←(2147483647|7919×i×i)÷1E6
g←(∊{1,(⍵-1)⍴0}¨len)⊂x
mean←{(+/⍵)÷≢⍵}¨g
sd←{m←(+/⍵)÷≢⍵ ⋄ (((+/(⍵-m)*2)÷≢⍵)*0.5)}¨g
range←{(⌈/⍵)-⌊/⍵}¨g
above←+/¨g>mean
(⌊0.5+(+/mean),(⌈/sd),+/range),+/above
⌊0.5+(+/sd),⌈/range
