⍝ Turnover of each customer from orders, with prices found by the name of the article
n←300 ⍝ size: test 300, bench 3000000
sku←100000+37×⍳500
price←1+97|(⍳500)*2
article←sku[1+500|⌊(65521|(⍳n)*2)÷3]
customer←1+200|⌊(32749|(⍳n)*2)÷5
amount←1+7|⍳n
value←amount×price[sku⍳article]
turnover←customer{⍺,+/⍵}⌸value
sorted←turnover[⍒turnover[;2];]
3↑sorted
(≢sorted),+/value
