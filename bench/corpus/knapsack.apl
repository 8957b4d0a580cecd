⍝ 0-1 knapsack: the best value for each capacity, by a fold over the items
n←12 ⍝ size: test 12, bench 400
cap←100 ⍝ size: test 100, bench 100000
weight←1+(97|13×⍳n)
value←1+(89|29×⍳n)
add←{w v←⍺ ⋄ ⍵⌈v+(w⍴¯1E9),(-w)↓⍵}
best←⊃add/(⌽↓⍉↑weight value),⊂(1+cap)⍴0
(⌈/best),(+/best),best[1+⌊cap÷2]
