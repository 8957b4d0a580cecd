⍝ Conway's Game of Life: a glider on a small torus
board←8 8⍴0
board[1;2]←1 ⋄ board[2;3]←1 ⋄ board[3;1 2 3]←1
next←{
    n←(1⊖⍵)+(¯1⊖⍵)
    n←n+(1⌽⍵)+(¯1⌽⍵)
    n←n+(1⊖1⌽⍵)+(1⊖¯1⌽⍵)+(¯1⊖1⌽⍵)+¯1⊖¯1⌽⍵
    (n=3)∨⍵∧n=2
}
show←{'·#'[1+⍵]}
show board
''
show next⍣4⊢board
''
show next⍣8⊢board
