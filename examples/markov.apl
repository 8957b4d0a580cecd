⍝ Text in the manner of another one: after each letter a letter that follows it
⍝ there, drawn by how often it does
text←⎕C⊃⎕NGET'examples/poem.txt'
letters←' ',⎕C⎕A
text←(text∊letters)/text
codes←letters⍳text
table←27 27⍴{+/⍵=(27×¯1+¯1↓codes)+1↓codes}¨⍳729
sums←+\table
random←{2147483647|16807×⍵}
walk←{
    (state at out)←⍵
    r←random state
    row←sums[at;]
    new←1++/row<1+(¯1↑row)|r
    r new(out,letters[⊃new])
}
3⊃walk⍣60⊢42 1 ''
