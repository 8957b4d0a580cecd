⍝ Paths of a knight on a large board, by eight shifted boards, modulo a prime
n←10 ⍝ size: test 10, bench 800
steps←4 ⍝ size: test 4, bench 50
p←1000003
pad←{(n+4)(n+4)↑(-n+2)(-n+2)↑⍵}
jumps←↓8 2⍴1 2 1 ¯2 ¯1 2 ¯1 ¯2 2 1 2 ¯1 ¯2 1 ¯2 ¯1
step←{b←pad ⍵ ⋄ p|⊃+/{n n↑(2+⍵)↓b}¨jumps}
board←n n⍴0
board[1;1]←1
board←step⍣steps⊢board
(+/,board),(⌈/,board),+/,board=0
