⍝ Breadth-first search: adjacency lists, and a level at a time
n←60 ⍝ size: test 60, bench 500000
deg←1+8|⌊(1000003|(⍳n)*2)÷7
i←⍳+/deg
adj←(∊deg↑¨1)⊂1+n|⌊(2147483647|7919×i×i)÷5
search←{d f←⍵ ⋄ 0=≢f:d ⋄ next←∪∊adj[f] ⋄ next←(d[next]<0)/next ⋄ d[next]←1+d[⊃f] ⋄ ∇ d next}
dist←search(0@1⊢n⍴¯1)(,1)
(+/dist<0),(⌈/dist),+/dist
{≢⍵}⌸dist[⍋dist]
