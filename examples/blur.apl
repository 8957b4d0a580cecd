⍝ A blurred disc, as a picture in the format PGM: each pixel is the mean of 3 by 3
n←12
at←(⍳n)-(n+1)÷2
disc←255×16>(at*2)∘.+at*2
mean←{⌊0.5+(+/,⍵)÷9}
blurred←{mean ⍵}⌺3 3⊢disc
'P2'
⌽⍴blurred
255
blurred
