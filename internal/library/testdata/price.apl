⍝ What the tests of the library call.
rate←0.05
weights←0.1 0.2 0.3 0.4
names←'Ada' 'Grace'

⍝ The mean of a vector.
mean←+⌿÷≢ ⍝: <κ>n → double
⍝ The worth of a payment in ⍵ years.
price←{⍺×*-rate×⍵} ⍝: double → <double>n → <double>n
weigh←{⍝: [n,4]double → <double>n
    ⍵+.×weights
}
range←{(⌊/⍵)(⌈/⍵)(≢⍵)} ⍝: <double>n → (double, double, int)
parts←{((0>⍵)/⍵)((0≤⍵)/⍵)} ⍝: <int>n → (<int>m, <int>k)
pick←{⍺[⍵]} ⍝: <a>n → <int>m → <a>m
isprime←{⍵<2:0 ⋄ ∧/0≠(1↓⍳⌊⍵*0.5)|⍵} ⍝: int → bool
turn←{⌽⍵} ⍝: [int]r → [int]r
product←{⍺+.×⍵} ⍝: [n,m]double → [m,k]double → [n,k]double
root←{⍵*0.5} ⍝: complex → complex
steps←{+\⍵} ⍝: <int>n → <int>n
growth←{*⍵} ⍝: <double>n → <double>n
chosen←{(1+⍵>1)⊃⍵(*⍵×1000)} ⍝: double → double
dice←{?⍵⍴6} ⍝: int → <int>n
cube←{⍵×2} ⍝: [double]3 → [double]3
initial←{⊃⍵} ⍝: <char>n → char
fib←{⍵<2:⍵ ⋄ (∇⍵-1)+∇⍵-2} ⍝: int → int
free←{⍵} ⍝: bool → bool
len←{≢⍵} ⍝: <char>n → int
'this is no part of the library'
shown←{⎕←⍵ ⋄ ⍵} ⍝: int → int
