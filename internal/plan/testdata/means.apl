⍝ Fusion, arrays on the stack and on the heap, what threads share
n←1000000
x←÷⍳n
mean←(+/x)÷n
+/(x-mean)*2
y←+\x
y[n]
3 4⍴⌽⍳12
