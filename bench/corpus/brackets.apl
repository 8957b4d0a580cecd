⍝ Depth of nesting in a text of brackets, by character and by line
n←400 ⍝ size: test 400, bench 20000000
text←'(( [])) x;'[1+10|(⍳n)+⌊(65521|(⍳n)*2)÷7]
step←(text∊'([')-text∊')]'
depth←+\step
(⌈/depth)(⌊/depth)(+/depth=⌈/depth)(depth⍳⌈/depth)
≢';'(≠⊆⊢)text
