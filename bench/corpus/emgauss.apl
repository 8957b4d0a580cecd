⍝ Expectation and maximisation for three Gaussians on a line
n←300 ⍝ size: test 300, bench 60000
u←(1000003|(⍳n)*2)÷1000003
w←(1000003|7919×(⍳n)*2)÷1000003
x←(5×3|⍳n)+((¯2×⍟u+1E¯6)*0.5)×2○w×○2
density←{mu sd←⍵ ⋄ (*-0.5×((⍺∘.-mu)÷[2]sd)*2)÷[2]sd×(○2)*0.5}
em←{
    pi mu sd←⍵
    p←pi×⍤1⊢x density mu sd
    g←p÷[1]+/p
    N←+⌿g
    m←(x+.×g)÷N
    v←(+⌿g×(x∘.-m)*2)÷N
    (N÷n)m(v*0.5)
}
pi mu sd←em⍣20⊢(3⍴÷3)(1 4 9)(1 1 1)
ll←+/⍟+/pi×⍤1⊢x density mu sd
⌊0.5+1E4×pi,mu,sd,ll÷n
