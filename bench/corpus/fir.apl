⍝ A filter of 16 taps over a signal, by windows; crossings of zero before and after
n←100 ⍝ size: test 100, bench 4000000
taps←{⍵÷+/⍵}1-2*⍨((⍳16)-8.5)÷10
signal←¯500+1000|⌊(65521|(⍳n)*2)÷3
smooth←⊃+/taps×(⌽¯1+⍳16)↓¨(-¯1+⍳16)↓¨16⍴⊂signal
(+/2≠/×signal)(+/2≠/×smooth)
⌊0.5+1E3×(⌈/smooth),(⌊/smooth),(+/smooth)÷≢smooth
