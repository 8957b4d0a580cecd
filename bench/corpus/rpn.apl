⍝ A stack machine: digits are pushed, + × - take two numbers off the stack and push one
n←200 ⍝ size: test 200, bench 2000000
code←'0123456789+×-+'[1+14|(7×⍳n)+⌊(⍳n)÷5]
∇ z←Run code;c;s;d;deepest
  s←⍬
  deepest←0
  :For c :In code
      d←'0123456789'⍳c
      :If d≤10
          s←s,d-1
      :ElseIf 1<≢s
          d←d,¯2↑s
          s←¯2↓s
          :Select c
          :Case '+'
              s←s,1009|d[2]+d[3]
          :Case '×'
              s←s,1009|d[2]×d[3]
          :Else
              s←s,1009|d[2]-d[3]
          :EndSelect
      :EndIf
      deepest⌈←≢s
  :EndFor
  z←(≢s),deepest,+/s
∇
Run code
