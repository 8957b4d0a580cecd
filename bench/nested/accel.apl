⍝ Accelerations of particles: those of near cells one by one, far cells as one mass
n←60 ⍝ size: test 60, bench 20000
k←4 ⍝ size: test 4, bench 16
i←⍳n
x←(0.5+10007|i×i)÷10007
y←(0.5+10009|7919×i)÷10009
m←(1+16|i)÷16
cells←⍳k*2
cell←1+(⌊k×x)+k×⌊k×y
members←{⊂(1↓⍵)-k*2}⌸cells,cell
mass←{+/m[⍵]}¨members
cx←{(+/m[⍵]×x[⍵])÷1E¯9⌈+/m[⍵]}¨members
cy←{(+/m[⍵]×y[⍵])÷1E¯9⌈+/m[⍵]}¨members
side←{(k|cells-1)(⌊(cells-1)÷k)}⍬
near←{a b←side ⋄ ((1≥|a-a[⍵])∧1≥|b-b[⍵])/cells}¨cells
far←{cells~⍵}¨near
accel←{p←⍵
  q←∊members[⊃near[cell[p]]] ⋄ f←⊃far[cell[p]]
  dx←(x[q],cx[f])-x[p] ⋄ dy←(y[q],cy[f])-y[p]
  w←(m[q],mass[f])÷(1E¯4+(dx×dx)+dy×dy)*1.5
  (+/w×dx),+/w×dy}
a←↑accel¨⍳n
⌊0.5+1E3×(+⌿|a),(⌈⌿a),a[1;]
