⍝ A loan paid back in equal rates: interest, repayment and what is left, each year
sum←10000 ⋄ rate←0.04 ⋄ years←8
payment←sum×rate÷1-(1+rate)*-years
left←{(⍵×1+rate)-payment}
balance←⍬{⍵=0:⍺ ⋄ (⍺,left⊃(⌽⍺),sum)∇ ⍵-1}years
before←sum,¯1↓balance
interest←before×rate
'year  interest repayment      left'
(4 0⍕⍪⍳years),10 2⍕interest,(payment-interest),⍪|balance
'paid ',(10 2⍕years×payment),' of it interest ',10 2⍕+/interest
