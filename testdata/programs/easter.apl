⍝ Easter Sunday in the Gregorian calendar (Knuth, The Art of Computer
⍝ Programming, volume 1, section 1.3.2, exercise 14), as 100×month + day.
n←3000 ⍝ size: test 3000, bench 10000000

easter←{⍝: [int]r → [int]r
    golden←1+19|⍵
    century←1+⌊⍵÷100
    leaps←¯12+⌊(3×century)÷4            ⍝ leap years dropped
    moon←¯5+⌊(5+8×century)÷25           ⍝ correction of the moon's orbit
    sunday←(⌊(5×⍵)÷4)-leaps+10
    e←30|20+(11×golden)+moon-leaps
    epact←e+(e=24)∨(e=25)∧golden>11
    full←(30×epact>23)+44-epact         ⍝ full moon, in days of March
    day←full+7-7|sunday+full
    april←day>31
    (300+100×april)+day-31×april
}

dates←easter ⍳n
(+/dates),(⌊/dates),⌈/dates
+⌿dates∘.=322 331 401 425
easter 1999+⍳10
