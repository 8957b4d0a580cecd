⍝ The primes below 50, by a table of remainders
primes←{(2=+⌿0=(⍳⍵)∘.|⍳⍵)/⍳⍵}
primes 50
