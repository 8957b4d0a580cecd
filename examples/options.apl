⍝ Prices of European call and put options after Black and Scholes
spot←100 ⋄ rate←0.05 ⋄ sigma←0.2 ⋄ years←1
strikes←80+10×0,⍳4
cdf←{
    ⍝ the normal distribution, after Abramowitz and Stegun 26.2.17
    t←÷1+0.2316419×|⍵
    tail←(*-0.5×⍵*2)×t×0.31938153+t×¯0.356563782+t×1.781477937+t×¯1.821255978+t×1.330274429
    tail←tail÷(○2)*0.5
    ((⍵≥0)×1-tail)+(⍵<0)×tail
}
d1←((⍟spot÷strikes)+years×rate+0.5×sigma*2)÷sigma×years*0.5
d2←d1-sigma×years*0.5
discounted←strikes×*-rate×years
call←(spot×cdf d1)-discounted×cdf d2
put←call+discounted-spot
'  strike    call     put'
8 2⍕⍉↑strikes call put
