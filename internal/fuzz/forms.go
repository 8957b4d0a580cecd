package fuzz

import "fmt"

// form makes an expression of a type and shape, or nil where it cannot.
type form func(g *generator, k kind, shape []int, depth int) *node

// forms are the ways to make an expression; the frequent ones stand twice.
var forms []form

func init() {
	forms = []form{
		scalarDyadic, scalarDyadic, scalarMonadic, comparison, logic, conversion,
		reduction, scan, windows, innerProduct, outerProduct,
		reverse, rotate, transpose, reshape, catenate, catenateScalar, laminate,
		take, drop, compress, replicate, expand, index, membership, grade,
		each, dfn, power, ravel, train, update, rank, guard, pick, tally, unique,
	}
	forms = append(forms, moreForms()...)
	forms = append(forms, operatorForms()...)
	forms = append(forms, dynamicForms()...)
	forms = append(forms, nestedForms()...)
	forms = append(forms, scopeForms()...)
	forms = append(forms, longForms()...)
}

// operands returns two operands whose scalar extension has the given shape.
func (g *generator) operands(k1, k2 kind, shape []int, depth int) (x, y *node) {
	s1, s2 := shape, shape
	switch g.rnd.Intn(4) {
	case 0:
		s1 = nil
	case 1:
		s2 = nil
	}
	return g.expr(k1, s1, depth), g.expr(k2, s2, depth)
}

func scalarDyadic(g *generator, k kind, shape []int, depth int) *node {
	switch k {
	case integer:
		x, y := g.operands(kind(g.rnd.Intn(2)), integer, shape, depth)
		return dyadic(k, shape, x, g.one("+", "-", "×", "⌊", "⌈", "|"), y)
	case double:
		x, y := g.operands(g.numeric(), double, shape, depth)
		return dyadic(k, shape, x, g.one("+", "-", "×", "⌊", "⌈", "÷", "|"), y)
	case complexes:
		x, y := g.operands(g.number(), complexes, shape, depth)
		return dyadic(k, shape, x, g.one("+", "-", "×", "÷", "|", "∨", "∧"), y)
	}
	return nil
}

func scalarMonadic(g *generator, k kind, shape []int, depth int) *node {
	switch k {
	case boolean:
		return monadic(k, shape, "~", g.expr(boolean, shape, depth))
	case integer:
		return monadic(k, shape, g.one("-", "|", "×", "+"), g.expr(integer, shape, depth))
	case double:
		if g.rnd.Intn(4) == 0 {
			return monadic(k, shape, g.one("|", "9○", "11○"), g.expr(complexes, shape, depth))
		}
		return monadic(k, shape, g.one("-", "|", "+", "○", "÷", "*1⌊"), g.expr(double, shape, depth))
	case complexes:
		return monadic(k, shape, g.one("-", "+", "×", "÷", "⌊", "⌈", "¯11○", "0J1×", "2*⍨", "2!"), g.expr(complexes, shape, depth))
	}
	return nil
}

func comparison(g *generator, k kind, shape []int, depth int) *node {
	if k != boolean {
		return nil
	}
	if g.rnd.Intn(3) == 0 {
		x, y := g.operands(char, char, shape, depth)
		return dyadic(k, shape, x, g.one("=", "≠"), y)
	}
	if g.rnd.Intn(4) == 0 {
		x, y := g.operands(g.number(), complexes, shape, depth)
		return dyadic(k, shape, x, g.one("=", "≠"), y)
	}
	x, y := g.operands(g.numeric(), g.numeric(), shape, depth)
	return dyadic(k, shape, x, g.one("<", "≤", "=", "≥", ">", "≠"), y)
}

func logic(g *generator, k kind, shape []int, depth int) *node {
	if k != boolean {
		return nil
	}
	x, y := g.operands(boolean, boolean, shape, depth)
	return dyadic(k, shape, x, g.one("∧", "∨", "⍲", "⍱", "≠", "="), y)
}

func conversion(g *generator, k kind, shape []int, depth int) *node {
	switch k {
	case integer:
		if g.rnd.Intn(2) == 0 {
			return monadic(k, shape, g.one("⌊", "⌈"), g.expr(double, shape, depth))
		}
		return monadic(k, shape, "0+", g.expr(boolean, shape, depth))
	case complexes:
		return monadic(k, shape, g.one("0J1×", "1J2+", "1J1*3⌊2⌈"), g.expr(g.numeric(), shape, depth))
	case double:
		return monadic(k, shape, "0.5×", g.expr(kind(g.rnd.Intn(2)), shape, depth))
	}
	return nil
}

