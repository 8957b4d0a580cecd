⍝ Sorting integers by their grade
n←1000 ⍝ size: test 1000, bench 10000000
x←2147483647|630360016×⍳n
g←⍋x
s←x[g]
∧/(1↓s)≥¯1↓s
s[(⌊n÷5)×⍳5]
g[(⌊n÷5)×⍳5]
