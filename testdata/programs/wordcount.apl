⍝ Words, letters and some frequencies of a text; a word is a run of letters
file←'testdata/programs/wordcount.txt' ⍝ size: test 'testdata/programs/wordcount.txt', bench 'bench/data/words.txt'
text←⊃⎕NGET file

letter←text∊'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
start←letter>¯1↓0,letter
(≢text),(+/letter),+/start
+⌿text∘.='etaoin'

⍝ The longest word: distances between the ends of runs
ends←⍸(letter,0)<0,letter
starts←⍸start
⌈/ends-starts
