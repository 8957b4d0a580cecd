⍝ Balance after each movement of an account, movements of all accounts mixed
n←7000 ⍝ size: test 7000, bench 1600000
i←⍳n
acct←1+20000|⌊(2147483647|7919×i×i)÷3
amount←¯500+1001|⌊(1000003|i×31+i)÷5
where←{⊂⍵}⌸acct
runs←{+\amount[⍵]}¨where
bal←n⍴0
bal[∊where]←∊runs
low←⌊/¨runs
final←⊃¨⌽¨runs
(≢where),(+/bal),(⌊/low),(+/final),+/final<0
bal[1000×⍳5]
