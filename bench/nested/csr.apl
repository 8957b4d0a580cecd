⍝ A sparse matrix, kept as columns and values of each row, applied ten times
n←80 ⍝ size: test 80, bench 100000
len←1+31|⌊(65521|(⍳n)*2)÷7
i←⍳+/len
row←∊len↑¨1
cols←row⊂1+n|⌊(2147483647|7919×i×i)÷5
vals←row⊂(1+16|⌊(1000003|i×31+i)÷7)÷16
apply←{v←⍵ ⋄ y←cols{+/⍵×v[⍺]}¨vals ⋄ y÷⌈/y}
v←apply⍣10⊢n⍴1
⌊0.5+1E6×(+/v),(⌊/v),v[1 2],v[n]
