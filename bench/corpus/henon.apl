⍝ Steps for which points stay near under the map of Hénon: a strand of two planes and the steps, by recursion
n←30 ⍝ size: test 30, bench 500
most←20 ⍝ size: test 20, bench 80
axis←3×¯0.5+(⍳n)÷n
near←{4≥(⍺×⍺)+⍵×⍵}
go←{
    ⍺≥most:⊃⌽⍵
    x y k←⍵
    in←x near y
    u←1+y-1.4×x×x
    (⍺+1)∇((in×u)+(~in)×x)((in×0.3×x)+(~in)×y)(k+in)
}
k←0 go(axis∘.×n⍴1)((n⍴1)∘.×axis)(n n⍴0)
(+/,k),(⌈/,k),(+/,k=most),k[n;1]
