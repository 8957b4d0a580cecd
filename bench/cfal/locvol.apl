⍝ Local volatility calibration, as in FinPar: for many strikes steps back in time over a grid of
⍝ prices and volatilities, implicit along one axis, then along the other
outer←2 ⍝ size: test 2, bench 32
nx←8 ⍝ size: test 8, bench 64
ny←6 ⍝ size: test 6, bench 32
nt←4 ⍝ size: test 4, bench 64
s0 t alpha nu beta←0.03 5 0.2 0.6 0.5
dx←20×alpha×s0×(t*0.5)÷nx
dy←10×nu×(t*0.5)÷ny
ix←⌊s0÷dx ⋄ iy←⌊ny÷2
x←s0+dx×(¯1+⍳nx)-ix
y←(⍟alpha)+dy×(¯1+⍳ny)-iy
time←t×(¯1+⍳nt)÷nt-1
edges←{0⍪⍵⍪0}                       ⍝ nothing flows at the ends of the first axis
diff←{edges(2↓⍵)+(¯2↓⍵)-2×1↓¯1↓⍵}   ⍝ second differences along it
∇ z←abc tridag z;a;b;c;f;i;n
  a b c←abc ⋄ n←≢z
  :For i :In 1+⍳n-1
      f←a[i;;]÷b[i-1;;]
      b[i;;]←b[i;;]-f×c[i-1;;]
      z[i;;]←z[i;;]-f×z[i-1;;]
  :EndFor
  z[n;;]←z[n;;]÷b[n;;]
  :For i :In ⌽⍳n-1
      z[i;;]←(z[i;;]-c[i;;]×z[i+1;;])÷b[i;;]
  :EndFor
∇
back←{                              ⍝ ⍵: values by price, volatility, strike; ⍺: the step
    dt←÷time[⍺+1]-time[⍺]
    vx←*2×((beta×⍟x)∘.+y)-0.5×time[⍺]×nu*2
    kx←vx÷4×dx*2                    ⍝ half of half of the variance
    ky←(nu*2)÷4×dy*2
    ex←(diff ⍵)×[1 2]kx
    ey←2×ky×2 1 3⍉diff 2 1 3⍉⍵
    u←(dt×⍵)+ex+ey
    m←(edges 1↓¯1↓kx)∘.×outer⍴1
    u←((-m)(dt+2×m)(-m))tridag u
    w←2 1 3⍉(dt×u)-0.5×ey
    m←(⍴w)⍴ky ⋄ m[1 ny;;]←0
    2 1 3⍉((-m)(dt+2×m)(-m))tridag w
}
v←0⌈(x∘.+ny⍴0)∘.-0.001×¯1+⍳outer
v←⊃{⍺ back ⍵}/(⍳nt-1),⊂v
⌊0.5+1E9×2↑v[ix+1;iy+1;]
⌊0.5+1E6×(+/,v),(⌈/,v),⌊/,v
