package coverage

// refused has the rows of which nothing is compiled.
var refused = map[string]bool{
	"2⍎": true,
	"f&": true, "f⍠a": true,
	"⎕DIV": true, "⎕PW": true, "⎕EN": true, "⎕EM": true, "⎕DM": true, "⎕FMT": true, "⎕JSON": true, "⎕NC": true, "⎕DL": true, "⎕R": true, "⎕S": true,
	"error guard": true, "branch": true, "namespace": true, "input": true, "member": true,
}

// elsewhere has the rows that tests in Go show, because they need input, a shell or
// another moment.
var elsewhere = map[string]bool{"input": true, "⎕SH": true, "⎕CMD": true}

// interpreted is said of what the interpreter runs, and nothing compiles.
const interpreted = "the interpreter runs it"

// mixed is the message for arrays of characters and numbers.
const mixed = "an array of characters and numbers"

// limits lists, for rows that are refused and for those that are partial, what
// is refused. Each program is run; its message must contain the text.
var limits = map[string][]Refusal{
	"2*":  {{"{⍵*0.5}¨4 ¯2", "the result for ¯2 is not real", "complex results for real arguments that are not known when compiling; (0J0+x)*0.5 has them"}},
	"1⍟":  {{"{⍟⍵}¨4 ¯1", "the result for ¯1 is not real", "complex results for real arguments that are not known when compiling"}},
	"2⍟":  {{"{2⍟⍵}¨4 ¯1", "the result for ¯1 is not real", "complex results for real arguments that are not known when compiling"}},
	"2○":  {{"{¯1○⍵}¨1 2", "the result for 2 is not real", "complex results for real arguments that are not known when compiling"}},
	"2,":  {{"(⍳99),'a'", mixed, "characters beside more than 64 numbers, or an unknown number of them"}},
	"2⍪":  {{"(⍳99)⍪'a'", mixed, "characters beside more than 64 numbers, or an unknown number of them"}},
	"2∪":  {{"(⍳99)∪'a'", mixed, "characters beside more than 64 numbers, or an unknown number of them"}},
	"1?":  {{"?2-⍳2", "no integer is among the first 0", "0 among other numbers that are not constant"}},
	"2⊂":  {{"(?3⍴2)⊂3 2⍴1", "⊂ with two arguments", "left arguments that are known only when the program runs, but for vectors"}},
	"2⊆":  {{"(?3⍴2)⊆3 2⍴1", "⊆ with two arguments", "left arguments that are known only when the program runs, but for vectors"}},
	"1↓":  {{"↓(?3 3 3)⍴⍳6", "↓ with one argument", "nested arrays of rank 2 and more of which the shape is not known"}},
	"1⍳":  {{"⍳20 30", "⍳ with a vector", "nested arrays of more than 64 items; f¨⍳20 30, ↑⍳20 30 and x[⍳20 30] are compiled"}},
	"2⍳":  {{"(⍳200)⍳⊂1 2", "a search among nested items", "nested items beside long arrays"}},
	"1⍎":  {{"⍎(?3)⌽'1+2'", "is not a number", "texts that are made when the program runs, other than numbers"}, {"⍎'f←{⍵}'", "⍎ of a definition", "definitions"}},
	"2⍎":  {{"''⍎'1+1'", "⍎ with two arguments", interpreted}},
	"f&":  {{"f←{⍵} ⋄ f&1", "operator &", "parallel loops are found by the compiler"}},
	"a⌶":  {{"1(220⌶)2", "operator ⌶", "services other than 819 (case) and 1500 (hashing)"}},
	"f⍠a": {{"(+⍠1)2", "operator ⍠", "⎕CT and ⎕IO are set at the top of the program"}},
	"f/":  {{"{⍺,⍵}/⍳99", "a function that does not give scalars", "functions whose results are not scalars, but for , and for vectors of at most 64 elements"}},
	"f⌿":  {{"{⍺,⍵}⌿⍳99", "a function that does not give scalars", "the same"}},
	"f\\": {{"{⍺,⍵}\\⍳99", "a function that does not give scalars", "functions whose results are not scalars, but for vectors of at most 64 elements"}},
	"f⍀":  {{"{⍺,⍵}⍀⍳99", "a function that does not give scalars", "the same"}},
	"f¨":  {{"{⍵ ⍵}¨3 99⍴⍳9", "a function that does not give scalars", "results that are no scalars for arrays of rank 2 and more of more than 64 elements, or an unknown number"}},
	"f.g": {{"1 2{⍺,⍵}.+3 4", "a function that does not give scalars", "functions whose results are not scalars"}},
	"f⌺a": {{"{⍵}⌺1 1 1 1 1⊢1 1 1 1 1⍴0", "⌺ with windows of more than four axes", "windows of more than four axes"}},
	"f⍣g": {{"({⍵+⍵*2}⍣¯1)2", "inverse", "inverses of functions without an obvious one"}},

	"[1↓": {{"↓[1]2 9 9⍴0", "↓[1] with an axis and one argument", "nested results of more than 64 items, or an unknown number"}},
	"[1⊂": {{"⊂[1]2 9 9⍴0", "⊂[1] with an axis and one argument", "nested results of more than 64 items, or an unknown number"}},
	"[2⊂": {{"(?2⍴2)⊂[1]2 2⍴⍳4", "⊂ with two arguments", "left arguments that are known only when the program runs"}},

	"[2,":     {{"(⍳99),[1]'ab'", mixed, "characters beside more than 64 numbers, or an unknown number of them"}},
	"indexed": {{"{a←⍵ ⋄ 1 2∘.{a[1]+←⍵ ⋄ ⍺}3 4}2 3", "which belongs to an outer scope", "variables of an enclosing function, changed under operators other than ¨, ⍣, ⍤ with one argument and reduction"}},

	"error guard": {{"{0::1 ⋄ ⍵}1", "error guards (::) are not supported", interpreted}},
	"branch":      {{"→0", "branch (→) is not supported outside functions with a header (∇)", "in functions with a header, which are interpreted"}},
	"control":     {{":Trap 0\n:EndTrap", "control structures are not compiled", ":Trap, :With, :Hold, :GoTo, :For of several names with :InEach, and names that definitions read and that may have no value; the interpreter runs them"}},
	"tradfn":      {{"∇r←f y\nr←y\n→y\n∇", "traditional function definitions (∇) are not compiled", "functions that change names which others know, and branches to computed lines or into loops; they are interpreted"}},
	"namespace":   {{"#.x", "namespaces are not compiled", "interpreted, but for scripts (:Namespace) whose names are called by their paths, which are compiled"}},
	"input":       {{"x←⎕", "input from the keyboard", interpreted}},
	"member":      {{"x←1 ⋄ x.y", "namespaces: x.y", interpreted}},

	"⎕DIV":  {{"⎕DIV←1", "⎕DIV", interpreted}},
	"⎕PW":   {{"⎕PW←40", "⎕PW", interpreted}},
	"⎕EN":   {{"⎕EN", "⎕EN", interpreted}},
	"⎕EM":   {{"⎕EM 11", "⎕EM", interpreted}},
	"⎕DM":   {{"⎕DM", "⎕DM", interpreted}},
	"⎕FMT":  {{"⎕FMT 5", "⎕FMT", interpreted}},
	"⎕JSON": {{"⎕JSON '5'", "⎕JSON", interpreted}},
	"⎕NC":   {{"⎕NC 'a'", "⎕NC", interpreted}},
	"⎕DL":   {{"⎕DL 0", "⎕DL", interpreted}},
	"⎕R":    {{"('a'⎕R'b')'a'", "⎕R", interpreted}},
	"⎕S":    {{"('a'⎕S'b')'a'", "⎕S", interpreted}},

	"⎕CSV": {{"(1 2)(3 4)⎕CSV ''", "⎕CSV of a nested array", "texts and tables of several types"}},
	"⎕DR":  {{"11 ⎕DR 1.5", "⎕DR of doubles", "the bits of doubles"}},
	"⎕CT":  {{"x←1.5∊2 ⋄ ⎕CT←0 ⋄ y←1.5∊2", "another ⎕CT after numbers were compared", "another value for searches after numbers were compared"}},
	"⎕ML":  {{"⎕ML←3", "⎕ML other than 1", "values other than 1"}},
	"⎕ARG": {{"⎕ARG", "⎕ARG as a whole", "the vector of all arguments"}},
}
