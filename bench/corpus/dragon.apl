⍝ The folds of a strip of paper, by recursion: the dragon curve
n←8 ⍝ size: test 8, bench 22
dragon←{⍵=0:⍬ ⋄ d←∇⍵-1 ⋄ d,1,1-⌽d}
d←dragon n
(≢d),(+/d),+/2≠/d