// inserted returns shape with n inserted as axis i.
func inserted(shape []int, i, n int) []int {
	s := append(append(append([]int{}, shape[:i]...), n), shape[i:]...)
	return s
}

// with returns shape with axis i changed to n.
func with(shape []int, i, n int) []int {
	s := append([]int{}, shape...)
	s[i] = n
	return s
}

func reduction(g *generator, k kind, shape []int, depth int) *node {
	n := g.rnd.Intn(5)
	axis := g.rnd.Intn(len(shape) + 1)
	full := inserted(shape, axis, n)
	f := ""
	switch k {
	case boolean:
		f = g.one("∧", "∨", "≠", "=", "<")
	case integer:
		f = g.one("+", "-", "×", "⌊", "⌈", "{⍺+2×⍵}", "{⍺-⍵}")
	case double:
		f = g.one("+", "-", "⌊", "⌈", "{⍺+0.5×⍵}")
	case complexes:
		f = g.one("+", "-", "×", "{⍺+0J1×⍵}")
	default:
		return nil
	}
	if n == 0 && (f[0] == '{' || f == "⌊" || f == "⌈") {
		return nil // no identity, or one of another type
	}
	op := fmt.Sprintf("/[%d]", axis+1)
	switch {
	case axis == len(shape):
		op = "/"
	case axis == 0:
		op = "⌿"
	}
	return monadic(k, shape, f+op, g.expr(k, full, depth))
}

func scan(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	f := ""
	switch k {
	case boolean:
		f = g.one("∧", "∨", "≠", "=", "<")
	case integer:
		f = g.one("+", "-", "×", "⌊", "⌈", "{⍺-2×⍵}")
	case double:
		f = g.one("+", "-", "⌊", "⌈")
	case complexes:
		f = g.one("+", "-", "×", "{⍺-0J1×⍵}")
	default:
		return nil
	}
	return monadic(k, shape, f+g.one("\\", "⍀"), g.expr(k, shape, depth))
}

func windows(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 || k != integer && k != double {
		return nil
	}
	n := 1 + g.rnd.Intn(3)
	last := len(shape) - 1
	sign := g.one("", "¯")
	return monadic(k, shape, fmt.Sprintf("%s%d%s/", sign, n, g.one("+", "⌈", "-")),
		g.expr(k, with(shape, last, shape[last]+n-1), depth))
}

func innerProduct(g *generator, k kind, shape []int, depth int) *node {
	if k == char || len(shape) > 2 {
		return nil
	}
	n := 1 + g.rnd.Intn(4)
	cut := g.rnd.Intn(len(shape) + 1)
	x := append(append([]int{}, shape[:cut]...), n)
	y := append([]int{n}, shape[cut:]...)
	f := g.one("+.×", "⌈.+", "⌊.-", "-.×")
	switch k {
	case boolean:
		f = g.one("∧.=", "∨.∧", "≠.≥")
	case complexes:
		f = g.one("+.×", "-.×", "×.+")
	}
	return dyadic(k, shape, g.expr(k, x, depth), f, g.expr(k, y, depth))
}

func outerProduct(g *generator, k kind, shape []int, depth int) *node {
	if k == char {
		return nil
	}
	cut := g.rnd.Intn(len(shape) + 1)
	f := g.one("+", "-", "×", "⌊", "{⍺+2×⍵}")
	switch k {
	case boolean:
		f = g.one("=", "∧", "<", "≠")
	case complexes:
		f = g.one("+", "-", "×", "{⍺+2×⍵}")
	}
	return dyadic(k, shape, g.expr(k, shape[:cut], depth), "∘."+f, g.expr(k, shape[cut:], depth))
}

func reverse(g *generator, k kind, shape []int, depth int) *node {
	return monadic(k, shape, g.one("⌽", "⊖"), g.expr(k, shape, depth))
}

func rotate(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	if len(shape) == 2 && g.rnd.Intn(3) == 0 {
		return dyadic(k, shape, g.expr(integer, shape[:1], 0), "⌽", g.expr(k, shape, depth))
	}
	return monadic(k, shape, g.one("1", "2", "¯1", "¯3", "0", "7")+g.one("⌽", "⊖"), g.expr(k, shape, depth))
}

func transpose(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) < 2 || g.rnd.Intn(2) == 0 {
		back := make([]int, len(shape))
		for i, n := range shape {
			back[len(shape)-1-i] = n
		}
		return monadic(k, shape, "⍉", g.expr(k, back, depth))
	}
	perm := g.rnd.Perm(len(shape))
	from := make([]int, len(shape))
	names := make([]int, len(shape))
	for i, p := range perm {
		from[i], names[i] = shape[p], p+1
	}
	return monadic(k, shape, numbers(names)+"⍉", g.expr(k, from, depth))
}

