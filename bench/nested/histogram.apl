⍝ For each shop, sales by hour: a table by key, whose results are vectors
n←100 ⍝ size: test 100, bench 5000000
i←⍳n
shop←1+5000|⌊(2147483647|7919×i×i)÷11
hour←24|⌊(1000003|i×31+i)÷5
table←shop{¯1+{≢⍵}⌸(⍳24),1+⍵}⌸hour
busy←{⍵⍳⌈/⍵}⍤1⊢table
(⍴table),(⌈/,table),+/busy
3 8⍴+⌿table
