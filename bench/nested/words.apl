⍝ Words of a text: how many, how long, the longest, and the commonest
n←300 ⍝ size: test 300, bench 5000000
i←⍳n
text←'eeeettaaoinshr    '[1+18|⌊(2147483647|i×7919×i)÷11]
words←(text≠' ')⊆text
len←≢¨words
(≢words),(+/len),⌈/len
(len⍳⌈/len)⊃words
u←∪words
counts←{≢⍵}⌸words
(≢u),⌈/counts
top←5↑⍒counts
↑u[top]
counts[top]
