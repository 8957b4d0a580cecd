⍝ Opening and closing of a grey image by a window of 7 by 7: least and greatest values
n←20 ⍝ size: test 20, bench 1000
img←(n,n)⍴256|⌊(1009|(⍳n×n)*2)÷3
ext←{⍵[;1⌈n⌊¯3+⍳n+6]}
er←{⍉7⌊/ext⍉7⌊/ext ⍵}
di←{⍉7⌈/ext⍉7⌈/ext ⍵}
open←di er img
close←er di img
(+/,open),(+/,close),(⌈/,close-open),(+/,open=close)
