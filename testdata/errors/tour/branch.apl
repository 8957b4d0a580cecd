first←{∧/0=⍵: 0 ⋄ 2 2⍴⍵}
first 3 1 4
