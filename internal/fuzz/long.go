package fuzz

import "fmt"

// longForms are sums over vectors that are long enough for vector code, tiles and
// lanes: loops under ¨ that end at different steps, and characters kept in bytes.
func longForms() []form { return []form{longEach, longEach, longBytes, longGrade, longScan} }

// longExtent is a length at which loops change their ways, or beside it.
func (g *generator) longExtent() string {
	return fmt.Sprint(edgeExtents[g.rnd.Intn(len(edgeExtents))] + g.rnd.Intn(3))
}

// longEach applies a function with a loop of its own to each of many integers.
func longEach(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	f := g.one("{-/⍳⍵}", "({⍵×2}⍣5)", "{({⍵×3}⍣4)⍵}", "{0{⍵=0:⍺ ⋄ (⍺+⍵)∇ ⍵-1}⍵}", "{⍵>3:⍵ ⋄ ∇⍵+1}", "{+/⍵=⍳5}",
		"{a←0 ⋄ a+←⍵ ⋄ a×a}", "{⌈/⍵|⍳4}", "{({⍵>9}{⍺⍺ ⍵:⍵ ⋄ ⍵×2}1⌈⍵)}", "{⍺←1 ⋄ ⍵≤1:⍺ ⋄ (⍺×⍵)∇⍵-1}", "{⌊⍵÷2}⍣2", "{10⊥⌽⍵ 1}", "{≢⍵⍴7}", "{⊃⌽⍋⍵⍴3 1 2}")
	vector := g.one("5⌊0⌈", "7|", "3⌊1⌈")
	return monadic(k, shape, g.one("+/", "-/", "⊃⌽", "+/+\\", "⌈/")+f+"¨"+g.longExtent()+"⍴"+vector,
		g.expr(integer, []int{1 + g.rnd.Intn(4)}, depth))
}

// longBytes looks at characters of a long vector.
func longBytes(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	f := g.one("{+/⍋⍵}", "{+/⍒⍵}", "{≢∪⍵}", "{+/'b'=⍵}", "{+/⍵∊'ab '}", "{+/'xya'⍳⍵}", "{+/≢¨(⍵≠' ')⊆⍵}", "{+/⎕UCS ⍵}", "{+/⍵≠⌽⍵}",
		"{+/{≢⍵}⌸⍵}", "{+/⍸⍵='a'}", "{+/⎕UCS ⍵[⍋⍵]}", "{≢⍵~'x'}", "{+/⎕UCS 1 ⎕C ⍵}", "{+/,⍵∘.='xa'}", "{+/2{⍺=⍵}/⍵}", "{+/'ya'⍷⍵}", "{+/≠⍵}", "{≡/(⌽⌽⍵)⍵}")
	return monadic(k, shape, f+"("+g.longExtent()+"×"+g.one("1", "×⎕TS[1]")+")⍴", g.expr(char, []int{1 + g.rnd.Intn(5)}, depth))
}

// longGrade sorts and searches long vectors of numbers.
func longGrade(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	f := g.one("{+/⍋⍵}", "{+/⍒⍵}", "{≢∪⍵}", "{+/⍵⍳⌽⍵}", "{+/⍵∊3↑⍵}", "{+/{≢⍵}⌸⍵}", "{+/⍸⍵=⊃⍵}", "{≢⍵~⊃⍵}", "{+/≠⍵}", "{+/(⍵[⍋⍵])⍸⍵}", "{+/2</⍵}", "{⊃⍵⍳⌈/⍵}")
	return monadic(k, shape, f+"("+g.longExtent()+"×"+g.one("1", "×⎕TS[1]")+")⍴", g.expr(g.numeric(), []int{1 + g.rnd.Intn(5)}, depth))
}

// longScan is the end of a scan, or a sum of windows, of a long vector.
func longScan(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 0 || k != integer && k != boolean {
		return nil
	}
	f := g.one("⊃⌽+\\", "⊃⌽⌈\\", "+/2-/", "+/3⌊/", "+/¯2+/", "⊃⌽{⍺+⍵}\\", "⊃-/5⌽", "+/⌽¯7⌽")
	if k == boolean {
		f = g.one("⊃⌽≠\\", "⊃⌽<\\", "∧/", "≠/", "∨/2≠/", "⊃∨\\", "⊃⌽∧\\", "=/")
	}
	return monadic(k, shape, f+"("+g.longExtent()+"×"+g.one("1", "×⎕TS[1]")+")⍴", g.expr(k, []int{1 + g.rnd.Intn(5)}, depth))
}
