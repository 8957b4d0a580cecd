⍝ The game 2048: boards slid to the left, points won, empty places left
n←100 ⍝ size: test 100, bench 100000
B←(n,4,4)⍴2*4|⌊(1000003|(⍳16×n)*2)÷13
B←B×B>1
∇ r←slide row;v;i;points
  v←(row≠0)/row
  r←⍬
  points←0
  i←1
  :While i≤≢v
      :If i<≢v
      :AndIf v[i]=v[i+1]
          r,←2×v[i]
          points+←2×v[i]
          i+←2
      :Else
          r,←v[i]
          i+←1
      :EndIf
  :EndWhile
  r←(4↑r),points
∇
R←slide⍤1⊢B
new←0 0 ¯1↓R
(+/,R[;;5]),(+/,new=0),(+/,new≠B),(⌈/,new),+/∧/∧/new=B
