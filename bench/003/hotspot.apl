⍝ HotSpot, as in Rodinia: the temperatures of a chip, step by step, with its edges repeated
n←32 ⍝ size: test 32, bench 1024
steps←20 ⍝ size: test 20, bench 100
t←n n⍴323+20×(1009|(⍳n×n)*2)÷1009
p←n n⍴0.001×(997|7×⍳n×n)÷997
cap rx ry rz←0.5 3 3 1E4
step←{
    e←(⍵[;1],⍵,⍵[;n])
    e←e[1;]⍪e⍪e[n;]
    up←¯2 0↓0 1↓0 ¯1↓e ⋄ down←2 0↓0 1↓0 ¯1↓e
    left←1 0↓¯1 0↓0 ¯2↓e ⋄ right←1 0↓¯1 0↓0 2↓e
    ⍵+cap×p+((up+down-2×⍵)÷ry)+((left+right-2×⍵)÷rx)+(80-⍵)÷rz
}
t←step⍣steps⊢t
⌊0.5+1E5×((+/,t)÷n×n),(⌈/,t),⌊/,t
