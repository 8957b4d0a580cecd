⍝ Numbers with sign, digits, point and exponent, found by a table of states over a text
n←300 ⍝ size: test 300, bench 10000000
text←'0123456789.-e ,'[1+15|(⍳n)+⌊(65521|(⍳n)*2)÷11]
class←(10⍴1),2 3 4 5 5
t←6 5⍴2 6 3 6 1  2 4 6 5 1  2 6 6 6 1  4 6 6 5 1  4 6 5 6 1  6 6 6 6 1
next←{t[⍺;⍵]}
state←{⍺>n:⍵ ⋄ (s ok bad)←⍵ ⋄ c←class['0123456789.-e ,'⍳text[⍺]] ⋄ e←c=5 ⋄ g←s∊2 4 ⋄ (⍺+1)∇(s next c)(ok+e∧g)(bad+e∧s=6)}
(s ok bad)←1 state 1 0 0
s,ok,bad
