⍝ ⎕CT in kernels and on the host
⎕CT←1E¯10
x←(⌊⍎'3')×0.1×⍳40
+/x=⌽x×1+1E¯11
+/x=x×1+1E¯11
+/x=x×1+1E¯9
+/(x×1+1E¯11)∊x
⌊10×x÷1+1E¯12
+/(x×1J1)=(x×1J1)×1+1E¯11
x∨0.3+1E¯12
