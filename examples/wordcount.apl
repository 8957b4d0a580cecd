⍝ The words of a text that occur most often, and how often
text←⎕C⊃⎕NGET'examples/poem.txt'
words←(text∊⎕C⎕A)⊆text
unique←∪words
counts←{+/words∊⊂⍵}¨unique
best←6↑⍒counts
(↑unique[best]),' ',⍕⍪counts[best]
