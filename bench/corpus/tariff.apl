⍝ Bills of telephone customers: the zone of a call by its prefix, the price of the zone
n←150 ⍝ size: test 150, bench 3000000
prefix←200+13×⍳60
zone←1+12|(⍳60)*2
price←2 3 5 7 11 13 17 19 23 29 31 37
i←⍳n
called←prefix[1+60|⌊(65521|i×i)÷7]
seconds←1+600|i×97
customer←1+500|⌊(32749|i×i)÷3
cost←(⌈seconds÷60)×price[zone[prefix⍳called]]
who←∪customer
bill←(≢who)⍴0
bill[who⍳customer]+←cost
top←who[⍒bill]
(5↑top),5↑bill[⍒bill]
(+/bill),≢who
