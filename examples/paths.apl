⍝ Lengths of the shortest paths between all towns, from those of the roads
none←1E6
towns←'ABCDE'
roads←5 5⍴none
roads[1;2 3]←4 1
roads[2;1 4]←4 1
roads[3;1 2 4]←1 2 5
roads[4;2 3 5]←1 5 3
roads[5;4]←3
roads←roads×~(⍳5)∘.=⍳5
shorter←{⍵⌊⍵⌊.+⍵}
shortest←shorter⍣≡roads
'  ',1↓,' ',⍪towns
(⍪towns),' ',⍕shortest
