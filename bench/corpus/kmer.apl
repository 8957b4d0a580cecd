⍝ The commonest words of six letters in a genome, by a key
n←300 ⍝ size: test 300, bench 5000000
dna←'ACGT'[1+4|⌊(65521|(⍳n)*2)÷8]
code←¯1+'ACGT'⍳dna
word←4⊥↑(⍳6){(⍺-6)↓(⍺-1)↓⍵}¨⊂code
key←{⍺,≢⍵}⌸word
top←key[5↑⍒key[;2];]
top
≢key
