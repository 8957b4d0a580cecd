⍝ Mean of the 9 by 9 pixels around each pixel, from sums over all rectangles
n←40 ⍝ size: test 40, bench 3000
r←4
img←n n⍴251|(⍳n×n)×3+⍳n×n
s←0,0⍪+\+⍀img
w←1+2×r
box←((w w↓s)+(-w)(-w)↓s)-((w,-w)↓s)+((-w),w)↓s
blur←⌊0.5+box÷w×w
(+/,blur),(⌈/,blur),(⌊/,blur),+/,blur=(r r↓(-r)(-r)↓img)
