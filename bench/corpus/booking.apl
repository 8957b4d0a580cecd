⍝ Rooms booked by intervals: sorted by their beginnings, joined where they touch
n←60 ⍝ size: test 60, bench 1000000
from←(40×n)|⌊((⍳n)×104729)÷3
to←from+5+89|(⍳n)*2
order←⍋from
f←from[order] ⋄ t←⌈\to[order]
first←1,(1↓f)>¯1↓t
start←first/f
end←(1↓first,1)/t
(≢start),(+/end-start),(⌈/end-start),⌈/1↓start-¯1⌽end
