package apl

import "strings"

// GlyphClass says what a glyph is to the grammar.
type GlyphClass uint8

// The glyph classes. The zero value is "unset".
const (
	NoGlyph       GlyphClass = iota
	FunctionGlyph            // a primitive function
	MonadicGlyph             // a primitive operator with one operand
	DyadicGlyph              // a primitive operator with two operands
	HybridGlyph              // / ⌿ \ ⍀: an operator behind a function, else a function
	SyntaxGlyph              // an argument name, a bracket, a separator, …
)

// Glyph is a row of the table of glyphs: everything the front end, the REPL's
// keyboard and the help know about one character of the language.
type Glyph struct {
	Glyph   string     // the canonical character
	Class   GlyphClass // how the parser reads it
	Name    string     // the character's name
	Monadic string     // what F⍵ is called; for operators the use with one operand kind
	Dyadic  string     // what ⍺F⍵ is called; for operators a second use, if there is one
	Key     string     // the key that types it after the prefix key `, or the ASCII character
	Looks   string     // characters that are read as this one
}

// Glyphs is the table. Its function glyphs and operators are those of Dyalog
// APL's table of primitives: 56 function glyphs with 39 monadic and 56 dyadic
// uses, 22 uses of operators.
//
// A look-alike is listed only where no other reading is possible: none is a
// letter (ρ ι ω α ε ο are names, so they are not read as ⍴ ⍳ ⍵ ⍺ ∊ ○), and none
// has a meaning of its own in APL. The exception is ˉ (U+02C9), which Unicode
// counts as a letter and which no name can need.
var Glyphs = []Glyph{
	{"+", FunctionGlyph, "plus", "conjugate", "plus", "+", ""},
	{"-", FunctionGlyph, "minus", "negate", "minus", "-", "−"}, // U+2212
	{"×", FunctionGlyph, "times", "direction", "times", "-", ""},
	{"÷", FunctionGlyph, "divide", "reciprocal", "divide", "=", ""},
	{"*", FunctionGlyph, "star", "exponential", "power", "p", "⋆∗"}, // U+22C6, U+2217
	{"⍟", FunctionGlyph, "log", "natural logarithm", "logarithm", "*", ""},
	{"⌹", FunctionGlyph, "domino", "matrix inverse", "matrix divide", "+", ""},
	{"○", FunctionGlyph, "circle", "pi times", "circular", "o", "◯"}, // U+25EF
	{"!", FunctionGlyph, "exclamation mark", "factorial", "binomial", "_", ""},
	{"?", FunctionGlyph, "question mark", "roll", "deal", "q", ""},
	{"|", FunctionGlyph, "stile", "magnitude", "residue", "m", "∣"}, // U+2223
	{"⌈", FunctionGlyph, "upstile", "ceiling", "maximum", "s", ""},
	{"⌊", FunctionGlyph, "downstile", "floor", "minimum", "d", ""},
	{"⊥", FunctionGlyph, "up tack", "", "decode", "b", "⟂"}, // U+27C2
	{"⊤", FunctionGlyph, "down tack", "", "encode", "n", ""},
	{"⊣", FunctionGlyph, "left tack", "same", "left", "|", ""},
	{"⊢", FunctionGlyph, "right tack", "same", "right", "\\", ""},
	{"=", FunctionGlyph, "equal", "", "equal", "5", ""},
	{"≠", FunctionGlyph, "not equal", "unique mask", "not equal", "8", ""},
	{"≤", FunctionGlyph, "less or equal", "", "less or equal", "4", "⩽"}, // U+2A7D
	{"<", FunctionGlyph, "less", "", "less", "3", ""},
	{">", FunctionGlyph, "greater", "", "greater", "7", ""},
	{"≥", FunctionGlyph, "greater or equal", "", "greater or equal", "6", "⩾"}, // U+2A7E
	{"≡", FunctionGlyph, "equal underbar", "depth", "match", ":", ""},
	{"≢", FunctionGlyph, "equal underbar slash", "tally", "not match", "\"", ""},
	{"∨", FunctionGlyph, "or", "", "or", "9", "⋁"},    // U+22C1
	{"∧", FunctionGlyph, "and", "", "and", "0", "^⋀"}, // U+005E, U+22C0
	{"⍲", FunctionGlyph, "nand", "", "nand", ")", ""},
	{"⍱", FunctionGlyph, "nor", "", "nor", "(", ""},
	{"↑", FunctionGlyph, "up arrow", "mix", "take", "y", ""},
	{"↓", FunctionGlyph, "down arrow", "split", "drop", "u", ""},
	{"⊂", FunctionGlyph, "left shoe", "enclose", "partitioned enclose", "z", ""},
	{"⊃", FunctionGlyph, "right shoe", "first", "pick", "x", ""},
	{"⊆", FunctionGlyph, "left shoe underbar", "nest", "partition", "Z", ""},
	{"⌷", FunctionGlyph, "squad", "materialise", "index", "L", ""},
	{"⍋", FunctionGlyph, "grade up", "grade up", "dyadic grade up", "$", ""},
	{"⍒", FunctionGlyph, "grade down", "grade down", "dyadic grade down", "#", ""},
	{"⍳", FunctionGlyph, "iota", "index generator", "index of", "i", ""},
	{"⍸", FunctionGlyph, "iota underbar", "where", "interval index", "I", ""},
	{"∊", FunctionGlyph, "epsilon", "enlist", "membership", "e", "∈"}, // U+2208
	{"⍷", FunctionGlyph, "epsilon underbar", "", "find", "E", ""},
	{"∪", FunctionGlyph, "cup", "unique", "union", "v", ""},
	{"∩", FunctionGlyph, "cap", "", "intersection", "c", ""},
	{"~", FunctionGlyph, "tilde", "not", "without", "t", "∼˜"}, // U+223C, U+02DC
	{",", FunctionGlyph, "comma", "ravel", "catenate", ",", ""},
	{"⍪", FunctionGlyph, "comma bar", "table", "catenate first", "<", ""},
	{"⍴", FunctionGlyph, "rho", "shape", "reshape", "r", ""},
	{"⌽", FunctionGlyph, "circle stile", "reverse", "rotate", "%", ""},
	{"⊖", FunctionGlyph, "circle bar", "reverse first", "rotate first", "&", ""},
	{"⍉", FunctionGlyph, "circle backslash", "transpose", "dyadic transpose", "^", ""},
	{"⍎", FunctionGlyph, "hydrant", "execute", "execute in", ";", ""},
	{"⍕", FunctionGlyph, "thorn", "format", "format by", "'", ""},

	{"/", HybridGlyph, "slash", "", "replicate", "/", "∕"},           // U+2215
	{"\\", HybridGlyph, "backslash", "", "expand", "\\", "∖"},        // U+2216
	{"⌿", HybridGlyph, "slash bar", "", "replicate first", "/", ""},  // after the prefix key
	{"⍀", HybridGlyph, "backslash bar", "", "expand first", ".", ""}, // after the prefix key
	{"¨", MonadicGlyph, "diaeresis", "each", "", "1", ""},            // A¨ is refused
	{"⍨", MonadicGlyph, "tilde diaeresis", "commute", "constant", "T", ""},
	{"⌸", MonadicGlyph, "quad equal", "key", "", "K", ""},
	{"&", MonadicGlyph, "ampersand", "spawn", "", "&", ""},
	{"⌶", MonadicGlyph, "i-beam", "i-beam", "", "!", ""},
	{"⍣", DyadicGlyph, "star diaeresis", "power operator", "", "P", ""},
	{".", DyadicGlyph, "dot", "inner product", "", ".", ""},
	{"∘.", DyadicGlyph, "jot dot", "outer product", "", "", ""}, // read as one sign
	{"∘", DyadicGlyph, "jot", "beside", "bind", "j", "◦"},       // U+25E6
	{"⍤", DyadicGlyph, "jot diaeresis", "atop", "rank", "J", ""},
	{"⍥", DyadicGlyph, "circle diaeresis", "over", "", "O", ""},
	{"⍛", DyadicGlyph, "jot underbar", "behind", "", "", ""},
	{"@", DyadicGlyph, "at", "at", "", "@", ""},
	{"⍠", DyadicGlyph, "quad colon", "variant", "", "?", ""},
	{"⌺", DyadicGlyph, "quad diamond", "stencil", "", "~", ""},

	{"⍺", SyntaxGlyph, "alpha", "", "left argument", "a", ""},
	{"⍵", SyntaxGlyph, "omega", "", "right argument", "w", ""},
	{"∇", SyntaxGlyph, "del", "", "this function", "g", ""},
	{"←", SyntaxGlyph, "left arrow", "", "assignment", "[", ""},
	{"→", SyntaxGlyph, "right arrow", "", "branch", "]", ""},
	{"⋄", SyntaxGlyph, "diamond", "", "statement separator", "`", "◊⬦"}, // U+25CA, U+2B26
	{"⍝", SyntaxGlyph, "lamp", "", "comment", ",", ""},
	{"⎕", SyntaxGlyph, "quad", "", "output; system names", "l", "▯□"}, // U+25AF, U+25A1
	{"⍞", SyntaxGlyph, "quote quad", "", "output without a new line", "{", ""},
	{"⍬", SyntaxGlyph, "zilde", "", "the empty numeric vector", "}", ""},
	{"¯", SyntaxGlyph, "high minus", "", "negative number", "2", "‾ˉ"}, // U+203E, U+02C9
	{"(", SyntaxGlyph, "left parenthesis", "", "grouping", "(", ""},
	{")", SyntaxGlyph, "right parenthesis", "", "grouping", ")", ""},
	{"[", SyntaxGlyph, "left bracket", "", "index and axis", "[", ""},
	{"]", SyntaxGlyph, "right bracket", "", "index and axis", "]", ""},
	{"{", SyntaxGlyph, "left brace", "", "dfn", "{", ""},
	{"}", SyntaxGlyph, "right brace", "", "dfn", "}", ""},
	{";", SyntaxGlyph, "semicolon", "", "axis separator", ";", ""},
	{":", SyntaxGlyph, "colon", "", "guard", ":", ""},
	{"'", SyntaxGlyph, "quote", "", "characters", "'", ""},
	{"#", SyntaxGlyph, "hash", "", "root namespace", "#", ""},
	{"∆", SyntaxGlyph, "delta", "", "a letter", "h", ""},
	{"⍙", SyntaxGlyph, "delta underbar", "", "a letter", ">", ""},
	{"_", SyntaxGlyph, "underscore", "", "a letter", "f", ""},
}

