⍝ Primitives that are derived from others. Index origin is 1 here. The compiler
⍝ expands a definition where the primitive is used, and reports faults there.

⍝ f⌸y: f of each unique element and its positions
key←{
    y←⍵
    f←⍺⍺
    {⍵ f ⍸y=⍵}⍤0⊢∪y
}

⍝ x f⌸y: f of each unique element of x and the elements of y where x has it
keyof←{
    x←⍺
    y←⍵
    f←⍺⍺
    {⍵ f(x=⍵)⌿y}⍤0⊢∪x
}

⍝ f⌺r of a vector: f of the padding and the window of r elements around each
stencil1←{
    f←⍺⍺
    r←⊃⍵⍵,⍬
    a←⌊r÷2
    n←≢⍵
    p←(-n+2×a)↑(n+a)↑⍵
    {(,(0⌈1+a-⍵)-0⌈(⍵+a)-n)f p[(⍵-1)+⍳r]}¨⍳n
}

⍝ f⌺r c of a matrix
stencil2←{
    f←⍺⍺
    (r c)←⍵⍵
    a←⌊r÷2
    b←⌊c÷2
    (n m)←⍴⍵
    p←(-(n+2×a),m+2×b)↑((n+a),m+b)↑⍵
    (⍳n)∘.{
        pad←((0⌈1+a-⍺)-0⌈(⍺+a)-n),(0⌈1+b-⍵)-0⌈(⍵+b)-m
        pad f p[(⍺-1)+⍳r;(⍵-1)+⍳c]
    }⍳m
}

⍝ ⎕DR y of integers and of characters
drint←{
    a←⌊/0,,⍵
    b←⌈/0,,⍵
    (a≥0)∧b≤1:11
    (a≥¯128)∧b≤127:83
    (a≥¯32768)∧b≤32767:163
    (a≥¯2147483648)∧b≤2147483647:323
    645
}
drchar←{
    b←⌈/0,⎕UCS,⍵
    b≤255:80
    b≤65535:160
    320
}

⍝ What ⍸ needs: y, an ascending vector, and y without negative numbers
ascending←{1∊(¯1↓⍵)>1↓⍵:'the left argument does not ascend'⎕SIGNAL 11 ⋄ ⍵}
ascendingtext←{1∊(¯1↓⎕UCS ⍵)>1↓⎕UCS ⍵:'the left argument does not ascend'⎕SIGNAL 11 ⋄ ⍵}
counts←{1∊⍵<0:'a count is negative'⎕SIGNAL 11 ⋄ ⍵}

⍝ Inverses. Of functions of one argument:
undopi←{⍵÷○1}
undowhere←{+⌿⍵∘.=⍳⌈/0,⍵}
half←{⍵÷2}
root←{⍵*0.5}

⍝ of scans along the first axis:
differ←{⍵-0⍪¯1↓⍵}
alternate←{(⍵-0⍪¯1↓⍵)×⍤¯1⍨(≢⍵)⍴1 ¯1}
ratios←{⍵÷1⍪¯1↓⍵}
changes←{⍵≠0⍪¯1↓⍵}
sames←{⍵=1⍪¯1↓⍵}

⍝ and y of x and of x f y or y f x
minus←{⍵-⍺}
over←{⍵÷⍺}
unturn←{(-⍺)⌽⍵}
unturnfirst←{(-⍺)⊖⍵}
unround←{(-⍺)○⍵}
rootof←{⍵*÷⍺}
baseof←{⍺*÷⍵}

⍝ as many digits to base ⍺ as the greatest of the numbers ⍵ needs
digits←{
    (⍺≤1)∨0>⌊/0,,⍵:'digits of a negative number, or to a base that is not greater than 1'⎕SIGNAL 11
    b←⍺
    m←⌈/0,,⍵
    n←({(k v)←⍵ ⋄ (k+1)(⌊v÷b)}⍣{0=2⊃⍺})0 m
    ((⊃n)⍴b)⊤⍵
}
