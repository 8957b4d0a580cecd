⍝ Takings of each till in each hour: how many sales, their sum, the largest and the smallest
n←90 ⍝ size: test 90, bench 4000000
i←⍳n
till←40|⌊(65521|i×i)÷3
hour←24|⌊(32749|i×7+i)÷11
cents←50+4999|i×7907
t←(hour+24×till){⍺,(≢⍵),(+/⍵),(⌈/⍵),⌊/⍵}⌸cents
+⌿t
best←t[(⊃⍒t[;3]);]
best,24|best[1]
(+/t[;2]=1),≢t
