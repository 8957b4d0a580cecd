⍝ Vigenère: encrypt, find the length of the key by coincidences, and the key by frequencies
⎕IO←0
n←3000 ⍝ size: test 3000, bench 1500000
corpus←'EEEEEEEEEEEETTTTTTTTTAAAAAAAAOOOOOOOIIIIIIINNNNNNNSSSSSSHHHHHHRRRRRRDDDDLLLLCCCUUUMMMWWFFGGYYPPBBVK'
text←corpus[(≢corpus)|⌊(1000003|(⍳n)*2)÷13]
key←'LEMON'
encrypt←{⎕A[26|(⎕A⍳⍵)+(≢⍵)⍴⎕A⍳⍺]}
decrypt←{⎕A[26|(⎕A⍳⍵)-(≢⍵)⍴⎕A⍳⍺]}
counts←{+/⎕A∘.=⍵}
ic←{c←counts ⍵ ⋄ (+/c×c-1)÷(≢⍵)×¯1+≢⍵}
columns←{⍉((⌊(≢⍵)÷⍺),⍺)⍴⍵}
meanic←{(+/÷≢)ic⍤1⊢⍺ columns ⍵}
secret←key encrypt text
scores←{⍵ meanic secret}¨2+⍳7
len←2+⊃⍒scores
typical←(counts corpus)÷≢corpus
shift←{c←counts ⍵ ⋄ ⊃⍒{typical+.×⍵⌽c}¨⍳26}
found←shift⍤1⊢len columns secret
plain←⎕A[found]decrypt secret
len,found,(+/plain=text),(+/secret='E'),⌊1E6×⌈/scores
