⍝ The day of the week, the day of the year, and days between dates
days←{
    ⍝ the number of a day (year month day), of Julian days
    (y m d)←⍵
    a←⌊(14-m)÷12
    y←y+4800-a
    m←m+(12×a)-3
    d+(⌊(2+153×m)÷5)+(365×y)+(⌊y÷4)-(⌊y÷100)+(-⌊y÷400)+32045
}
names←7 9⍴'Monday   Tuesday  WednesdayThursday Friday   Saturday Sunday   '
weekday←{names[1+7|days ⍵;]}
weekday 2000 1 1
weekday 1969 7 20
(days 2024 12 31)-days 2023 12 31
(days 2024 12 25)-days 2024 3 1
{1+(days ⍵)-days(⊃⍵)1 1}2024 3 1
