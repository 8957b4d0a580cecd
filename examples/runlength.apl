⍝ Run-length coding: how often each letter is repeated, and back
encode←{b←⍸1,2≠/⍵ ⋄ (⍵[b])((1↓b,1+≢⍵)-b)}
text←'WWWWWWWWWWWWBWWWWWWWWWWWWBBBWWWWWWWWWWWWWWWWWWWWWWWWBWWWWWWWWWWWWWW'
(letters counts)←encode text
letters
counts
text≡counts/letters
