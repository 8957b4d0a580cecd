⍝ Eigenvalues of a symmetric matrix by Jacobi's rotations, sweep after sweep
n←8 ⍝ size: test 8, bench 120
a←n n⍴(1009|(⍳n×n)*2)÷1009
a←(0.5×a+⍉a)+n×(⍳n)∘.=⍳n
∇ a←sweep a;p;q;t;th;c;s;rp;rq
  :For p :In ⍳n-1
      :For q :In p+⍳n-p
          :If 1E¯12<|a[p;q]
              th←(a[q;q]-a[p;p])÷2×a[p;q]
              t←(1-2×th<0)÷(|th)+(1+th*2)*0.5
              c←÷(1+t*2)*0.5
              s←t×c
              rp←a[p;] ⋄ rq←a[q;]
              a[p;]←(c×rp)-s×rq
              a[q;]←(s×rp)+c×rq
              rp←a[;p] ⋄ rq←a[;q]
              a[;p]←(c×rp)-s×rq
              a[;q]←(s×rp)+c×rq
          :EndIf
      :EndFor
  :EndFor
∇
off←{+/,(×⍨⍵)×(⍳n)∘.≠⍳n}
k←0
:While 1E¯9<off a
    a←sweep a
    k+←1
:EndWhile
e←1 1⍉a
e←e[⍒e]
k,⌊0.5+1E4×e[1 2 3],(+/e),e[n]
