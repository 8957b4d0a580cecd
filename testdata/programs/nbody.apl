⍝ Gravity between n bodies, all pairs, with softening; positions (rows 1 to 3)
⍝ and velocities (rows 4 to 6) in one matrix
n←32 ⍝ size: test 32, bench 4096
steps←10 ⍝ size: test 10, bench 4
dt←0.01
soft←0.01
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

i←⍳3×n
place←(3,n)⍴¯1+2×(1009|i×i)÷1009
speed←(3,n)⍴¯0.1+0.2×(997|7×i)÷997
mass←(1+7|⍳n)÷7×n

step←{⍝: [double]2 → [double]2
    x←⍵[1;]
    y←⍵[2;]
    z←⍵[3;]
    dx←x∘.-x
    dy←y∘.-y
    dz←z∘.-z
    r←soft+(dx×dx)+(dy×dy)+dz×dz
    w←÷r×r*0.5
    ax←(dx×w)+.×mass
    ay←(dy×w)+.×mass
    az←(dz×w)+.×mass
    v←⍵[4 5 6;]-dt×(3,n)⍴ax,ay,az
    (⍵[1 2 3;]+dt×v)⍪v
}

end←(step⍣steps)place⍪speed
energy←0.5×+/mass×+⌿end[4 5 6;]*2
8 round energy
6 round end[;1]
6 round end[;n]
