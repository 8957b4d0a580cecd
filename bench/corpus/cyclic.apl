⍝ The cyclic automaton: a cell that has a neighbour one colour ahead takes it
n←24 ⍝ size: test 24, bench 512
steps←10 ⍝ size: test 10, bench 300
c←8
world←c|⌊((1000003|(⍳n×n)*2)÷11)
world←n n⍴world
next←{
    up←c|1+⍵
    near←⊃∨/up∘=¨(1⊖⍵)(¯1⊖⍵)(1⌽⍵)(¯1⌽⍵)
    (near×up)+⍵×~near
}
end←next⍣steps⊢world
(+/,end),(+/,end=0),(+/,end≠1⌽end),+/,end≠world
