⍝ Orders and deliveries of the same articles: all pairs of them, and what is left of orders
n←60 ⍝ size: test 60, bench 1000000
i←⍳n
articles←1+⌈n÷3
a←articles|⌊(2147483647|7919×i×i)÷3
b←articles|⌊(2147483647|i×31+i)÷5
ordered←1+9|⌊(1000003|i×i)÷7
delivered←1+7|⌊(1000003|i×7+i)÷3
places←(b{⊂⍵}⌸i),⊂⍬
at←places[(∪b)⍳a]
left←ordered-{+/delivered[⍵]}¨at
o←(≢¨at)/i
d←∊at
(≢o),(+/0=≢¨at),(⌈/≢¨at),+/0⌈left
(+/ordered[o]×delivered[d]),(+/ordered[o]<delivered[d]),⌈/ordered[o]+delivered[d]
