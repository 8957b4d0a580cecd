⍝ Ranks of pages from their links, until they change no more
n←40 ⍝ size: test 40, bench 3000
link←(n n⍴(61|(⍳n×n)×7+⌊(⍳n×n)÷n))∊3 17 40
out←1⌈+/link
d←0.85
round←{((1-d)÷n)+d×(⍵÷out)+.×link}
rank←round⍣{1E¯10>⌈/|⍺-⍵}n⍴÷n
⌊0.5+1E9×(+/rank),(⌈/rank),⌊/rank
5↑⍒rank
