⍝ The word of Thue and Morse, by recursion, and what does not occur in it
n←8 ⍝ size: test 8, bench 22
tm←{⍵=0:,0 ⋄ w←∇⍵-1 ⋄ w,1-w}
w←tm n
(≢w),(+/w),(+/2∧/w),∨/3∧/w
