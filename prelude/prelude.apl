⍝ Primitives that are derived from others. Index origin is 1 here. The compiler
⍝ expands a definition where the primitive is used, and reports faults there; ⎕SIGNAL
⍝ takes the number of a code of docs/errors.md.

⍝ The unique major cells of keys, the positions of all in the order of their keys, and
⍝ how many of them lie before those of each key, and how many it has.
groups←{
    y←⍵
    1=≢⍴y:{
        (i b e)←(≢⍵)parted ⍵⍳y
        ⍵ i b e
    }∪y
    p←y⍳y
    i←⍋p
    q←p[i]
    b←⍸0<(≢q)↑1,(1↓q)≠¯1↓q
    ((⊂q[b])⌷y)i(b-1)((1↓b,1+≢q)-b)
}

⍝ The positions of all in the order of the groups ⍵, which are 1 … ⍺, and how many of them lie before those of each
⍝ group, and how many it has
parted←{
    e←(⍺⍴0)+modify ⍵((≢⍵)⍴1)
    (⍋⍵)(offsets e)e
}

⍝ one number for two of 1 … ⍺, and groups without the elements that are not marked, which are in group ⍺
paired←{(p q)←⍵ ⋄ q+(1+⍺)×p}
idswhere←{(p m)←⍵ ⋄ ⍺-m×⍺-p}

⍝ o f⌸y: f of each unique major cell and its positions, counted from 1+o
key←{
    f←⍺⍺
    (u i b e)←groups ⍵
    i←i+⍺
    {(⍵⌷u)f(i b e)(22⌶)⍵}⍤0⊢⍳≢b
}

⍝ x f⌸y: f of each unique major cell of x and the cells of y where x has it
keyof←{
    f←⍺⍺
    (≢⍺)≠≢⍵:'there are other numbers of keys and of values'⎕SIGNAL 300
    (u i b e)←groups ⍺
    y←(⊂i)⌷⍵
    1=≢⍴y:{(⍵⌷u)f(y b e)(22⌶)⍵}⍤0⊢⍳≢b
    {(⍵⌷u)f(⊂b[⍵]+⍳e[⍵])⌷y}⍤0⊢⍳≢b
}

⍝ values of as many elements as there are keys
likekeys←{
    (≢⍺)≠≢⍵:'there are other numbers of keys and of values'⎕SIGNAL 300
    ⍵
}

⍝ f of each number up to ⍵
ofeach←{⍺⍺⍤0⊢⍳⍵}

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

⍝ f⌺ with windows of any sizes (the first numbers of the right operand) at any
⍝ steps (the others) along the leading axes: one, two and three of them
steps1←{
    f←⍺⍺
    (r s)←⍵⍵
    a←⌊(r-1)÷2
    m←≢⍵
    n←0⌈1+⌊(m+(2×a)-r)÷s
    p←(-m+2×a)↑(m+a)↑⍵
    {
        b←s×⍵-1
        (,(0⌈a-b)-0⌈(b+r)-a+m)f(⊂b+⍳r)⌷p
    }¨⍳n
}
steps2←{
    f←⍺⍺
    (r c s t)←⍵⍵
    a←⌊(r-1)÷2
    b←⌊(c-1)÷2
    (m n)←2↑⍴⍵
    i←0⌈1+⌊(m+(2×a)-r)÷s
    j←0⌈1+⌊(n+(2×b)-c)÷t
    p←(-(m+2×a),n+2×b)↑((m+a),n+b)↑⍵
    (⍳i)∘.{
        k←s×⍺-1
        l←t×⍵-1
        pad←((0⌈a-k)-0⌈(k+r)-a+m),(0⌈b-l)-0⌈(l+c)-b+n
        pad f((k+⍳r)(l+⍳c))⌷p
    }⍳j
}
steps3←{
    f←⍺⍺
    (r c d s t u)←⍵⍵
    a←⌊(r-1)÷2
    b←⌊(c-1)÷2
    v←⌊(d-1)÷2
    (m n o)←3↑⍴⍵
    i←0⌈1+⌊(m+(2×a)-r)÷s
    j←0⌈1+⌊(n+(2×b)-c)÷t
    h←0⌈1+⌊(o+(2×v)-d)÷u
    p←(-(m+2×a),(n+2×b),o+2×v)↑((m+a),(n+b),o+v)↑⍵
    {
        k←s×⍵-1
        (⍳j)∘.{
            l←t×⍺-1
            w←u×⍵-1
            pad←((0⌈a-k)-0⌈(k+r)-a+m),((0⌈b-l)-0⌈(l+c)-b+n),(0⌈v-w)-0⌈(w+d)-v+o
            pad f((k+⍳r)(l+⍳c)(w+⍳d))⌷p
        }⍳h
    }⍤0⊢⍳i
}

