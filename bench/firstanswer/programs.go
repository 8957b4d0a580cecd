package main

// programs are those whose first answer is timed: texts, nested arrays and numbers.
var programs = []struct{ name, text string }{
	{"words of a phrase", "phrase←'the quick brown fox jumps over the lazy dog ok'\n↑phrase(phrase≠' ')\n"},
	{"nine lines of text", "l1←'This is' ⋄ l2←'a text of' ⋄ l3←'nine lines,'\nl4←'each of' ⋄ l5←'them short,' ⋄ l6←'that are'\nl7←'put' ⋄ l8←'one below' ⋄ l9←'the other'\n↑l1 l2 l3 l4 l5 l6 l7 l8 l9\n"},
	{"letters counted", "text←'how much wood would a woodchuck chuck'\n{⍺,≢⍵}⌸text\n"},
	{"palindromes", "t←'a man a plan a canal panama'\nt←t~' '\nt≡⌽t\n"},
	{"caesar", "a←⎕A\nkey←3\na[1+26|(key-1)+a⍳'ATTACKATDAWN']\n"},
	{"numbers read from text", "⎕VFI '1 2.5 x 4'\n"},
	{"lines joined", "∊'one' 'two' 'three',¨','\n"},
	{"strings of many lengths", "≢¨'a' 'bcd' 'ef' 'ghijk'\n"},
	{"windows, enclosed", "{⊂⍵}⌺3 3⊢4 4⍴⍳16\n"},
	{"nested sums", "+/¨(1 2 3)(4 5)(6 7 8 9)\n"},
	{"a table of names", "names←'ann' 'bob' 'cy' ⋄ ages←31 7 42\n⍉↑names ages\n"},
	{"partitions", "(1 0 0 1 0 1)⊂'abcdef'\n"},
	{"deep structure", "≡(1(2 3))((4 5)6)\n"},
	{"pi by a series", "4×+/(¯1*n)÷1+2×n←¯1+⍳100000\n"},
	{"primes", "{⍵/⍨2=+⌿0=∘.|⍨⍵}⍳200\n"},
	{"matrix inverse", "⌹3 3⍴2 1 0 1 3 1 0 1 4\n"},
	{"fibonacci", "{⍵≤1:⍵ ⋄ (∇⍵-1)+∇⍵-2}20\n"},
	{"life", "life←{⊃1 ⍵∨.∧3 4=+⌿,1 0 ¯1∘.⊖1 0 ¯1∘.⌽⊂⍵}\nlife⍣4⊢10 10↑3 3⍴0 1 0 0 0 1 1 1 1\n"},
	{"mandelbrot", "c←(¯2+0.05×⍳50)∘.+0J1×0.05×(⍳40)-20\n' *'[1+2>|{c+⍵*2}⍣10⊢c×0]\n"},
	{"mean and deviation", "x←?1000⍴0\n⎕←0.5>|(+/x)÷≢x\n(+/(x-m)*2)<1000⊣m←(+/x)÷≢x\n"},
}
