⍝ Connected parts of a network in which each node knows four others: the least label spreads
n←50 ⍝ size: test 50, bench 20000
i←⍳n
near←⍉↑(1+n|i+3)(1+n|i+n-5)(1⌈i-7×0=3|i)(n⌊i+11×0=5|i)
label←{⍵⌊⌊/⍵[near]}⍣≡⊢7+6|⍳n
parts←∪label
(≢parts),(+/label),⌈/label
steps←{⍺←0 ⋄ new←⍵⌊⌊/⍵[near] ⋄ new≡⍵:⍺ ⋄ (⍺+1)∇new}⌽⍳n
steps
