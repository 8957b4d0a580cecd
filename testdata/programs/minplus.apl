⍝ Shortest paths of at most two edges, by the product ⌊.+
n←16 ⍝ size: test 16, bench 1024
i←⍳n×n
edge←(n,n)⍴1+1009|i×i
edge←edge×~(⍳n)∘.=⍳n
two←edge⌊.+edge
(+/,edge),(+/,two),(⌈/,two),+/two[1;]
two[1;⍳10]
two[n;⍳10]
