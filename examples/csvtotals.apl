⍝ The turnover of each region, from lines of comma-separated fields
lines←{(⍵≠⎕UCS 10)⊆⍵}⊃⎕NGET'examples/sales.csv'
field←{⍺⊃(⍵≠',')⊆⍵}
number←{⊃2⊃⎕VFI ⍵}
rows←1↓lines
regions←1 field¨rows
turnover←{(number 3 field ⍵)×number 4 field ⍵}¨rows
names←∪regions
totals←{turnover+.×regions∊⊂⍵}¨names
(↑names),10 2⍕⍪totals
'total ',(10 2⍕+/totals)
