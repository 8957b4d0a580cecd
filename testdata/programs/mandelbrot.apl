⍝ The Mandelbrot set without complex numbers: three planes hold the real
⍝ parts, the imaginary parts and the number of steps inside radius 2.
n←32 ⍝ size: test 32, bench 1000
steps←50 ⍝ size: test 50, bench 255
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

re←(n,n)⍴¯2.25+3×(⍳n)÷n
im←⍉(n,n)⍴¯1.5+3×(⍳n)÷n

step←{⍝: [n,m,k]double → [n,m,k]double
    x←⍵[1;;]
    y←⍵[2;;]
    in←4≥(x×x)+y×y
    u←re+(x×x)-y×y
    v←im+2×x×y
    (⍴⍵)⍴(,(in×u)+x×~in),(,(in×v)+y×~in),,in+⍵[3;;]
}

planes←(step⍣steps)(3,n,n)⍴0
count←planes[3;;]
3 round((+/,count)÷n×n),((+/,count=steps)÷n×n),⌊/,count
part←(⌊n÷8)×⍳8
count[part;part]
