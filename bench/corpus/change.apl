⍝ Ways to pay amounts with coins, coin by coin in loops
n←50 ⍝ size: test 50, bench 2000000
∇ ways←coins Change n;c;j
  ways←1,n⍴0
  :For c :In coins
      :For j :In c+⍳0⌈1+n-c
          ways[j]←1000000007|ways[j]+ways[j-c]
      :EndFor
  :EndFor
∇
w←1 2 5 10 20 50 100 200 Change n
w[1+n],(+/w),⌈/w