steps4←{
    f←⍺⍺
    (r1 r2 r3 r4 s1 s2 s3 s4)←⍵⍵
    a←⌊(r1-1)÷2
    b←⌊(r2-1)÷2
    c←⌊(r3-1)÷2
    d←⌊(r4-1)÷2
    (m1 m2 m3 m4)←4↑⍴⍵
    n1←0⌈1+⌊(m1+(2×a)-r1)÷s1
    n2←0⌈1+⌊(m2+(2×b)-r2)÷s2
    n3←0⌈1+⌊(m3+(2×c)-r3)÷s3
    n4←0⌈1+⌊(m4+(2×d)-r4)÷s4
    p←(-(m1+2×a),(m2+2×b),(m3+2×c),m4+2×d)↑((m1+a),(m2+b),(m3+c),m4+d)↑⍵
    {
        i←s1×⍵-1
        {
            j←s2×⍵-1
            (⍳n3)∘.{
                k←s3×⍺-1
                l←s4×⍵-1
                pad←((0⌈c-k)-0⌈(k+r3)-c+m3),(0⌈d-l)-0⌈(l+r4)-d+m4
                pad←((0⌈a-i)-0⌈(i+r1)-a+m1),((0⌈b-j)-0⌈(j+r2)-b+m2),pad
                pad f((i+⍳r1)(j+⍳r2)(k+⍳r3)(l+⍳r4))⌷p
            }⍳n4
        }⍤0⊢⍳n2
    }⍤0⊢⍳n1
}

⍝ v⍉y where v is known only when the program runs, of matrices and of arrays of
⍝ rank 3
reorder2←{
    ⍺≡1 2:⍵
    ⍺≡2 1:⍉⍵
    'the left argument of ⍉ is no permutation of the axes; others must be known when compiling'⎕SIGNAL 600
}
reorder3←{
    ⍺≡1 2 3:⍵
    ⍺≡1 3 2:1 3 2⍉⍵
    ⍺≡2 1 3:2 1 3⍉⍵
    ⍺≡2 3 1:2 3 1⍉⍵
    ⍺≡3 1 2:3 1 2⍉⍵
    ⍺≡3 2 1:⍉⍵
    'the left argument of ⍉ is no permutation of the axes; others must be known when compiling'⎕SIGNAL 600
}

⍝ x⎕DR y through bytes and bits: those of integers and characters, the least
⍝ significant byte first, the most significant bit of each byte first
intbytes←{
    a←⌊/0,,⍵
    b←⌈/0,,⍵
    (a<¯2147483648)∨b>2147483647:'⎕DR of integers that do not fit in 32 bits'⎕SIGNAL 600
    w←1+(a<¯128)∨b>127
    w←w+2×(a<¯32768)∨b>32767
    ,⍉⊖(w⍴256)⊤,⍵
}
charbytes←{
    b←⌈/0,⎕UCS,⍵
    w←(1+b>255)+2×b>65535
    ,⍉⊖(w⍴256)⊤⎕UCS,⍵
}
bytebits←{,⍉(8⍴2)⊤⍵}
bitsofint←{(∧/0≤,⍵)∧∧/1≥,⍵:,⍵ ⋄ bytebits intbytes ⍵}
bitsofchar←{bytebits charbytes ⍵}
bitbytes←{0≠8|≢⍵:'the bits do not make whole bytes'⎕SIGNAL 300 ⋄ 2⊥⍉(((≢⍵)÷8),8)⍴⍵}
words←{0≠⍺|≢⍵:'the bytes do not make whole elements'⎕SIGNAL 300 ⋄ 256⊥⊖⍉(((≢⍵)÷⍺),⍺)⍴⍵}
frombits←{
    m←×/⍺⍴256
    v←⍺ words bitbytes ⍵
    v-m×m≤2×v
}
frombitschar←{⎕UCS ⍺ words bitbytes ⍵}

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

