⍝ Predators and prey from many beginnings: Runge and Kutta's fourth order
n←20 ⍝ size: test 20, bench 20000
steps←50 ⍝ size: test 50, bench 400
h←0.01
slope←{x y←⍵ ⋄ (x×1.1-0.4×y)(y×¯0.4+0.1×x)}
step←{
    k1←slope ⍵
    k2←slope ⍵+k1×h÷2
    k3←slope ⍵+k2×h÷2
    k4←slope ⍵+k3×h
    ⍵+(k1+(2×k2+k3)+k4)×h÷6
}
x y←step⍣steps⊢(10+(⍳n)÷n)(5+(⌽⍳n)÷n)
⌊0.5+1E6×(+/x)(+/y)(⌈/x)(⌊/y)÷n n 1 1
