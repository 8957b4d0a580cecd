⍝ Checksums of the lines of a page: two sums modulo 65521, by a fold with two results
n←20 ⍝ size: test 20, bench 3000
page←(n,4000)⍴⎕UCS 'the quick brown fox jumps over the lazy dog '
adler←{⊃{a b←⍵ ⋄ a←65521|a+⍺ ⋄ a(65521|a+b)}/(⌽⍵),⊂1 0}
sums←↑adler⍤1⊢page
(+⌿sums),(⌈⌿sums),≢∪sums[;1]
