⍝ Connected components: every node takes the least label around it, and that one's label
n←60 ⍝ size: test 60, bench 200000
deg←4|⌊(1000003|(⍳n)*2)÷7
i←⍳+/deg
ends←1+n|⌊(2147483647|7919×i×i)÷5
from←deg/⍳n
adj←{⊂⍵}⌸(⍳n),from,ends
other←(⍳n),ends,from
adj←{other[⍵]}¨adj
least←{l←⍵ ⋄ m←{⌊/l[⍵]}¨adj ⋄ m⌊l[m]}
label←least⍣≡⍳n
size←{≢⍵}⌸label
(≢size),(⌈/size),+/size=1
