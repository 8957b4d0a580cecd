⍝ Rolling sums of words of 24 letters, each begun with two marks; changes of class within a word
n←200 ⍝ size: test 200, bench 400000
letters←'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+*!'
word←letters[(n,24)⍴1+66|⌊(65521|(⍳n×24)*2)÷13]
word[;1 2]←⍉2 n⍴'#$'[1+2|⍳n]
class←(26⍴1),(26⍴2),(10⍴3),4⍴4
code←(letters,'#$')⍳word
roll←{65521|⍺+31×⍵}/⌽code
kinds←{(class,5 5)[⍵]}code
digits←+/word∊'0123456789'
change←+/2≠/kinds
(+/roll),(⌈/roll),(roll⍳⌈/roll),+/digits
(⌈/change),(⌊/change),(+/change),≢∪roll