func reshape(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	return monadic(k, shape, numbers(shape)+"⍴", g.expr(k, g.anyShape(), depth))
}

func catenate(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	axis := g.rnd.Intn(len(shape))
	n := g.rnd.Intn(shape[axis] + 1)
	f := fmt.Sprintf(",[%d]", axis+1)
	return dyadic(k, shape, g.expr(k, with(shape, axis, n), depth), f, g.expr(k, with(shape, axis, shape[axis]-n), depth))
}

func catenateScalar(g *generator, k kind, shape []int, depth int) *node {
	last := len(shape) - 1
	if last < 0 || shape[last] == 0 {
		return nil
	}
	rest := g.expr(k, with(shape, last, shape[last]-1), depth)
	one := g.expr(k, nil, depth)
	if last > 0 && g.rnd.Intn(2) == 0 {
		one = g.expr(k, shape[:last], depth)
	}
	if g.rnd.Intn(2) == 0 {
		return dyadic(k, shape, one, ",", rest)
	}
	return dyadic(k, shape, rest, ",", one)
}

func laminate(g *generator, k kind, shape []int, depth int) *node {
	for axis, n := range shape {
		if n == 2 {
			part := append(append([]int{}, shape[:axis]...), shape[axis+1:]...)
			x, y := g.operands(k, k, part, depth)
			if len(x.shape) == 0 && len(y.shape) == 0 {
				return dyadic(k, shape, x, ",", y)
			}
			return dyadic(k, shape, x, fmt.Sprintf(",[%d.5]", axis), y)
		}
	}
	return nil
}

func take(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	counts, from := make([]int, len(shape)), make([]int, len(shape))
	for i, n := range shape {
		counts[i] = n
		if g.rnd.Intn(2) == 0 {
			counts[i] = -n
		}
		from[i] = max(0, n+g.rnd.Intn(4)-1)
	}
	return monadic(k, shape, numbers(counts)+"↑", g.expr(k, from, depth))
}

func drop(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 {
		return nil
	}
	counts, from := make([]int, len(shape)), make([]int, len(shape))
	for i, n := range shape {
		c := g.rnd.Intn(3)
		counts[i], from[i] = c, n+c
		if g.rnd.Intn(2) == 0 {
			counts[i] = -c
		}
	}
	return monadic(k, shape, numbers(counts)+"↓", g.expr(k, from, depth))
}

// mask returns a literal with n ones and some zeros, and its length.
func (g *generator) mask(n int) (string, int) {
	text, length := "", 0
	for n > 0 || g.rnd.Intn(3) == 0 {
		if n > 0 && g.rnd.Intn(3) > 0 {
			text, n = text+"1 ", n-1
		} else {
			text += "0 "
		}
		length++
	}
	if length < 2 {
		return "(," + text + ")", length
	}
	return "(" + text + ")", length
}

func compress(g *generator, k kind, shape []int, depth int) *node {
	last := len(shape) - 1
	if last < 0 {
		return nil
	}
	if shape[0] > 0 && g.rnd.Intn(2) == 0 {
		mask, n := g.mask(shape[0])
		return monadic(k, shape, mask+"⌿", g.expr(k, with(shape, 0, n), depth))
	}
	if shape[last] == 0 {
		return nil
	}
	mask, n := g.mask(shape[last])
	return monadic(k, shape, mask+"/", g.expr(k, with(shape, last, n), depth))
}

func replicate(g *generator, k kind, shape []int, depth int) *node {
	last := len(shape) - 1
	if last < 0 || shape[last]%2 != 0 {
		return nil
	}
	return monadic(k, shape, "2/", g.expr(k, with(shape, last, shape[last]/2), depth))
}

func expand(g *generator, k kind, shape []int, depth int) *node {
	last := len(shape) - 1
	if last < 0 || shape[last] < 2 {
		return nil
	}
	text, ones := "", 0
	for range shape[last] {
		bit := g.rnd.Intn(2)
		text, ones = text+fmt.Sprint(bit, " "), ones+bit
	}
	return monadic(k, shape, "("+text+")\\", g.expr(k, with(shape, last, ones), depth))
}

func index(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) == 0 || len(shape) > 2 {
		return nil
	}
	from := make([]int, len(shape))
	parts, kids := []string{""}, []*node{nil}
	text := "["
	for i, want := range shape {
		if i > 0 {
			text += ";"
		}
		if from[i] = 1 + g.rnd.Intn(4); i == 1 && g.rnd.Intn(3) == 0 {
			from[i] = want // an elided axis
			continue
		}
		parts = append(parts, fmt.Sprintf("%s1+%d|", text, from[i]))
		kids = append(kids, g.expr(integer, []int{want}, depth/2))
		text = ""
	}
	kids[0] = g.expr(k, from, depth)
	return &node{k, shape, append(parts, text+"]"), kids}
}

