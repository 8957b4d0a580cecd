⍝ The shortest paths of testdata/programs/minplus.apl by a naive triple loop, as
⍝ an interpreter runs it
n←100
i←⍳n×n
a←(n,n)⍴1+17|i
b←(n,n)⍴1+13|7×i
c←(n,n)⍴1E9
_←{i←⍵ ⋄ +/{j←⍵ ⋄ +/{c[i;j]⌊←a[i;⍵]+b[⍵;j] ⋄ 0}¨⍳n}¨⍳n}¨⍳n
+/,c
+/,a⌊.+b
