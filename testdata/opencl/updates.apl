⍝ Elements stored and joined at computed places, some of them several times
n←1000×⌊⍎'3'
x←1+97|(⍳n)×⍳n
y←500-1009|7×⍳n
z←100⍴0
z[x]←y
z
z[x]+←y
+/z×⍳100
z[x]-←y×3
+/z×⍳100
z[x]⌈←y-200
+/z×⍳100
z[x]⌊←y
+/z×⍳100
b←100⍴0
b[x]←1
+/b×⍳100
b[⍳100]←⌽⍳100
+/b×⍳100
⍝ many places
w←20000⍴0
u←1+20000|(⍳n)×37×⍳n
w[u]←y
+/w×⍳20000
w[u]+←1
+/w×⍳20000
⍝ few of many
w[3 5 3]+←1 2 3
w[⍳6]
+/((-⍳n)@x)100⍴7
⍝ counts
{≢⍵}⌸x
5↑{⍺,≢⍵}⌸y
+/(⍳50)∘.=x
+/(⍳40)×+⌿y∘.=⍳40
+/(⍳60)∘.=⍬
⍝ doubles keep their order
d←100⍴0.1
d[x]+←y÷7
+/d
d[x]←y÷3
+/d
d[x]×←1+y÷9999
+/d
d[x]⌈←y÷5
+/d
d[u⌊50]-←÷y+0.5
+/d
⍝ integers of more than 32 bits keep theirs
v←100⍴1
v[x]+←y×10*12
+/v
v[x]⌊←y×10*13
+/v
v←20000⍴3
v[u]×←3-2|y
+/v
⍝ the largest and the smallest of each key, which begin beyond 32 bits
x{⍺,(⌈/⍵),⌊/⍵}⌸y
x{⍺,(⌈/⍵),⌊/⍵}⌸y×2147483648-y<0
x{⍺,(⌈/⍵),⌊/⍵}⌸2147483647-y>0
