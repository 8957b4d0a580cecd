⍝ Monte Carlo: π from random points of the unit square, and how often two
⍝ dice show seven
n←1000 ⍝ size: test 1000, bench 10000000
x←?n⍴0
y←?n⍴0
inside←+/1≥(x×x)+y×y
inside,4×inside÷n
seven←+/7=(?n⍴6)+?n⍴6
seven,seven÷n
