⍝ characters in bytes, truth values, complex numbers
text←1000000⍴'abc'
⎕←+/(⌽text)='a'
⎕←text[5],⌽text
z←(⍳1000000)+0J1×⌽⍳1000000
⎕←z[7],⌽z
