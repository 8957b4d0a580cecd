⍝ The product of testdata/programs/matmul.apl, several times, each of another
⍝ matrix, so that it cannot be computed once
n←1024
i←⍳n×n
a←(n,n)⍴((17|i)-8)÷8
b←(n,n)⍴((13|7×i)-6)÷4
+/,a+.×b