⍝ What x⍋y grades where x has several axes: for every major cell of y the places
⍝ of its characters on the last axis of x, then on the one before it, and so on.
⍝ A character that stands at several places counts as being at the least of each
⍝ axis; one that stands nowhere comes behind the others.
attributes←{
    f←,⍺
    c←(1+(⍴⍺)⊤¯1+⍳≢f)⌊.+(≢f)×f∘.≠f
    2 1 3⍉(⊖c,1+⍴⍺)[;f⍳((≢⍵),×/1↓⍴⍵)⍴⍵]
}

⍝ Characters in the encodings of ⎕UCS, and back
toutf8←{
    c←⎕UCS,⍵
    n←1+(c>127)+(c>2047)+c>65535
    i←n/⍳≢c
    m←n[i]
    k←(⍳≢i)-((+\n)-n)[i]
    v←⌊c[i]÷64*m-k
    ((m=1)×v)+(((k=1)∧m>1)×v+256-2*8-m)+(k>1)×128+64|v
}
fromutf8←{
    b←,⍵
    1∊(b<0)∨b>247:'this is not UTF-8'⎕SIGNAL 600
    s←⍸(b<128)∨b≥192
    h←b[s]
    n←1+(h≥192)+(h≥224)+h≥240
    (≢b)≠+/n:'this is not UTF-8'⎕SIGNAL 600
    1∊s≠1+(+\n)-n:'this is not UTF-8'⎕SIGNAL 600
    p←b,128 128 128
    v←h-0 192 224 240[n]
    v←((n>1)×(64×v)+p[1+s]-128)+(n=1)×v
    v←((n>2)×(64×v)+p[2+s]-128)+(n≤2)×v
    v←((n>3)×(64×v)+p[3+s]-128)+(n≤3)×v
    1∊(v<0 128 2048 65536[n])∨v>1114111:'this is not UTF-8'⎕SIGNAL 600
    ⎕UCS v
}
signedbytes←{⍵-256×⍵>127}
unsignedbytes←{1∊(⍵<¯128)∨⍵>127:'this is not UTF-8'⎕SIGNAL 600 ⋄ 256|⍵}
toutf16←{
    c←⎕UCS,⍵
    n←1+c>65535
    i←n/⍳≢c
    v←c[i]
    w←n[i]=2
    k←(⍳≢i)-((+\n)-n)[i]
    (v×~w)+((w∧k=1)×55296+⌊(v-65536)÷1024)+(w∧k=2)×56320+1024|v
}
fromutf16←{
    b←,⍵
    1∊(b<0)∨b>65535:'this is not UTF-16'⎕SIGNAL 600
    h←(b≥55296)∧b<56320
    l←(b≥56320)∧b<57344
    1∊(l,0)≠0,h:'this is not UTF-16'⎕SIGNAL 600
    s←⍸~l
    p←b,0
    ⎕UCS(b[s]×~h[s])+h[s]×65536+(1024×b[s]-55296)+p[1+s]-56320
}

⍝ What ⍸ needs: y, an ascending vector, and y without negative numbers
ascending←{1∊(¯1↓⍵)>1↓⍵:'the left argument does not ascend'⎕SIGNAL 600 ⋄ ⍵}
ascendingtext←{1∊(¯1↓⎕UCS ⍵)>1↓⎕UCS ⍵:'the left argument does not ascend'⎕SIGNAL 600 ⋄ ⍵}
counts←{1∊⍵<0:'a count is negative'⎕SIGNAL 603 ⋄ ⍵}

