price←12.5 7 30
weight←{⍵÷+/⍵}
share←weight 4 1 3 2
price×share
