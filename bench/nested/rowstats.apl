⍝ Sums, medians and ranges of rows of different lengths
n←50 ⍝ size: test 50, bench 200000
len←1+40|⌊(1000003|(⍳n)*2)÷7
i←⍳+/len
rows←(∊len↑¨1)⊂10007|⌊(2147483647|7919×i×i)÷5
sums←+/¨rows
medians←{s←⍵[⍋⍵] ⋄ 0.5×s[⌈0.5×≢s]+s[1+⌊0.5×≢s]}¨rows
ranges←{(⌈/⍵)-⌊/⍵}¨rows
(+/sums),(⌈/sums),(+/medians),(⌈/medians),(+/ranges),⌈/ranges
sums[⍳3],medians[⍳3],ranges[⍳3]
