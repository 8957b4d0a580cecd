mean←{(+/⍵)÷≢⍵}
2×mean
