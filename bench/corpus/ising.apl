⍝ A magnet of spins: sweeps over black and white fields with a table of chances
n←16 ⍝ size: test 16, bench 1024
sweeps←5 ⍝ size: test 5, bench 20
spin←¯1+2×n n⍴2|⌊(⍳n×n)÷3
black←2|∘.+⍨⍳n
dice←n n⍴(65521|(⍳n×n)*2)÷65521
half←{
    s k←⍵
    near←(1⊖s)+(¯1⊖s)+(1⌽s)+¯1⌽s
    chance←*¯0.88×0⌈s×near
    flip←(black=2|k)∧chance>1|dice+0.618×k
    (s×1-2×flip)(k+1)
}
s k←half⍣(2×sweeps)⊢spin 0
(+/,s),(+/,s=1⌽s),k
