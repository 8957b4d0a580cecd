⍝ Names in the order of the surnames, and of the first names where these are the same
names←'Ada Lovelace' 'Alan Turing' 'Grace Hopper' 'Kenneth Iverson' 'Barbara Liskov' 'Charles Babbage' 'Anna Hopper'
surname←{(⍵⍳' ')↓⍵}
first←{(¯1+⍵⍳' ')↑⍵}
order←⍋↑{(20↑surname ⍵),first ⍵}¨names
↑names[order]
