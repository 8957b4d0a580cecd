⍝ Most probable end of a hidden Markov chain: sums and maxima by a fold over the signals
n←100 ⍝ size: test 100, bench 200000
s←16
trans←-(s s⍴(31|(⍳s×s)*2)÷7)
emit←-(s 8⍴(29|(⍳s×8)*2)÷5)
signal←1+8|⌊(⍳n)÷3+5|⍳n
step←{emit[;⍺]+⌈/trans+⍤1⊢⍵}
end←⊃step/(⌽signal),⊂s⍴0
⌊0.5+1E3×(⌈/end),⌊/end
end⍳⌈/end