⍝ 2 f⌿y and ¯2 f⌿y
pairs←{0=≢⍵:'windows of 2 on an axis of 0'⎕SIGNAL 306 ⋄ (¯1↓⍵)⍺⍺¨1↓⍵}
swappedpairs←{0=≢⍵:'windows of 2 on an axis of 0'⎕SIGNAL 306 ⋄ (1↓⍵)⍺⍺¨¯1↓⍵}

⍝ the numbers of the windows of ⍺ items of ⍵
windownumbers←{⍺>1+⍵:('windows of ',(⍕⍺),' on an axis of ',⍕⍵)⎕SIGNAL 306 ⋄ ⍳0⌈1+⍵-⍺}

⍝ Inverses. Of functions of one argument:
undopi←{⍵÷○1}
undowhere←{
    (1∊⍵<1)∨1∊(1↓⍵)<¯1↓⍵:'positions that are not in order'⎕SIGNAL 600
    n←⍵⍸⍳⌈/0,⍵
    n-0,¯1↓n
}
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
    (⍺≤1)∨0>⌊/0,,⍵:'digits of a negative number, or to a base that is not greater than 1'⎕SIGNAL 600
    b←⍺
    m←⌈/0,,⍵
    n←({(k v)←⍵ ⋄ (k+1)(⌊v÷b)}⍣{0=2⊃⍺})0 m
    ((⊃n)⍴b)⊤⍵
}

⍝ the same of integers: ⍺ has all powers of the base, from the first on
digitsby←{
    0>⌊/0,,⍵:'digits of a negative number, or to a base that is not greater than 1'⎕SIGNAL 600
    m←⌈/0,,⍵
    ((1++/⍺≤m)⍴⊃⍺)⊤0⌈⍵
}

⍝ ⍺ with its elements at positions changed by f of them and of values, one after
⍝ the other
modify←{
    f←⍺⍺
    (p v)←⍵
    (≢p)≠≢v:'there are other numbers of positions and of values'⎕SIGNAL 300
    2⊃({(i a)←⍵ ⋄ a[p[i]]←a[p[i]]f v[i] ⋄ (i+1)a}⍣(≢p))1 ⍺
}

⍝ the coordinates of an array of shape ⍵, those where ⍵ is not 0, as often as
⍝ it says, and the positions in the ravel of an array of shape ⍺ of coordinates
iotarows←{1+⍉⍵⊤¯1+⍳×/⍵}
whererows←{1+⍉(⍴⍵)⊤¯1+⍸,⍵}
positions←{
    1∊(⍵<1)∨⍵>(⍴⍵)⍴⍺:'an index is outside the array'⎕SIGNAL 501
    1+⍺⊥⍉⍵-1
}

⍝ ↑n,/y
windowrows←{⍵[(⍳1+(≢⍵)-⍺)∘.+¯1+⍳⍺]}

⍝ Ragged vectors: elements, offsets from 0, and lengths of the items. Those of
⍝ ⎕VFI y and x ⎕VFI y: which fields of a text spell numbers, and the numbers. What
⍝ has been read of a number, 1 at its beginning, and what comes, a digit, . ¯ E J or
⍝ another character, say what has been read then: 3 5 8 a real number, 11 13 16 a
⍝ complex one.
vfi←{
    m←' '≠⍵
    b←⍸m>¯1↓0,m
    ⍵ fields b((1+⍸m>1↓m,0)-b)
}
vfiby←{
    p←0,(⍸⍵∊⍺),1+≢⍵
    ⍵ fields(1+¯1↓p)(¯1+(1↓p)-¯1↓p)
}
fields←{
    t←⍺
    (b e)←⍵
    spellings←(10⍴1),2 3 4 4 5 5 6
    spelt←17 6⍴3 4 2 17 17 17 3 4 17 17 17 17 3 5 17 6 9 17 5 17 17 17 17 17 5 17 17 6 9 17 8 17 7 17 17 17 8 17 17 17 17 17 8 17 17 17 9 17 11 12 10 17 17 17 11 12 17 17 17 17 11 13 17 14 17 17 13 17 17 17 17 17 13 17 17 14 17 17 16 17 15 17 17 17 16 17 17 17 17 17 16 17 17 17 17 17 17 17 17 17 17 17
    number←{
        0=≢⍵:1=1
        z←⊃{spelt[⍵;⍺]}/(⌽spellings['0123456789.¯EeJj'⍳⍵]),1
        z∊11 13 16:'a complex number is not read'⎕SIGNAL 600
        z∊3 5 8
    }
    field←{z←e[⍵]↑(b[⍵]-1)↓t ⋄ z←(+/∧\z=' ')↓z ⋄ (-+/∧\⌽z=' ')↓z}
    ok←{number field ⍵}⍤0⊢⍳≢b
    ok({ok[⍵]:⍎'0'{0=≢⍵:,⍺ ⋄ ⍵}field ⍵ ⋄ 0}⍤0⊢⍳≢b)
}

