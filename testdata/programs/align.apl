⍝ Global alignment of two sequences (Needleman and Wunsch) by anti-diagonals:
⍝ 1 for a match, ¯1 for a mismatch, ¯1 for a gap. No table is kept, only the
⍝ last two diagonals.
n←200 ⍝ size: test 200, bench 4096

⍝ The score of ⍺ against ⍵, which are equally long
align←{⍝: <int>n → <int>n → int
    a←⍺
    b←⍵
    n←≢a
    shrink←{⍝: [int]1 → [int]1 → int ⍝ ⍺: inner part of the diagonal before ⍵
        m←¯1+≢⍵
        m=0:⊃⍵
        same←((-m)↑a)=⌽(-m)↑b
        (1↓¯1↓⍵)∇(⍺+¯1+2×same)⌈((¯1↓⍵)⌈1↓⍵)-1
    }
    grow←{⍝: [int]1 → [int]1 → int ⍝ ⍺: the diagonal before ⍵
        k←≢⍵
        k>n:⍺ shrink ⍵
        same←((k-1)↑a)=⌽(k-1)↑b
        ⍵∇(-k),((⍺+¯1+2×same)⌈((¯1↓⍵)⌈1↓⍵)-1),-k
    }
    (,0)grow ¯1 ¯1
}

i←⍳n
a←4|⌊(1009|i×i)÷7
b←4|⌊(997|i×3+i)÷5
a align b
(50↑a)align 50↑b
b[⍳20]align b[⍳20]
