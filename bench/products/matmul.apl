⍝ The product of testdata/programs/matmul.apl, and the sum of its elements
n←1024
i←⍳n×n
a←(n,n)⍴((17|i)-8)÷8
b←(n,n)⍴((13|7×i)-6)÷4
+/,a+.×b
