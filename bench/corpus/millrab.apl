⍝ Strong pseudoprimes: Miller and Rabin's test to the bases 2 and 3
n←300 ⍝ size: test 300, bench 60000
∇ r←b modpow em;e;m
  e m←em
  r←1
  b←m|b
  :While e>0
      :If 2|e
          r←m|r×b
      :EndIf
      b←m|b×b
      e←⌊e÷2
  :EndWhile
∇
∇ r←a strong n;d;s;x
  r←1
  d←n-1
  s←0
  :While 0=2|d
      d÷←2
      s+←1
  :EndWhile
  x←a modpow d n
  →(x∊1,n-1)/0
  :While s>1
      x←n|x×x
      →(x=n-1)/0
      s-←1
  :EndWhile
  r←0
∇
odd←3+2×⍳n
two←2 strong¨odd
three←3 strong¨odd
both←two∧three
(+/two),(+/three),(+/both),(⌈/both/odd),(⊃(two>three)/odd),+/both/odd
