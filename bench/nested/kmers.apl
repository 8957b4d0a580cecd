⍝ Words of nine letters of a sequence and how often each is there
n←300 ⍝ size: test 300, bench 2000000
i←⍳n
dna←'ACGT'[1+4|⌊(2147483647|7919×i×i)÷5]
w←9,/dna
k←∪w
c←{≢⍵}⌸w
(≢w),(≢k),⌈/c
⊃k[c⍳⌈/c]
+/c=1
