⍝ Fast Fourier transform of 2*bits points by Stockham's algorithm, which needs
⍝ no reordering; row 1 holds the real parts, row 2 the imaginary parts
bits←6 ⍝ size: test 6, bench 20
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r
n←⌊2*bits

⍝ One pass over blocks of m points: ⍺ is the number of pairs of blocks
pass←{⍝: int → [double]2 → [double]2
    m←⌊n÷2×⍺
    half←⌊n÷2
    a←(2,⍺,m)⍴(2,half)↑⍵
    b←(2,⍺,m)⍴(0,half)↓⍵
    d←a-b
    angle←(○¯1+⍳⍺)÷⍺
    c←⍉(m,⍺)⍴2○angle
    s←⍉(m,⍺)⍴1○angle
    re←(d[1;;]×c)+d[2;;]×s
    im←(d[2;;]×c)-d[1;;]×s
    (2,n)⍴(a+b),(2,⍺,m)⍴(,re),,im
}

fft←{⍝: int → [double]2 → [double]2
    ⍺<1:⍵
    (⌊⍺÷2)∇ ⍺ pass ⍵
}

i←⍳n
x←(2,n)⍴((1009|i×i)÷1009),(997|7×i)÷997
y←(⌊n÷2)fft x

⍝ Energy before and after; some frequencies
6 round(+/,x×x),(+/,y×y)÷n
6 round y[;1]
6 round y[1;1+⍳4]
6 round y[2;n-⍳4]
