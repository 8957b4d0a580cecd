⍝ Loss of a classifier of ten classes: the logarithm of the sum of exponentials, less the score of the label
n←40 ⍝ size: test 40, bench 300000
k←10
s←n k⍴¯3+(4093|(⍳n×k)×3+⍳n×k)÷700
label←1+10|⌊(65521|(⍳n)*2)÷9
lse←{m←⌈/⍵ ⋄ m+⍟+/*⍵-m}⍤1⊢s
own←(,s)[label+k×¯1+⍳n]
loss←lse-own
hit←own=⌈/s
⌊0.5+1E6×((+/loss)÷n),(⌈/loss),⌊/loss
+/hit
