⍝ Steps until points of the plane leave the circle of radius 2, in complex numbers
n←24 ⍝ size: test 24, bench 500
steps←30 ⍝ size: test 30, bench 100
c←¯0.8J0.156
axis←1.6×¯1+2×(¯0.5+⍳n)÷n
z←(0J1×axis)∘.+axis
count←{
    0=⍺:⍵
    z k←⍵
    in←2>|z
    (⍺-1)∇((in×c+z*2)+z×~in)(k+in)
}
z k←steps count z(n n⍴0)
(+/,k),(⌈/,k),(+/,k=steps),k[n÷2;n÷2]
