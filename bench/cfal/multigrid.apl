⍝ MultiGrid of the NAS benchmarks: Poisson's equation in a cube without edges, by V-cycles
⍝ whose stencils have 27 points
n←8 ⍝ size: test 8, bench 128
cycles←2 ⍝ size: test 2, bench 4
A←¯8 0 0.5 0.25÷3              ⍝ weights of a cell, of neighbours at faces, edges, corners
S←(¯3÷8),(÷32),(¯1÷64),0
P←0.5 0.25 0.125 0.0625
near←{(1⌽[⍺]⍵)+¯1⌽[⍺]⍵}
stencil←{
    x←3 near ⍵ ⋄ y←2 near ⍵ ⋄ xy←2 near x
    (⍺[1]×⍵)+(⍺[2]×x+y+1 near ⍵)+(⍺[3]×xy+1 near x+y)+⍺[4]×1 near xy
}
coarse←{k←¯1+2×⍳2÷⍨≢⍵ ⋄ (P stencil ⍵)[k;k;k]}
fine←{
    m←≢⍵
    z←(m,m,2×m)⍴⍵,[3.5]0.5×⍵+1⌽[3]⍵
    z←(m,(2×m),2×m)⍴z,[2.5]0.5×z+1⌽[2]z
    (3⍴2×m)⍴z,[1.5]0.5×z+1⌽[1]z
}
cycle←{
    2=≢⍵:S stencil ⍵
    z←fine cycle coarse ⍵
    z+S stencil ⍵-A stencil z
}
i←⍳20
v←(n*3)⍴0
v[1+(n*3)|1+(i*3)×7919]←(10⍴1),10⍴¯1
v←n n n⍴v
u←{⍵+cycle v-A stencil ⍵}⍣cycles⊢n n n⍴0
r←v-A stencil u
⌊0.5+1E10×(((+/,r×r)÷n*3)*0.5),(⌈/,|r),(⌈/,u),⌊/,u
