⍝ European calls and puts by the formula of Black and Scholes, with the
⍝ polynomial normal distribution (Abramowitz and Stegun, 26.2.17).
n←1000 ⍝ size: test 1000, bench 10000000
rate←0.02
vol←0.3
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

normal←{⍝: [double]r → [double]r
    k←÷1+0.2316419×|⍵
    p←k×0.31938153+k×¯0.356563782+k×1.781477937+k×¯1.821255978+k×1.330274429
    |(⍵≥0)-p×0.3989422804014327×*¯0.5×⍵×⍵
}

i←⍳n
spot←5+25×(1009|i)÷1009
strike←1+99×(997|i)÷997
time←0.25+9.75×(499|i)÷499

sd←vol×time*0.5
d1←((⍟spot÷strike)+time×rate+0.5×vol×vol)÷sd
d2←d1-sd
paid←strike×*-rate×time
call←(spot×normal d1)-paid×normal d2
put←(paid×normal-d2)-spot×normal-d1

6 round((+/call)÷n),((+/put)÷n),(⌈/call),⌈/put
6 round 5↑call
6 round 5↑put
