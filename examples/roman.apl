⍝ Roman numerals: from numbers, and back
values←1000 900 500 400 100 90 50 40 10 9 5 4 1
signs←'M' 'CM' 'D' 'CD' 'C' 'XC' 'L' 'XL' 'X' 'IX' 'V' 'IV' 'I'
roman←{
    0=⍵:''
    k←⊃⍸values≤⍵
    (k⊃signs),∇ ⍵-values[k]
}
number←{n←1000 500 100 50 10 5 1['MDCLXVI'⍳⍵] ⋄ +/n×¯1*n<1↓n,0}
roman 1987
roman 2024
number 'MCMLXXXVII'
∧/(⍳300)={number roman ⍵}¨⍳300
