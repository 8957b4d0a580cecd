⍝ HotSpot of the Rodinia suite: temperatures of a processor's die, in steps of
⍝ a difference equation; the edges see themselves as their neighbours.
n←32 ⍝ size: test 32, bench 512, large 1024
steps←20 ⍝ size: test 20, bench 360
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

thick←0.0005            ⍝ of the chip, in metres
side←0.016÷n            ⍝ of a grid cell
conduct←100             ⍝ thermal conductivity of silicon
heat←0.5×1750000        ⍝ specific heat, times the fitting factor
ambient←80
capacity←heat×thick×side×side
rx←side÷2×conduct×thick×side
ry←side÷2×conduct×thick×side
rz←thick÷conduct×side×side
slope←3000000÷heat×thick
time←(0.001÷slope)÷1000
scale←time÷capacity

i←⍳n×n
temp←(n,n)⍴323+20×(1009|i×i)÷1009
power←(n,n)⍴0.001×(997|7×i)÷997

step←{⍝: [double]2 → [double]2
    north←⍵[1;]⍪¯1 0↓⍵
    south←(1 0↓⍵)⍪⍵[n;]
    west←⍵[;1],0 ¯1↓⍵
    east←(0 1↓⍵),⍵[;n]
    flow←(((north+south)-2×⍵)÷ry)+(((east+west)-2×⍵)÷rx)+(ambient-⍵)÷rz
    ⍵+scale×power+flow
}

end←(step⍣steps)temp
5 round((+/,end)÷n×n),(⌈/,end),⌊/,end
5 round end[1;⍳5]
5 round end[n;⍳5]
