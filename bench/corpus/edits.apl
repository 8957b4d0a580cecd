⍝ Edit distances of neighbours in a list of words: the rows of the table one after the other, by recursion
n←50 ⍝ size: test 50, bench 60000
words←n 12⍴'abcd'[1+4|⌊(65521|(⍳12×n)*2)÷7]
dist←{
    x←⍺ ⋄ y←⍵ ⋄ j←0,⍳≢y
    rows←{i row←⍵ ⋄ i>≢x:⊃⌽row ⋄ sub←(¯1↓row)+y≠x[i] ⋄ ∇(i+1)(j+⌊\(i,sub⌊1+1↓row)-j)}
    rows 1 j
}
d←(¯1↓words)dist⍤1⊢1↓words
(+/d),(⌈/d),(⌊/d),+⌿d∘.=⍳12
