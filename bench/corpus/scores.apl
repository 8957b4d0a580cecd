⍝ Lines of a name and a number: the best names by the sum of their numbers
n←100 ⍝ size: test 100, bench 300000
name←'ann' 'bo' 'carla' 'dee' 'eve' 'finn' 'gus' 'hal'
who←name[1+8|⌊(65521|(⍳n)*2)÷7]
text←∊who,¨'=',¨(⍕¨1+(1009|(⍳n)*2)),¨⊂';'
line←';'(≠⊆⊢)text
key←{(¯1+⍵⍳'=')↑⍵}¨line
val←{⍎(⍵⍳'=')↓⍵}¨line
sum←key{⍺,+/⍵}⌸val
sum[3↑⍒sum[;2];]
(≢line),+/val
