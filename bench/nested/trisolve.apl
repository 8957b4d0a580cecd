⍝ Forward substitution: a lower triangular system, kept as rows of different lengths
n←60 ⍝ size: test 60, bench 6000
rows←{((7|⍵×⍳⍵-1)÷8×n),1+⍵÷n}¨⍳n
b←(1+13|⍳n)÷13
x←{r←rows⊃⍨1+≢⍵ ⋄ ⍵,(b[≢r]-+/⍵×¯1↓r)÷⊃⌽r}⍣n⊢⍬
⌊0.5+1E6×(+/x),(⌈/x),(⌊/x),x[n]
