⍝ Words with the same letters: sorted letters as keys
n←120 ⍝ size: test 120, bench 200000
code←26|⌊(65521|(⍳n×5)*2)÷1000
len←3+3|⍳n
word←len↑¨↓n 5⍴⎕A[1+code]
group←{≢⍵}⌸{⍵[⍋⍵]}¨word
(≢group),(⌈/group),(+/group>1),+/group*2
