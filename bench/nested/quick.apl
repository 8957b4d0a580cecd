⍝ Quicksort by levels: all parts that are not sorted yet are split at once
n←60 ⍝ size: test 60, bench 200000
x←1000003|7919×(⍳n)*2
split←{2>≢⍵:,⊂⍵ ⋄ p←⍵[⌈0.5×≢⍵] ⋄ ((⍵<p)/⍵)((⍵=p)/⍵)((⍵>p)/⍵)}
level←{p←⊃,/split¨⍵ ⋄ (0<≢¨p)/p}
parts←level⍣≡,⊂x
s←⊃,/parts
(≢parts),s[1,n],(∧/2≤/s),+/s×2|⍳n
