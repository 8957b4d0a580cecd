⍝ Two dice thrown many times, by a generator whose seed is a variable that each draw changes
n←500 ⍝ size: test 500, bench 3000000
seed←42
∇ r←draw sides
  seed←2147483647|16807×seed
  r←1+sides|seed
∇
sums←12⍴0
doubles←0
:For i :In ⍳n
    a←draw 6
    b←draw 6
    sums[a+b]+←1
    doubles+←a=b
:EndFor
sums
doubles,seed,+/sums×⍳12
