⍝ Lloyd's k-means: n points in d dimensions, k clusters, a number of rounds
⍝ that starts from the first k points
n←500 ⍝ size: test 500, bench 1000000
rounds←5 ⍝ size: test 5, bench 10
d←8
k←16
round←{(⌊0.5+⍵×10*⍺)÷10*⍺} ⍝: int → [double]r → [double]r

i←⍳n×d
points←(n,d)⍴(2147483647|630360016×i)÷2147483647

⍝ The cluster of each point: the first of the nearest centres
nearest←{⍝: [double]2 → [int]1
    far←points+.{(⍺-⍵)*2}⍉⍵
    least←⌊/far
    1++/∧\far≠⍉(k,n)⍴least
}

improve←{⍝: [double]2 → [double]2
    in←(nearest ⍵)∘.=⍳k
    size←1⌈+⌿in
    ((⍉in)+.×points)÷⍉(d,k)⍴size
}

centres←(improve⍣rounds)points[⍳k;]
cluster←nearest centres
counts←+⌿cluster∘.=⍳k
counts[⍳8]
counts[8+⍳8]
5 round centres[1;⍳8]
5 round centres[k;⍳8]
