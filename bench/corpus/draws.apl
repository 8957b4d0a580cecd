⍝ Numbers drawn from a table of weights: where each falls among the sums of the weights
n←500 ⍝ size: test 500, bench 4000000
weight←1+97|(⍳300)*2
upto←+\weight
u←(⊃⌽upto)|(⍳n)×7919+⍳n
k←1+upto⍸u
count←+⌿k∘.=1 2 17 300
(+/k),(⌈/k),(+/weight[k]),count
cost←(÷⍳300)[k]
⌊0.5+1E3×(+/cost),(⌈/cost)
