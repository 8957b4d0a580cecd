table←3 4⍴⍳12
table-+/table