⍝ the numbers in a text, of which there are two or more
severalnumbers←{
    t←⍵
    m←' '≠t
    b←⍸m>¯1↓0,m
    2>≢b:('"',t,'" is not several numbers')⎕SIGNAL 611
    e←(1+⍸m>1↓m,0)-b
    {⍎e[⍵]↑(b[⍵]-1)↓t}⍤0⊢⍳≢b
}

⍝ x⊆y, x⊂y, the rows of a matrix, and the lines of a text
marked←{
    (≢⍺)≠≢⍵:'there are other numbers of marks and of elements'⎕SIGNAL 300
    m←0<⍺
    b←¯1+⍸m/⍺>¯1↓0,⍺
    v←m/⍵
    v b((1↓b,≢v)-b)
}
flagged←{
    (≢⍺)≠≢⍵:'there are other numbers of marks and of elements'⎕SIGNAL 300
    p←((⊃⍺)↑0),(⍸(1↓⍺)≠¯1↓⍺),(⊃⌽⍺)↑≢⍺
    i←2×⍳⌊(≢p)÷2
    b←p[i-1]
    ⍵ b (p[i]-b)
}
divided←{
    (≢⍺)>1+≢⍵:'there are more dividers than elements'⎕SIGNAL 300
    b←¯1+⍸⍺
    ⍵ b((1↓b,≢⍵)-b)
}
raggedrows←{n w←⍴⍵ ⋄ (,⍵)(w×¯1+⍳n)(n⍴w)}
newlined←{⍵,(⍺≢¯1↑⍵)/⍺}
lastnewlined←{⍵,((0<≢⍵)∧⍺≢¯1↑⍵)/⍺}
linesof←{
    t←⍵
    n←⎕UCS 10
    p←(⍸t=n),((0<≢t)∧n≠⊃⌽t)/1+≢t
    b←¯1↓0,p
    e←(p-b)-1
    t b(e-(0<e)∧(⎕UCS 13)=(t,' ')[1⌈b+e])
}

⍝ the number of elements and the elements so far, of which there may be room for
⍝ more, with more of them; the numbers of the items of both sides of an outer
⍝ product; and a number of items to reduce
grown←{
    (m a)←⍺
    r←⍵
    k←m+≢r
    k>≢a:{a←(2×k)↑a ⋄ a[m+⍳≢r]←r ⋄ k a}0
    {a←a ⋄ a[m+⍳≢r]←r ⋄ k a}0
}
pairsof←{(,⍉⍵ ⍺⍴⍳⍺)((⍺×⍵)⍴⍳⍵)}
⍝ whether all rows are the same
even←{∧/,(1↓⍵)=¯1↓⍵}
samecounts←{1∊⍵≠⊃⍵:'the columns have several lengths'⎕SIGNAL 612 ⋄ 0}
turnsleft←{⍵<1:'a function that changes the rank is not applied at all'⎕SIGNAL 612 ⋄ ⍵-1}
allaxes←{
    ⍺<≢⍵:((⍕≢⍵),' indices for an array of rank ',⍕⍺)⎕SIGNAL 300
    ⍺>≢⍵:'⌷ has indices for some axes, and how many is known only now'⎕SIGNAL 612
    ⍵
}
someitems←{⍵=0:'reduction of an empty nested array: the function has no identity element'⎕SIGNAL 607 ⋄ ⍵}

