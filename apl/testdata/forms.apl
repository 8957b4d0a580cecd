⍝ one of each node
twice←{⍺⍺ ⍺⍺ ⍵}
over←{⍺←⊢ ⋄ (⍺⍺ ⍺)⍵⍵ ⍺⍺ ⍵}
fact←{
  ⍵≤1: 1      ⍝ a guard
  ⍵×∇ ⍵-1
}
mean←+/÷≢ ⍝: <double>n → double
each←¨
x←3 4 5 ⋄ x[2]←9 ⋄ x
m←2 3⍴x 1 ⍬ 'it''s' 1E¯3 3J4
m[;1]+←1
(a b)←1 2
(2↑x)←0
b×fact each -twice a
1∘+⍤1⊢m,[0.5]m
(-÷)∘.(1+⊢)⍣≡x
