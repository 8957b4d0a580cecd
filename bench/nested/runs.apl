⍝ Run lengths as text, a number and a letter each, and the text that they mean
n←40 ⍝ size: test 40, bench 1000000
i←⍳n
len←1+30|⌊(1000003|i×i)÷7
letter←'BWGR'[1+4|i+⌊i÷7]
code←⊃,/(⍕¨len),¨letter
ends←code∊'BWGR'
runs←(1,¯1↓ends)⊂code
text←⊃,/{(⍎¯1↓⍵)⍴⊃⌽⍵}¨runs
(≢code),(≢runs),≢text
+⌿text∘.='BWGR'
60↑text
