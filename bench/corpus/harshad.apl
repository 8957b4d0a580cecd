⍝ Numbers that the sum of their digits divides, and the longest way down by such sums
n←300 ⍝ size: test 300, bench 1000000
sum←{+/⍎¨⍕⍵}
h←⍸{0=(sum ⍵)|⍵}¨⍳n
root←{⍵<10:⍵ ⋄ ∇+/10⊥⍣¯1⊢⍵}
r←root¨h
(≢h),(+/h),(+/r),+/r=9
