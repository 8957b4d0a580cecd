⍝ Visits of users: a pause of more than 30 minutes begins another session
n←2000 ⍝ size: test 2000, bench 1000000
user←1+(⌈n÷40)|⌊(1000003|(⍳n)*2)÷3
time←+\97|⌊(65521|(⍳n)×⍳n)÷11
time←⌊time÷⌈n÷400
times←user{⊂⍵}⌸time
split←{⍵⊂⍨1,30<2-⍨/⍵}
s←split¨times
count←≢¨s
len←{(⊃⌽⍵)-⊃⍵}¨⊃,/s
size←≢¨⊃,/s
(≢times),(+/count),(⌈/count),(+/len),(⌈/len),(⌈/size),+/size=1
