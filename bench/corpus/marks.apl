⍝ Marks to letters by the least mark of each, how many there are of a letter, and their mean
n←120 ⍝ size: test 120, bench 5000000
least←0 25 40 55 70 85
mark←100|⌊(65521|(⍳n)*2)÷6
at←least⍸mark
letter←'FEDCBA'[at]
many←{+/letter=⍵}¨'ABCDEF'
many
mean←at{⍺,(+/⍵)÷≢⍵}⌸mark
⌊0.5+1000×mean[⍋mean[;1];2]
+/mark×letter∊'AB'
