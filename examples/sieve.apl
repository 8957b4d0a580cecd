⍝ The primes up to 100 by the sieve of Eratosthenes
n←100
cross←{
    (sieve k)←⍵
    sieve[k×1+⍳¯1+⌊n÷k]←0
    sieve(k+1)
}
sieve←⊃cross⍣(¯1+⌊n*0.5)⊢(0,1↓n⍴1)2
⍸sieve
+/sieve