// SystemName is a row of the table of system names.
type SystemName struct {
	Name     string // upper case, with the quad
	Class    Class  // ArrayClass or FunctionClass
	Assigned bool   // it may stand left of ←
	Doc      string
}

// SystemNames are the system names that the language has. ⎕ARG, the command
// line arguments, is GNU APL's; the others are Dyalog's.
var SystemNames = []SystemName{
	{"⎕IO", ArrayClass, true, "index origin, 0 or 1"},
	{"⎕CT", ArrayClass, true, "comparison tolerance"},
	{"⎕PP", ArrayClass, true, "significant digits in display"},
	{"⎕ML", ArrayClass, true, "migration level, 0 to 3; 1 when compiled"},
	{"⎕RL", ArrayClass, true, "seed of the random numbers"},
	{"⎕DIV", ArrayClass, true, "division by 0: 0 an error, 1 the result 0; interpreted"},
	{"⎕PW", ArrayClass, true, "width of the lines of output; interpreted"},
	{"⎕EN", ArrayClass, false, "number of the last error; interpreted"},
	{"⎕EM", FunctionClass, false, "names of errors, by their numbers; interpreted"},
	{"⎕DM", ArrayClass, false, "the last error: its name, the line and a mark; interpreted"},
	{"⎕A", ArrayClass, false, "the letters A to Z"},
	{"⎕D", ArrayClass, false, "the digits 0 to 9"},
	{"⎕TS", ArrayClass, false, "date and time: year month day hour minute second millisecond"},
	{"⎕AI", ArrayClass, false, "account information: user, compute, connect and keying time in milliseconds"},
	{"⎕DMX", ArrayClass, false, "a reference to what is known of the last error; interpreted"},
	{"⎕SI", ArrayClass, false, "names of the functions that run; interpreted"},
	{"⎕XSI", ArrayClass, false, "names of the functions that run, with their namespaces; interpreted"},
	{"⎕LC", ArrayClass, false, "lines of the functions that run; interpreted"},
	{"⎕NL", FunctionClass, false, "names of some classes; interpreted"},
	{"⎕EX", FunctionClass, false, "remove names; interpreted"},
	{"⎕FX", FunctionClass, false, "define a function from its lines; interpreted"},
	{"⎕CR", FunctionClass, false, "the lines of a function as a matrix; interpreted"},
	{"⎕NR", FunctionClass, false, "the lines of a function; interpreted"},
	{"⎕VR", FunctionClass, false, "the text of a function with numbers of lines; interpreted"},
	{"⎕EA", FunctionClass, false, "execute a text, or another one where it fails; interpreted"},
	{"⎕EC", FunctionClass, false, "execute a text and tell how it ended; interpreted"},
	{"⎕THIS", ArrayClass, false, "a reference to the current namespace; interpreted"},
	{"⎕NS", FunctionClass, false, "make a namespace; interpreted"},
	{"⎕FIX", FunctionClass, false, "define namespaces and functions from a script; interpreted"},
	{"⎕SRC", FunctionClass, false, "the script of a namespace; interpreted"},
	{"⎕OR", FunctionClass, false, "a function as an array, or a copy of a namespace; interpreted"},
	{"⎕AT", FunctionClass, false, "attributes of functions; interpreted"},
	{"⎕ATX", FunctionClass, false, "extended attributes of names; interpreted"},
	{"⎕LOCK", FunctionClass, false, "hide the lines of a function, and where errors in it happen; interpreted"},
	{"⎕EXPORT", FunctionClass, false, "whether ⎕PATH finds functions; interpreted"},
	{"⎕VGET", FunctionClass, false, "values of names; interpreted"},
	{"⎕VSET", FunctionClass, false, "give names values; interpreted"},
	{"⎕DF", FunctionClass, false, "set the display of a namespace; interpreted"},
	{"⎕CS", FunctionClass, false, "run on in another namespace; interpreted"},
	{"⎕SHADOW", FunctionClass, false, "make names local; interpreted"},
	{"⎕REFS", FunctionClass, false, "the names in the source of a function; interpreted"},
	{"⎕STATE", FunctionClass, false, "the values of a name in the functions that run; interpreted"},
	{"⎕PATH", ArrayClass, true, "namespaces whose functions are known everywhere; interpreted"},
	{"⎕STACK", ArrayClass, false, "the functions and the texts that run; interpreted"},
	{"⎕TRAP", ArrayClass, true, "what to do when errors happen; interpreted"},
	{"⎕SE", ArrayClass, false, "a reference to the namespace of the session; interpreted"},
	{"⎕RSI", ArrayClass, false, "references to the namespaces that functions were called from; interpreted"},
	{"⎕NSI", ArrayClass, false, "names of the namespaces that functions were called from; interpreted"},
	{"⎕NULL", ArrayClass, false, "a reference to nothing; interpreted"},
	{"⎕DCT", ArrayClass, false, "comparison tolerance of decimal numbers, which there are none of; interpreted"},
	{"⎕Á", ArrayClass, false, "the letters that once were underscored; interpreted"},
	{"⎕AV", ArrayClass, false, "256 characters, the old character set; interpreted"},
	{"⎕AVU", ArrayClass, false, "the code points of ⎕AV; interpreted"},
	{"⎕TC", ArrayClass, false, "backspace, linefeed, newline; interpreted"},
	{"⎕AN", ArrayClass, false, "the user's name; interpreted"},
	{"⎕WSID", ArrayClass, false, "the name of the workspace: CLEAR WS; interpreted"},
	{"⎕WA", ArrayClass, false, "bytes of free memory; interpreted"},
	{"⎕SD", ArrayClass, false, "lines and columns of the screen; interpreted"},
	{"⎕FR", ArrayClass, true, "kind of floating numbers; 645 only; interpreted"},
	{"⎕TID", ArrayClass, false, "number of the thread: 0; interpreted"},
	{"⎕TNUMS", ArrayClass, false, "numbers of the threads; interpreted"},
	{"⎕LX", ArrayClass, false, "latent expression: empty; interpreted"},
	{"⎕ARG", ArrayClass, false, "command line arguments"},
	{"⎕OFF", ArrayClass, false, "end the program"},
	{"⎕UCS", FunctionClass, false, "Unicode code points from characters and back"},
	{"⎕C", FunctionClass, false, "case folding and mapping"},
	{"⎕DR", FunctionClass, false, "data representation"},
	{"⎕NGET", FunctionClass, false, "read a file"},
	{"⎕NPUT", FunctionClass, false, "write a file"},
	{"⎕NNUMS", ArrayClass, false, "tie numbers of native files; interpreted"},
	{"⎕NNAMES", ArrayClass, false, "names of tied native files; interpreted"},
	{"⎕NTIE", FunctionClass, false, "tie a native file; interpreted"},
	{"⎕NCREATE", FunctionClass, false, "create a native file; interpreted"},
	{"⎕NUNTIE", FunctionClass, false, "untie native files; interpreted"},
	{"⎕NREAD", FunctionClass, false, "read from a native file; interpreted"},
	{"⎕NAPPEND", FunctionClass, false, "append to a native file; interpreted"},
	{"⎕NREPLACE", FunctionClass, false, "replace a part of a native file; interpreted"},
	{"⎕NSIZE", FunctionClass, false, "sizes of native files; interpreted"},
	{"⎕NERASE", FunctionClass, false, "erase a native file; interpreted"},
	{"⎕NRENAME", FunctionClass, false, "rename a native file; interpreted"},
	{"⎕NRESIZE", FunctionClass, false, "change the size of a native file; interpreted"},
	{"⎕NPARTS", FunctionClass, false, "path, base name and extension of file names; interpreted"},
	{"⎕NINFO", FunctionClass, false, "properties of files; interpreted"},
	{"⎕NEXISTS", FunctionClass, false, "whether files exist; interpreted"},
	{"⎕NDELETE", FunctionClass, false, "delete files; interpreted"},
	{"⎕NCOPY", FunctionClass, false, "copy files; interpreted"},
	{"⎕NMOVE", FunctionClass, false, "move files; interpreted"},
	{"⎕MKDIR", FunctionClass, false, "make directories; interpreted"},
	{"⎕SH", FunctionClass, false, "run a command of the shell, with --allow-shell; interpreted"},
	{"⎕CMD", FunctionClass, false, "run a command of the shell, with --allow-shell; interpreted"},
	{"⎕NPY", FunctionClass, false, "read or write an array in a NumPy file (not in Dyalog)"},
	{"⎕NPZ", FunctionClass, false, "read or write arrays and their names in a NumPy archive (not in Dyalog); interpreted"},
	{"⎕ARROW", FunctionClass, false, "read or write the columns of a table and their names in Apache Arrow's format (not in Dyalog); interpreted"},
	{"⎕PLOT", FunctionClass, false, "a picture of numbers (not in Dyalog); interpreted"},
	{"⎕CSV", FunctionClass, false, "read or write comma separated values"},
	{"⎕VFI", FunctionClass, false, "which fields of a text are numbers, and the numbers"},
	{"⎕SIGNAL", FunctionClass, false, "stop with an error"},
	{"⎕FMT", FunctionClass, false, "the display of an array as a matrix; interpreted"},
	{"⎕JSON", FunctionClass, false, "read or write JSON; interpreted"},
	{"⎕DT", FunctionClass, false, "dates from one form to another; interpreted"},
	{"⎕SIZE", FunctionClass, false, "bytes that the values of names take; interpreted"},
	{"⎕XML", FunctionClass, false, "read or write XML; interpreted"},
	{"⎕NC", FunctionClass, false, "classes of names; interpreted"},
	{"⎕DL", FunctionClass, false, "wait; interpreted"},
	{"⎕R", DyadicOperator, false, "replace what matches regular expressions; interpreted"},
	{"⎕S", DyadicOperator, false, "search for regular expressions; interpreted"},
	{"⎕OPT", DyadicOperator, false, "options, as ⍠; interpreted"},
}

// glyphAt maps every canonical glyph and look-alike of one character to its
// row in Glyphs, and systemAt every system name to its row in SystemNames.
var (
	glyphAt  = map[rune]int16{}
	systemAt = map[string]*SystemName{}
	outer    *Glyph // the row of ∘.
)

func init() {
	for i := range Glyphs {
		g := &Glyphs[i]
		if g.Glyph == "∘." {
			outer = g
			continue
		}
		for _, r := range g.Glyph + g.Looks {
			glyphAt[r] = int16(i)
		}
	}
	for i := range SystemNames {
		systemAt[SystemNames[i].Name] = &SystemNames[i]
	}
}

// LookupGlyph returns the row of a canonical glyph or of a look-alike, or nil.
func LookupGlyph(glyph string) *Glyph {
	if glyph == outer.Glyph {
		return outer
	}
	r := []rune(glyph)
	if len(r) != 1 {
		return nil
	}
	if i, ok := glyphAt[r[0]]; ok {
		return &Glyphs[i]
	}
	return nil
}

// LookupSystem returns the row of a system name in any case, or nil.
func LookupSystem(name string) *SystemName { return systemAt[strings.ToUpper(name)] }
