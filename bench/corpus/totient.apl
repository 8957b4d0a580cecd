⍝ Euler's totients up to n by a sieve in a loop
n←1000 ⍝ size: test 1000, bench 3000000
∇ phi←Totients n;p
  phi←⍳n
  :For p :In 1↓⍳n
      :If phi[p]=p
          phi[p×⍳⌊n÷p]-←phi[p×⍳⌊n÷p]÷p
      :EndIf
  :EndFor
∇
phi←Totients n
(+/phi),(+/phi=1+⍳n),phi[n]