func membership(g *generator, k kind, shape []int, depth int) *node {
	of := g.anyKind()
	switch k {
	case boolean:
		return dyadic(k, shape, g.expr(of, shape, depth), "∊", g.expr(of, g.anyShape(), depth))
	case integer:
		return dyadic(k, shape, g.expr(of, []int{g.rnd.Intn(5)}, depth), "⍳", g.expr(of, shape, depth))
	}
	return nil
}

func grade(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 1 {
		return nil
	}
	of := []int{shape[0]}
	if g.rnd.Intn(4) == 0 {
		of = append(of, 2)
	}
	return monadic(k, shape, g.one("⍋", "⍒"), g.expr(g.anyKind(), of, depth))
}

func each(g *generator, k kind, shape []int, depth int) *node {
	switch k {
	case integer:
		return monadic(k, shape, g.one("{⍵+1}", "{⍵×⍵}", "{3|⍵}")+"¨", g.expr(integer, shape, depth))
	case double:
		return monadic(k, shape, g.one("{⍵÷2}", "{⍵>0:⍵ ⋄ -⍵}")+"¨", g.expr(double, shape, depth))
	case complexes:
		return monadic(k, shape, g.one("{⍵÷2}", "{⍵=0:1J1 ⋄ -⍵}")+"¨", g.expr(complexes, shape, depth))
	}
	return nil
}

func dfn(g *generator, k kind, shape []int, depth int) *node {
	switch k {
	case integer, double:
		return monadic(k, shape, g.one("{a←⍵+1 ⋄ a-⍵×2}", "{⍵-⌽⍵}", "{⍺←3 ⋄ ⍺+⍵}", "{{⍵+1}⍵}", "2{⍺×⍵}"), g.expr(k, shape, depth))
	}
	return nil
}

func power(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != double || len(shape) == 0 {
		return nil
	}
	f := g.one("{1⌽⍵}", "{⍵+1}", "{-⍵}", "(2∘+)", "⌽", "{⌽⍵-1}")
	return monadic(k, shape, fmt.Sprintf("(%s⍣%d)", f, g.rnd.Intn(4)), g.expr(k, shape, depth))
}

func ravel(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 {
		return nil
	}
	from := []int{shape[0]}
	if n := shape[0]; n%2 == 0 && g.rnd.Intn(2) == 0 {
		from = []int{n / 2, 2}
	}
	return monadic(k, shape, ",", g.expr(k, from, depth))
}

func train(g *generator, k kind, shape []int, depth int) *node {
	if k != integer && k != double {
		return nil
	}
	return monadic(k, shape, g.one("(⌽-⊢)", "(+⍨)", "(2×⊢)", "(⊢⌈-)", "(-∘|)", "(3∘⌊)"), g.expr(k, shape, depth))
}

// update assigns to one element of a vector inside a dfn.
func update(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 || shape[0] == 0 {
		return nil
	}
	at := 1 + g.rnd.Intn(shape[0])
	return dyadic(k, shape, g.expr(k, nil, depth), fmt.Sprintf("{r←⍵ ⋄ r[%d]←⍺ ⋄ r}", at), g.expr(k, shape, depth))
}

func rank(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) < 2 {
		return nil
	}
	f := g.one("⌽", "(1∘⌽)", "⊢")
	if k == integer {
		f = g.one("⌽", "(+\\)", "{⍵-⌈/⍵}")
	}
	return monadic(k, shape, "("+f+"⍤1)", g.expr(k, shape, depth))
}

func guard(g *generator, k kind, shape []int, depth int) *node {
	if k == char {
		return nil
	}
	return dyadic(k, shape, g.expr(boolean, nil, depth), "{⍺:⍵ ⋄ ⌽⍵}", g.expr(k, shape, depth))
}

func pick(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 0 {
		return nil
	}
	return monadic(k, shape, "⊃", g.expr(k, g.anyShape(), depth))
}

func tally(g *generator, k kind, shape []int, depth int) *node {
	if k != integer || len(shape) != 0 {
		return nil
	}
	return monadic(k, shape, g.one("≢", "≢⍴", "×/⍴"), g.expr(g.anyKind(), []int{g.rnd.Intn(4)}, depth))
}

func unique(g *generator, k kind, shape []int, depth int) *node {
	if len(shape) != 1 {
		return nil
	}
	return monadic(k, shape, fmt.Sprintf("%d↑", shape[0])+g.one("∪", "⌽∪"), g.expr(k, []int{g.rnd.Intn(6)}, depth))
}
