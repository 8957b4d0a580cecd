⍝ Haar's wavelets of many signals, by recursion: means and differences of pairs
m←4 ⍝ size: test 4, bench 1000
n←4096
x←(m,n)⍴(1009|(⍳n×m)*2)÷1009
haar←{
    1=¯1↑⍴⍵:⍵
    a←⍵[;¯1+2×⍳2÷⍨¯1↑⍴⍵]
    b←⍵[;2×⍳2÷⍨¯1↑⍴⍵]
    (∇(a+b)÷2),(a-b)÷2
}
h←haar x
kept←h×0.05<|h
⌊0.5+1E3×(+/,h),(+/,|h),(+/,kept≠0),(+/,kept),h[m;n]
