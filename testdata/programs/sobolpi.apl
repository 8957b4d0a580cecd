⍝ Monte-Carlo π with Sobol numbers in two dimensions of 30 bits: the part of
⍝ the points that fall inside the unit circle
n←1000 ⍝ size: test 1000, bench 10000000
bits←30⍴2
xor←{2⊥(bits⊤⍺)≠bits⊤⍵} ⍝: [int]r → [int]r → [int]r

⍝ Direction vectors, for the least significant bit of the Gray code first
xdirs←⌊2*30-⍳30
ydirs←536870912 805306368 671088640 1006632960 570425344 855638016 713031680 1069547520 538968064 808452096 673710080 1010565120 572653568 858980352 715816960 1073725440 536879104 805318656 671098880 1006648320 570434048 855651072 713042560 1069563840 538976288 808464432 673720360 1010580540 572662306 858993459

gray←{⍵ xor⌊⍵÷2} ⍝: [int]r → [int]r
sobol←{xor/⍺×⌽bits⊤gray ⍵} ⍝: <int>30 → int → int

inside←{⍝: int → bool
    x←(xdirs sobol ⍵)÷2*30
    y←(ydirs sobol ⍵)÷2*30
    1≥(x×x)+y×y
}

hits←+/inside¨⍳n
hits,4×hits÷n
xdirs∘sobol¨⍳5
ydirs∘sobol¨⍳5
