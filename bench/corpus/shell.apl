⍝ Shell's sort in place, with the gaps of Ciura, by loops of control words
n←100 ⍝ size: test 100, bench 300000
∇ r←Shell v;gap;i;j;x
  r←v
  :For gap :In 701 301 132 57 23 10 4 1
      i←gap+1
      :While i≤≢r
          x←r[i]
          j←i
          :While j>gap
              :If r[j-gap]≤x
                  :Leave
              :EndIf
              r[j]←r[j-gap]
              j-←gap
          :EndWhile
          r[j]←x
          i+←1
      :EndWhile
  :EndFor
∇
s←Shell 1000003|7919×(⍳n)*2
s[1,n],(∧/2≤/s),+/s×2|⍳n
