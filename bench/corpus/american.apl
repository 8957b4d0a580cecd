⍝ American puts by binomial trees, for many strikes
steps←20 ⍝ size: test 20, bench 500
strikes←80+⍳64
s0←100 ⋄ r←0.03 ⋄ sigma←0.25 ⋄ t←1
dt←t÷steps
u←*sigma×dt*0.5 ⋄ d←÷u
p←((*r×dt)-d)÷u-d
disc←*-r×dt
put←{
    k←⍵
    prices←{s0×(u*⍵-i)×d*i←¯1+⍳⍵+1}
    back←{⍺<0:⊃⍵ ⋄ (⍺-1)∇(0⌈k-prices ⍺)⌈disc×(p×¯1↓⍵)+(1-p)×1↓⍵}
    (steps-1)back 0⌈k-prices steps
}
v←put¨strikes
⌊0.5+1E6×(+/v),(⌈/v),v[1 20]