⍝ What is made of them; marks without negative ones
marks←{1∊⍵<0:'a mark is negative'⎕SIGNAL 603 ⋄ ⍵}
offsets←{¯1↓0,+\⍵}
sameextent←{⍺≠⍵:('an axis of ',(⍕⍺),' against one of ',⍕⍵)⎕SIGNAL 300 ⋄ ⍵}
noscalar←{⍵:'1 index for a scalar'⎕SIGNAL 403 ⋄ 0}
asmany←{(⍺≠≢⍵)∧1∊⍺,≢⍵:'one item stands beside several'⎕SIGNAL 612 ⋄ ⍺≠≢⍵:'there are other numbers of items on both sides'⎕SIGNAL 300 ⋄ ⍵}
oneperaxis←{⍺≠≢⍵:('an index of length ',(⍕≢⍵),' into an array of rank ',⍕⍺)⎕SIGNAL 406 ⋄ ⍵}
asnames←{⍺≠≢⍵:('there are ',(⍕⍺),' names for ',(⍕≢⍵),' values')⎕SIGNAL 307 ⋄ ⍵}
⍝ that there are items, or that the prototype is known without: ⍺ is 0
tall←{⍺<⍵:((⍕⍺),' rows are too few for ',(⍕⍵),' columns')⎕SIGNAL 303 ⋄ 0}
scalarsolution←{⍵=0:'the matrix is singular'⎕SIGNAL 609 ⋄ ⍺÷⍵}
eventnumber←{(⍵∊0 1006)∨(0<⍵)∧⍵<1000:⍵ ⋄ ((⍕⍵),' is no number of an error')⎕SIGNAL 600}
nolost←{1∊0<⍵:'the prototype of an empty nested array is not known'⎕SIGNAL 612 ⋄ 0}
unlost←{(0=≢⍵)∧0<⍺:'the prototype of an empty nested array is not known'⎕SIGNAL 612 ⋄ 0}
⍝ the number of the first item, of so many; and numbers of items without any for fill items
firstnumber←{⍵=0:'the prototype of an empty nested array is not known'⎕SIGNAL 612 ⋄ 1}
nofills←{1∊⍵=0:'the prototype of a nested array is not known'⎕SIGNAL 612 ⋄ ⍵}
firstof←{(v b e lost)←⍵ ⋄ _←lost unlost b ⋄ 0=≢b:0↑v ⋄ (v b e)(22⌶)1}
withfills←{(v b e lost)←⍵ ⋄ _←lost unlost b ⋄ w←⊃e ⋄ (v,w↑0↑v)(((≢v),b)[1+⍺])((w,e)[1+⍺])}
taken←{(v b e lost)←⍵ ⋄ i←⍺↑⍳≢b ⋄ (|⍺)≤≢b:v(b[i])(e[i]) ⋄ i withfills ⍵}
expanded←{(v b e lost)←⍵ ⋄ ~0∊⍺:v(b[⍺])(e[⍺]) ⋄ ⍺ withfills ⍵}
⍝ items with one, number k, longer by r: where nothing lies behind it, r goes there, else the
⍝ item moves behind all others, with room for twice as much where that is looked for. The search
⍝ costs as much as there are items, and is made for long ones only.
lengthened←{
    (v b e k r)←⍵
    o←b[k] ⋄ n←0⌈e[k] ⋄ m←≢r ⋄ s←≢v
    p←o+n ⋄ q←p+m
    few←(≢e)≤16×n
    free←{⍵:0=+/(b<q)∧p<b+e ⋄ 0}few∧q≤s
    v[p+⍳free×m]←(r(,0)(,free×m))(22⌶)1
    b[k]←s-free×s-o
    e[k]←n+m
    c←~free
    (v,((v(,o)(,c×n))(22⌶)1),((r(,0)(,c×m))(22⌶)1),(v(,o)(,few×c×n))(22⌶)1)b e
}
bothof←{(u a d)←⍺ ⋄ (v b e)←⍵ ⋄ (u,v)(a,b+≢u)(d,e)}
⍝ arrays of the shapes ⍺, whose elements are ⍵, joined along the first axis and along the last
alike←{
    m←(⍺≠⍳(⍴⍵)[2])∧⍤1⊢⍵≠⍤1⊢⍵[≢⍵;]
    0=+/,m:0
    i←⊃⌽⍸∨/m
    k←⍺=⍳(⍴⍵)[2]
    rest←(k×+⌿i↓⍵)+(~k)×⍵[≢⍵;]
    ('shapes ',(⍕⍵[i;]),' and ',(⍕rest),' cannot be catenated: axis ',(⍕m[i;]⍳1),' differs')⎕SIGNAL 303
}
joinedrows←{_←1 alike ⍺ ⋄ ((+/⍺[;1]),1↓⍺[1;])⍴⍵}
joinedcolumns←{
    _←(⊃⌽⍴⍺)alike ⍺
    c←⍺[;⊃⌽⍴⍺]
    rows←×/¯1↓⍺[1;]
    k←c/⍳≢c
    first←(¯1↓0,+\×/⍺)[k]+(⍳+/c)-(¯1↓0,+\c)[k]
    ((¯1↓⍺[1;]),+/c)⍴⍵[((rows,≢k)⍴first)+(¯1+⍳rows)∘.×c[k]]
}
joinedoffsets←{(e n)←⍵ ⋄ ⍺+n/¯1↓0,+\e}
foldof←{
    (v b e)←⍵
    f←⍺⍺
    n←≢b
    0=n:'reduction of an empty nested array: the function has no identity element'⎕SIGNAL 607
    (i z)←{(i z)←⍵ ⋄ (i-1)(((v b e)(22⌶)i)f z)}⍣(n-1)⊢(n-1)((v b e)(22⌶)n)
    z
}
mixedrows←{
    (v b e c known)←⍵
    o←¯1↓0,+\c
    w←0⌈⌈/0,c
    (known=0)∧(w>0)∧1∊c=0:'the prototype of an empty nested array is not known'⎕SIGNAL 612
    f←(c>0)×(e,0)[1+o]
    m←c∘.≥⍳w
    n←(m×o∘.+⍳w)+(~m)×((≢e)+⍳≢c)∘.+w⍴0
    (v,(⌈/0,f)↑0↑v)(b,(≢c)⍴≢v)(e,f)n
}
sheet←{(v b e lost)←⍵ ⋄ _←lost unlost b ⋄ w←0⌈⌈/0,e ⋄ {w↑(v b e)(22⌶)⍵}⍤0⊢⍳≢b}
⍝ the order of items: k elements are one number. Items of more such numbers come behind
⍝ those of fewer, p; from the last number on, those that have it are put in the order of it.
orderof←{
    (v b e)←⍵
    v←1+v-⌊/9223372036854775807,v
    base←2⌈1+⌈/0,v
    k←(⌈/1,e)⌊⌊62÷1+⌊2⍟base
    g←1⌈⌊(e+k-1)÷k
    p←⍋g
    m←⌈/1,g
    h←m⍴0
    h[g]+←1
    (c end z)←{
        (c end z)←⍵
        all←((-h[c])↑end↑p),z
        key←{base⊥k↑((c-1)×k)↓(v b e)(22⌶)⍵}⍤0⊢all
        (c-1)(end-h[c])(all[⍋key])
    }⍣m⊢m(≢b)(0↑p)
    z
}
placesof←{(v b e)←⍵ ⋄ i←⍋v ⋄ r←(≢v)⍴0 ⋄ s←v[i] ⋄ r[i]←+\(≢v)↑1,0≠(1↓s)-¯1↓s ⋄ r}
indexrows←{(v b e)←⍵ ⋄ n←⍺ ⋄ 1∊n≠e:'an item of the index has not one number for each axis'⎕SIGNAL 400 ⋄ {n↑b[⍵]↓v}⍤0⊢⍳≢b}
