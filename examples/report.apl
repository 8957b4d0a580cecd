⍝ A table of text and numbers, with a line for the sums
items←'chairs' 'tables' 'lamps' 'carpets'
amount←24 6 15 3
price←49.5 189 32.25 410
value←amount×price
body←(↑items),(8 0⍕⍪amount),(10 2⍕⍪price),12 2⍕⍪value
line←(2⊃⍴body)⍴'-'
total←(7↑'total'),(8 0⍕+/amount),(10⍴' '),12 2⍕+/value
head←(7↑'item'),(¯8↑'amount'),(¯10↑'price'),¯12↑'value'
head
line
body
line
total
