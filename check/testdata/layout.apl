mean←{(+⌿⍵)÷≢⍵}   ⍝ of the first axis
a←{⍵+1} ⋄ b←{⍵×2}
c←{ ⍝ turns things around
    ⌽⍵
}
d←{w←⍵
    w+1
}
e←+/÷≢
