⍝ A sudoku solved by trying digits at the first place that is empty
puzzle←9 9⍴⍎¨'530070000600195000098000060800060003400803001700020006060000280000419005000080079'
box←,3/3⌿3 3⍴⍳9
row←,⍉9 9⍴⍳9
col←,9 9⍴⍳9
allowed←{
    ⍝ which digits may stand at place ⍺ of board ⍵
    seen←(row=row[⍺])∨(col=col[⍺])∨box=box[⍺]
    ~(⍳9)∊seen/⍵
}
solve←{
    ⍝ the board solved, or all 0 where it cannot be
    ~0∊⍵:⍵
    at←⍵⍳0
    try←{
        (digits board)←⍵
        0=≢digits:0×board
        next←board
        next[at]←⊃digits
        done←solve next
        0∊done:∇(1↓digits)board
        done
    }
    try(((at allowed ⍵)/⍳9)⍵)
}
9 9⍴solve,puzzle
