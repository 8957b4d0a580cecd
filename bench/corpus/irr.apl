⍝ Internal rates of return of many projects by Newton's steps
n←50 ⍝ size: test 50, bench 30000
years←15
flow←(n,years)⍴100+900|⌊(1000003|(⍳n×years)*2)÷13
cost←-2000+500|(⍳n)*2
cf←cost,flow
npv←{+/⍺÷(1+⍵)*¯1+⍳≢⍺}
slope←{k←¯1+⍳≢⍺ ⋄ +/(-k×⍺)÷(1+⍵)*k+1}
irr←{f←⍵ ⋄ {⍵-(f npv ⍵)÷f slope ⍵}⍣8⊢0.1}
r←irr⍤1⊢cf
⌊0.5+1E6×(+/r÷n),(⌈/r),(⌊/r),r[1 2 3]
