⍝ Matrix product by +.×; every product and sum is exact in doubles
n←16 ⍝ size: test 16, bench 1024
i←⍳n×n
a←(n,n)⍴((17|i)-8)÷8
b←(n,n)⍴((13|7×i)-6)÷4
c←a+.×b
(+/,c),(⌈/,c),(⌊/,c),+/1 1⍉c
c[1;⍳5]
c[n;⍳5]
