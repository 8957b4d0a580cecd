⍝ Largest drop of a price below its highest so far, where it ends, and days at a new high
n←500 ⍝ size: test 500, bench 20000000
change←(((⍳n)×7919)|⍨1009)-504
price←100000+(+\change)
high←⌈\price
drop←high-price
(⌈/drop)(drop⍳⌈/drop)(+/price=high)
(⌊/price),⌈/price
