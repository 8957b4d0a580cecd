⍝ Nearest neighbours, as in Rodinia: of many places on the globe the few nearest to one, a
⍝ minimum a time
n←100 ⍝ size: test 100, bench 855280
k←10 ⍝ size: test 10, bench 100
lat←¯90+180×(10007|(⍳n)*2)÷10007
lng←¯180+360×(10009|7×⍳n)÷10009
d←((lat-30)*2)+(lng-90)*2
near←{d at←⍵ ⋄ k=≢at:at ⋄ i←d⍳⌊/d ⋄ d[i]←1E300 ⋄ ∇d(at,i)}
at←near d ⍬
⌊0.5+1E6×(+/d[at]*0.5),d[at[k]]*0.5
(+/at),at[1],at[k]
