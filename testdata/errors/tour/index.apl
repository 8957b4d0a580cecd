read←{⍵+0×?10}
n←read 4
v←⍳n
v[n+1]
