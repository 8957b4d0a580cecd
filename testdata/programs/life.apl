⍝ Conway's Game of Life on a torus, by rotations
n←20 ⍝ size: test 20, bench 1200
steps←10 ⍝ size: test 10, bench 100, large 1000

life←{⍝: [n,m]bool → [n,m]bool
    rows←(¯1⌽⍵)+⍵+1⌽⍵
    sum←(¯1⊖rows)+rows+1⊖rows
    (sum=3)∨⍵∧sum=4
}

i←⍳n×n
board←(n,n)⍴400>1009|i×i
end←(life⍣steps)board
(+/,board),(+/,end),+/(⍳n)×+/end
10 20↑end
