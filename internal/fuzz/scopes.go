package fuzz

import "fmt"

// scopeForms are forms with variables of outer functions that are set again,
// results that are shy, items of nested arrays by index and by assignment, system
// variables that change between calls, and values that only the clock tells.
func scopeForms() []form {
	return []form{setAgain, shy, nestedIndex, nestedAssign, nestedChange, originChange, precisionChange, clock, clock}
}

// local returns a name for a variable of a function.
func (g *generator) local() string {
	g.locals++
	return fmt.Sprintf("w%d", g.locals)
}

// setAgain reads a variable of the function around it, before or after it is
// set again.
func setAgain(g *generator, k kind, shape []int, depth int) *node {
	v, f, w := g.local(), g.local(), g.local()
	last := g.one(w, f+" 0", v)
	return &node{k, shape, []string{
		"{" + v + "←", fmt.Sprintf(" ⋄ %s←{%s} ⋄ %s←%s 0 ⋄ %s←", f, v, w, f, v), " ⋄ " + last + "}0",
	}, []*node{g.expr(k, shape, depth), g.expr(k, shape, depth)}}
}

// shy is the result of a function that ends in an assignment.
func shy(g *generator, k kind, shape []int, depth int) *node {
	return &node{k, shape, []string{"{⍵=1:", " ⋄ " + g.local() + "←", "}" + g.one("0", "1", "×⎕TS[1]")},
		[]*node{g.expr(k, shape, depth), g.expr(k, shape, depth)}}
}

// nestedIndex is an item of a nested vector.
func nestedIndex(g *generator, k kind, shape []int, depth int) *node {
	i := 1 + g.rnd.Intn(2)
	x, y := g.expr(k, shape, depth), g.expr(k, shape, depth)
	if len(shape) == 0 {
		return nil
	}
	return &node{k, shape, []string{"⊃(", " ", g.one(fmt.Sprintf(")[%d]", i), fmt.Sprintf(")[,%d]", i))}, []*node{x, y}}
}

// nestedAssign replaces items of a nested vector.
func nestedAssign(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	x, y := g.expr(k, shape, depth), g.expr(k, shape, depth)
	w := g.local()
	change := g.one("%[1]s[2]←%[1]s[1]", "%[1]s[1]←⊂⍵", "(1⊃%[1]s)←⍵", "(⊃%[1]s)←⌽⍵", "(⌽%[1]s)←%[1]s", "%[1]s[2 1]←%[1]s", "%[1]s←⌽%[1]s", "%[1]s,←⊂⍵")
	return dyadic(k, shape, x, fmt.Sprintf("{%s←⍺ ⍵ ⋄ "+change+" ⋄ "+g.one("⊃", "2⊃", "⊃1↓")+"%[1]s}", w), y)
}

// nestedChange changes elements of the items of a nested vector.
func nestedChange(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 || shape[0] == 0 || k != integer {
		return nil
	}
	w := g.local()
	change := g.one("(∊%[1]s)←3", "(⊃¨%[1]s)←7", "(1↑¨%[1]s)←4", "(2⊃¨⊂%[1]s)←⊂⍵", "%[1]s[1]+←⊂⍵", "((⊂2 1)⊃%[1]s)←9", "(1⊃2⊃%[1]s)←5", "((5<∊%[1]s)/∊%[1]s)←0", "%[1]s[⊂2 1]←8")
	return monadic(k, shape, fmt.Sprintf("{%s←⍵(⌽⍵) ⋄ "+change+" ⋄ "+g.one("⊃", "2⊃", "⊃+/")+"%[1]s}", w), g.expr(k, shape, depth))
}

// originChange calls a function before and after the index origin changes.
func originChange(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 || k != integer {
		return nil
	}
	f := g.one("⍳≢⍵", "⍋⍵", "⍵⍳⍵", "⍵[⍋⍵]", "⍸⍵=⍵", "(⌽⍳≢⍵)⌷⍵", "⊃⌽⍋⍵", "{⍵[⍒⍵]}⍵")
	name := g.local()
	return monadic(k, shape, fmt.Sprintf("{%s←{(≢⍵)↑%s} ⋄ %[1]s1←%[1]s ⍵ ⋄ ⎕IO←%[3]s ⋄ %[1]s1-2×%[1]s ⍵}", name, f, g.one("0", "1")), g.expr(k, shape, depth))
}

// precisionChange formats before and after the precision changes.
func precisionChange(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 0 || k != integer {
		return nil
	}
	name := g.local()
	f := fmt.Sprintf("{%s←{≢⍕⍵} ⋄ %[1]s1←%[1]s ⍵ ⋄ ⎕PP←%s ⋄ %[1]s1-2×%[1]s ⍵}", name, g.one("1", "3", "5", "10", "16", "17"))
	return monadic(k, shape, f, g.expr(g.numeric(), g.small(), depth))
}

// clock hides a value behind the clock, which no pass folds.
func clock(g *generator, k kind, shape []int, depth int) *node {
	x := g.expr(k, shape, depth)
	switch {
	case len(shape) > 0 && (k == char || g.rnd.Intn(2) == 0):
		return monadic(k, shape, "(¯1+×⎕TS[1])⌽", x)
	case k == boolean:
		return monadic(k, shape, "(×⎕TS[1])∧", x)
	case k == char:
		return monadic(k, shape, "⊃(¯1+×⎕TS[1])⌽,", x)
	}
	return monadic(k, shape, "(×⎕TS[1])×", x)
}

// edgeIntegers and edgeDoubles are the ends of ranges, and what is beside them.
var (
	edgeIntegers = []string{"9223372036854775807", "¯9223372036854775807", "¯9223372036854775808", "2147483647", "¯2147483648", "4294967296", "9007199254740993", "127", "¯128", "32768", "255"}
	edgeDoubles  = []string{"5E¯324", "1E308", "¯1E¯310", "2.2250738585072014E¯308", "1E15", "0.1", "¯4503599627370496.5"}
)

// edgeExtents are those at which loops change their ways.
var edgeExtents = []int{15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1023, 1024, 1025}

// edgeChars are the last and the first characters of one, two and four bytes.
var edgeChars = []string{"~é", "ÿ", "Ā", "⍴", "￿", "😀"}

// setting is what stands before line i.
func (g *generator) setting(i int) string {
	if i == 0 || g.rnd.Intn(6) > 0 {
		return ""
	}
	return g.one(settings...)
}

// settings are statements between the lines of a program.
var settings = []string{"⎕PP←3", "⎕PP←17", "⎕PP←10", "⎕IO←0", "⎕IO←1", "⎕←v0"}
