⍝ Numbers that read the same backwards, and those of them that are prime
n←2000 ⍝ size: test 2000, bench 2000000
pal←⍸{⍵≡⌽⍵}∘⍕¨⍳n
prime←{⍵<2:0 ⋄ ~0∊(1↓⍳⌊⍵*0.5)|⍵}
pp←pal/⍨prime¨pal
(≢pal),(+/pal),(≢pp),(+/pp),⌈/pp
