⍝ Days of the week and of the year of many dates, from day numbers
n←300 ⍝ size: test 300, bench 5000000
day←719468+18250+⌊(⍳n)×3.25
era←⌊day÷146097
doe←day-era×146097
yoe←⌊((doe-⌊doe÷1460)+(⌊doe÷36524)-⌊doe÷146096)÷365
doy←doe-(365×yoe)+(⌊yoe÷4)-⌊yoe÷100
mp←⌊(2+5×doy)÷153
d←1+doy-⌊(2+153×mp)÷5
m←mp+3-12×mp≥10
y←yoe+(400×era)+m≤2
wd←7|3+day
friday13←(wd=5)∧d=13
(+/friday13),(+/m=2),(⌈/y),(+/d),+/wd
+/(d=29)∧m=2
