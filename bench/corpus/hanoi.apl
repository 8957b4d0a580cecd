⍝ Discs that move in the towers of Hanoi, and how often each one, by recursion
n←8 ⍝ size: test 8, bench 22
hanoi←{⍵=0:⍬ ⋄ half←∇⍵-1 ⋄ half,⍵,half}
moves←hanoi n
(≢moves),(+/moves),+/moves=1
+⌿moves∘.=⍳3
