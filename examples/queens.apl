⍝ In how many ways n queens stand on an n by n board without attacking each other
⍝ may a queen stand in row ⍵ of the next column, behind those in the rows ⍺?
free←{~∨/(⍵=⍺)∨(|⍵-⍺)=⌽⍳≢⍺}
place←{
    ⍝ the ways to go on from ⍵, the rows of the queens on the board of size ⍺
    (n board)←⍺ ⍵
    n=≢board:1
    +/{board free ⍵:n place board,⍵ ⋄ 0}¨⍳n
}
{⍵,⍵ place ⍬}¨⍳8
