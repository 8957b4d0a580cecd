⍝ How far two judges are apart: places of all entries in the order of each, and the sum of the distances
n←60 ⍝ size: test 60, bench 700000
i←⍳n
one←(10007|i×i)÷8
two←one+(4099|i×31)÷8
place←{⍋⍒⍵}
d←|(place one)-place two
(+/d),(⌈/d),+/d=0
10↑place two
