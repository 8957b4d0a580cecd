⍝ Primes by counting divisors in a table of remainders (thesis, section 3.5.2)
n←100 ⍝ size: test 100, bench 10000, large 40000
a←1↓⍳n
primes←(1=+⌿0=a∘.|a)/a
(≢primes),(+/primes),⌈/primes
25↑primes
