package infer

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/internal/structured"
	"github.com/tailor-lang/tailor/tail"
)

func init() {
	systemMonadics = map[string]monadicForm{
		"⎕UCS":    systemUCS,
		"⎕NGET":   systemNGet,
		"⎕CSV":    systemCSV,
		"⎕NPY":    systemNpy,
		"⎕C":      systemFold,
		"⎕DR":     systemDR,
		"⎕VFI":    systemVFI,
		"⎕SIGNAL": systemSignal,

		structured.None: noValue,
	}
	systemDyadics = map[string]dyadicForm{
		"⎕NPUT":   systemNPut,
		"⎕UCS":    systemEncode,
		"⎕CSV":    systemCSVPut,
		"⎕VFI":    systemVFIBy,
		"⎕SIGNAL": systemSignalText,
		"⎕C":      systemCase,
		"⎕NPY":    systemNpyPut,
		"⎕DR":     systemConvert,

		structured.Needed:   neededValue,
		structured.Returned: neededResult,
	}
}

// isSystem reports whether a name is a system variable.
func isSystem(name string) bool { return strings.HasPrefix(name, "⎕") && name != "⎕" }

// systemVariable returns the value of a system variable, nil for other names.
func (g *infer) systemVariable(x *apl.Var) tail.Expr {
	at := x.Span()
	s := site{fn: at, right: at}
	switch x.Ident {
	case "⎕IO":
		return lit(at, array.ScalarInt(int64(g.origin)))
	case "⎕CT":
		if g.exact {
			return lit(at, array.ScalarInt(0))
		}
		return lit(at, array.ScalarDouble(g.tolerance))
	case "⎕ML":
		return lit(at, array.ScalarInt(1))
	case "⎕PP":
		return lit(at, array.ScalarInt(int64(g.precision())))
	case "⎕A":
		return lit(at, array.VectorChar([]rune("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))
	case "⎕D":
		return lit(at, array.VectorChar([]rune("0123456789")))
	case "⎕OFF":
		return g.stop(lit(at, array.VectorChar(nil)), lit(at, array.ScalarInt(off)), 0, s)
	case "⎕RL":
		return g.strandOf([]tail.Expr{g.op(tail.OpGenerator, s), g.intLit(s, 1)}, s)
	case "⎕TS":
		return g.op(tail.OpTimeStamp, s)
	case "⎕AI":
		return g.op(tail.OpClock, s)
	case "⎕ARG":
		g.failFix(diag.SystemName, at, "take one argument, as in 1⊃⎕ARG, or count them: ≢⎕ARG", "⎕ARG as a whole")
	case "⎕", "⍞":
		g.fail(diag.SystemName, at, "input from the keyboard (%s)", x.Ident)
	}
	if isSystem(x.Ident) {
		g.fail(diag.SystemName, at, "%s", x.Ident)
	}
	return nil
}

// localSystem returns how to give the system variables that are set inside a
// dfn the values back that they have now, when it returns.
func (g *infer) localSystem() func() {
	origin, digits, tolerance, exact := g.origin, g.digitsNow, g.tolerance, g.exact
	return func() { g.origin, g.digitsNow, g.tolerance, g.exact = origin, digits, tolerance, exact }
}

// compiledVariables are the system variables that compiled programs assign, besides ⎕RL.
var compiledVariables = map[string]bool{"⎕IO": true, "⎕CT": true, "⎕ML": true, "⎕PP": true}

// setSystem assigns a system variable: inside a dfn, until that returns.
func (g *infer) setSystem(name string, e tail.Expr, at diag.Span) tail.Expr {
	if name == "⎕RL" {
		return g.setSeed(e, at)
	}
	if !compiledVariables[name] {
		g.fail(diag.SystemName, at, "%s", name)
	}
	e = g.name(e)
	if isTuple(e) {
		g.fail(diag.WrongDomain, at, "%s cannot be %s", name, e.Span().Text())
	}
	t := tail.TypeOf(e)
	if n, known := countOf(t).IsConst(); known && n != 1 {
		code := diag.WrongLength
		if t.Dims() > 1 {
			code = diag.WrongRank
		}
		g.fail(code, at, "%s cannot be an array of %d elements", name, n)
	}
	k, ok := constant(e)
	if a := g.value(e); !ok && a != nil && a.Len() == 1 && isReal(a.Elem) {
		k, ok = a.Double(0), true
	}
	switch {
	case !ok && !isReal(t.Elem):
		g.fail(diag.WrongDomain, at, "%s cannot be %s", name, e.Span().Text())
	case !ok:
		panic(unwound{err: diag.Errorf(diag.SystemName, g.visible(at), "%s that is not known when compiling", name), needs: true})
	case name == "⎕IO" && (k == 0 || k == 1):
		g.origin = int(k)
	case name == "⎕CT" && k >= 0 && k <= tail.MaxTolerance:
		g.setTolerance(k)
	case name == "⎕ML" && k == 1:
	case name == "⎕ML" && (k == 0 || k == 2 || k == 3):
		g.fail(diag.SystemName, at, "⎕ML other than 1")
	case name == "⎕PP" && k >= 1 && k <= display.MaxPrecision && k == float64(int(k)):
		g.setPrecision(int(k))
	default:
		g.fail(diag.WrongDomain, at, "%s cannot be %s", name, e.Span().Text())
	}
	return e
}

// setSeed is ⎕RL←e.
func (g *infer) setSeed(e tail.Expr, at diag.Span) tail.Expr {
	if e = g.name(e); isTuple(e) {
		g.setSeed(g.items(e)[0], at)
		return e
	}
	n := g.toInt(g.name(e))
	if tail.TypeOf(n).Dims() > 0 {
		n = g.op(tail.OpFirst, site{fn: at, right: e.Span()}, n)
	}
	g.effect(g.op(tail.OpSeed, site{fn: at, right: e.Span()}, n))
	return e
}

// setTolerance sets ⎕CT.
func (g *infer) setTolerance(ct float64) {
	g.tolerance, g.exact = ct, ct == 0
	if g.scope.parent == nil && !g.tolerant {
		g.fixTolerance()
	}
}

// fixTolerance makes ⎕CT that of the program.
func (g *infer) fixTolerance() {
	g.prog.Exact, g.prog.CT = g.exact, 0
	if g.tolerance != num.Tolerance {
		g.prog.CT = g.tolerance
	}
}

// dependOnTolerance notes that an op depends on ⎕CT, which is the same for all
// of the program that do. Comparisons with ⎕CT←0 have ops of their own.
func (g *infer) dependOnTolerance(s site) {
	if !g.tolerant {
		g.fixTolerance()
		g.tolerant = true
		return
	}
	if g.exact != g.prog.Exact || !g.exact && g.tolerance != g.prog.Tolerance() {
		g.failFix(diag.SystemName, s.fn, "set it once, at the top", "another ⎕CT after numbers were compared")
	}
}

// systemUCS is ⎕UCS: characters to code points and back.
func systemUCS(g *infer, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Elem == array.Char {
		return g.map1(y, tail.OpC2I, s)
	}
	return g.map1(g.toInt(y), tail.OpI2C, s)
}

// encodings has the definitions of the prelude for the encodings of ⎕UCS; the
// numbers of UTF-32 are the code points.
var encodings = map[string][2]string{
	"UTF-8": {"toutf8", "fromutf8"}, "UTF-16": {"toutf16", "fromutf16"}, "UTF-32": {},
}

// systemEncode is x ⎕UCS y: characters in an encoding, and back. With 83 behind
// the name, which must be UTF-8, bytes are signed.
func systemEncode(g *infer, x, y tail.Expr, s site) tail.Expr {
	signed := false
	if isTuple(x) {
		items := g.items(x)
		if n, ok := integer(items[len(items)-1]); len(items) == 2 && ok && n == 83 {
			x, signed = items[0], true
		}
	}
	var name string
	if l, ok := x.(*tail.Lit); ok && l.Value.Elem == array.Char && l.Value.Rank() == 1 {
		name = string(l.Value.Chars)
	}
	names, ok := encodings[name]
	if !ok || signed && name != "UTF-8" {
		g.failFix(diag.WrongDomain, s.fn, "write 'UTF-8', 'UTF-8' 83, 'UTF-16' or 'UTF-32'", "the left argument of ⎕UCS is no encoding")
	}
	t := g.arr(y, s.right)
	if t.Dims() > 1 {
		g.fail(diag.ArgumentRank, s.fn, "⎕UCS with an encoding of an array of rank %d", t.Dims())
	}
	s = site{fn: s.fn, right: s.right}
	y = g.ravel(y, s)
	switch {
	case t.Elem == array.Char && name == "UTF-32":
		return systemUCS(g, y, s)
	case t.Elem == array.Char:
		y = g.fromPrelude(g.preludeClosure(names[0]), nil, y, s)
		if signed {
			y = g.fromPrelude(g.preludeClosure("signedbytes"), nil, y, s)
		}
		return y
	}
	y = g.toInt(y)
	switch {
	case name == "UTF-32":
		return systemUCS(g, y, s)
	case signed:
		y = g.fromPrelude(g.preludeClosure("unsignedbytes"), nil, y, s)
	}
	return g.fromPrelude(g.preludeClosure(names[1]), nil, y, s)
}

// text returns an argument that is the name of a file.
func (g *infer) text(e tail.Expr, s site, what string) tail.Expr {
	if isTuple(e) {
		items := g.items(e)
		if len(items) > 1 {
			g.fail(diag.SystemName, s.fn, "%s with options", what)
		}
		e = items[0]
	}
	if t := tail.TypeOf(e); t.Elem != array.Char || t.Dims() > 1 {
		g.fail(diag.Characters, s.fn, "%s needs a file name, not %s", what, describeType(t))
	}
	return g.ravel(e, s)
}

// systemNGet is ⎕NGET: the text, its encoding and its line end.
func systemNGet(g *infer, y tail.Expr, s site) tail.Expr {
	lines := false
	if t, ok := y.Type().(*tail.TupleType); ok && len(t.Elems) == 2 {
		items := g.items(y)
		if n, ok := integer(items[1]); ok && (n == 0 || n == 1) {
			y, lines = items[0], n == 1
		}
	}
	text := g.op(tail.OpReadText, s, g.text(y, s, "⎕NGET"))
	if lines {
		text = g.raggedOfEmpty(g.fromPrelude(g.preludeClosure("linesof"), nil, text, s), s)
	}
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{text,
		lit(s.fn, array.VectorChar([]rune("UTF-8-NOBOM"))), lit(s.fn, array.VectorInt([]int64{10}))}}
}

// systemNPut is text ⎕NPUT file, or text ⎕NPUT file option: 0, where the file
// must be new, or 1, where it is replaced.
func systemNPut(g *infer, x, y tail.Expr, s site) tail.Expr {
	option := int64(0)
	if t, ok := y.Type().(*tail.TupleType); ok && len(t.Elems) == 2 {
		items := g.items(y)
		if n, ok := integer(items[1]); ok && (n == 0 || n == 1) {
			y, option = items[0], n
		}
	}
	y = g.name(g.text(y, s, "⎕NPUT"))
	return g.op(tail.OpWriteText, s, g.content(x, s), y, lit(s.fn, array.ScalarInt(option)))
}

// content is the text that ⎕NPUT writes: a text, or lines, which may be followed
// by an encoding, UTF-8, and a line end, 10. Every line ends with that.
func (g *infer) content(x tail.Expr, s site) tail.Expr {
	if isTuple(x) && !isStored(x) {
		items := g.items(x)
		encoding := len(items) > 1 && g.isText(items[1], "UTF-8", "UTF-8-NOBOM")
		end := len(items) < 3
		if len(items) == 3 {
			n, ok := integer(items[2])
			end = ok && n == 10
		}
		if len(items) > 1 && !(encoding && end) || len(items) > 3 {
			g.failFix(diag.SystemName, s.fn, "enclose lines: (⊂lines)⎕NPUT file", "⎕NPUT with options")
		}
		x = items[0]
	}
	newlined, newline := g.preludeClosure("newlined"), lit(s.fn, array.VectorChar([]rune{'\n'}))
	if isTuple(x) {
		return g.monadic(&primitive{glyph: "∊", at: s.fn}, g.eachTuple2(newlined, enclosure(newline, s), x, s), s)
	}
	return g.fromPrelude(g.preludeClosure("lastnewlined"), newline, g.text(x, s, "⎕NPUT"), s)
}

// isText reports whether e is one of some texts.
func (g *infer) isText(e tail.Expr, texts ...string) bool {
	a := g.value(e)
	return a != nil && a.Elem == array.Char && slices.Contains(texts, string(a.Chars))
}

// systemVFI is ⎕VFI: a truth value for each field between blanks, and its number.
func systemVFI(g *infer, y tail.Expr, s site) tail.Expr {
	return g.fromPrelude(g.preludeClosure("vfi"), nil, g.text(y, s, "⎕VFI"), s)
}

// systemVFIBy is x ⎕VFI y, with fields between the characters of x.
func systemVFIBy(g *infer, x, y tail.Expr, s site) tail.Expr {
	y = g.name(g.text(y, s, "⎕VFI"))
	return g.fromPrelude(g.preludeClosure("vfiby"), g.text(x, s, "⎕VFI"), y, s)
}

// systemCSV is ⎕CSV: a matrix of numbers, of the type of the annotation.
func systemCSV(g *infer, y tail.Expr, s site) tail.Expr {
	if g.note == nil {
		g.failFix(diag.SystemName, s.fn, "write the type behind the binding: x←⎕CSV 'f' ⍝: [double]2", "a table of texts (⎕CSV without an annotation)")
	}
	return g.read(tail.OpReadCSV, y, tail.Ranked(array.Double, 2), "⎕CSV", s)
}

// systemCSVPut is x ⎕CSV y: the matrix x as comma-separated text, written to
// the file y, which must be new, or, where y is empty, as the result.
func systemCSVPut(g *infer, x, y tail.Expr, s site) tail.Expr {
	if isTuple(x) {
		g.refuse(diag.SystemName, "⎕CSV", "of a nested array", s)
	}
	if isTuple(y) {
		g.refuse(diag.SystemName, "⎕CSV", "with a description of the data", s)
	}
	switch t := g.arr(x, s.left); {
	case t.Dims() != 2:
		g.fail(diag.ArgumentRank, s.fn, "the left argument of ⎕CSV has rank %d, it is a matrix", t.Dims())
	case t.Elem == array.Complex:
		g.refuse(diag.SystemName, "⎕CSV", "of complex numbers", s)
	}
	if n, ok := tail.TypeOf(y).Extent(0).IsConst(); tail.TypeOf(y).Dims() == 1 && ok && n == 0 {
		g.effect(y)
		return g.op(tail.OpCSVText, s, x)
	}
	y = g.name(g.text(y, s, "⎕CSV"))
	return g.op(tail.OpWriteText, s, g.op(tail.OpCSVText, s, x), y, lit(s.fn, array.ScalarInt(0)))
}

// systemNpy is ⎕NPY: an array of the annotation's type.
func systemNpy(g *infer, y tail.Expr, s site) tail.Expr {
	return g.read(tail.OpReadNpy, y, nil, "⎕NPY", s)
}

// read applies an op whose result has the annotated type.
func (g *infer) read(op tail.Op, y tail.Expr, otherwise *tail.Array, what string, s site) tail.Expr {
	ty := otherwise
	if g.note != nil {
		text := strings.TrimSpace(g.note.Text)
		parsed, err := tail.ParseType(text)
		t, ok := parsed.(*tail.Array)
		if err != nil || !ok {
			g.failFix(diag.UnknownType, g.note.Span(), "write an array type, such as [double]2", "not a type for %s: %s", what, text)
		}
		ty = t
	}
	if ty == nil {
		g.failFix(diag.UnknownType, s.fn, "write the type behind the binding: x←⎕NPY 'f' ⍝: [double]2", "%s needs an annotation", what)
	}
	if n, ok := ty.Rank.IsConst(); !ok || ty.ElemVar != "" || op == tail.OpReadCSV && n != 2 || ty.Elem == array.Char || op == tail.OpReadCSV && ty.Elem == array.Complex {
		g.fail(diag.UnknownType, s.fn, "%s cannot give %s", what, describeType(ty))
	}
	return &tail.Apply{At: tail.At{Where: s.fn}, Op: op, Args: []tail.Expr{g.text(y, s, what)}, Ty: ty.Plain(),
		Blame: tail.Blame{Operands: [2]diag.Span{s.left, s.right}},
		Size:  &tail.Origin{Where: s.span()}}
}

// systemNpyPut is x ⎕NPY file.
func systemNpyPut(g *infer, x, y tail.Expr, s site) tail.Expr {
	y = g.name(g.text(y, s, "⎕NPY"))
	g.arr(x, s.left)
	return g.op(tail.OpWriteNpy, s, x, y)
}

// argument is k⊃⎕ARG.
func (g *infer) argument(x tail.Expr, s site) tail.Expr {
	k := g.inward(g.toInt(g.single(x, s, "the number of an argument")), s)
	return g.op(tail.OpArgText, s, k)
}

// arguments is ⊃⎕ARG or ≢⎕ARG; nil for other functions.
func (g *infer) arguments(glyph string, s site) tail.Expr {
	switch glyph {
	case "⊃":
		return g.op(tail.OpArgText, s, lit(s.right, array.ScalarInt(1)))
	case "≢":
		return g.op(tail.OpArgCount, s)
	}
	return nil
}

// precision returns ⎕PP.
func (g *infer) precision() int {
	if g.digitsNow == 0 {
		return display.DefaultPrecision
	}
	return g.digitsNow
}

// setPrecision sets ⎕PP, inside a dfn until that returns. It is that of the
// program where nothing has been displayed before.
func (g *infer) setPrecision(pp int) {
	g.digitsNow = pp
	if g.scope.parent == nil && !g.displays {
		g.prog.PP = pp
	}
}

// digits returns the print precision of an op that displays, nil where it is
// that of the program.
func (g *infer) digits() []int {
	g.displays = true
	if g.digitsNow == g.prog.PP {
		return nil
	}
	return []int{g.precision()}
}

// systemDR is ⎕DR: the type code of the smallest type of Dyalog that holds the
// elements. Booleans and doubles do not look at the elements.
func systemDR(g *infer, y tail.Expr, s site) tail.Expr {
	switch g.arr(y, s.right).Elem {
	case array.Bool:
		g.effect(y)
		return g.intLit(s, 11)
	case array.Double:
		g.effect(y)
		return g.intLit(s, 645)
	case array.Complex:
		g.effect(y)
		return g.intLit(s, 1289)
	case array.Char:
		return g.fromPrelude(g.preludeClosure("drchar"), nil, y, s)
	}
	return g.fromPrelude(g.preludeClosure("drint"), nil, y, s)
}

// systemConvert is x ⎕DR y: the bits of y as elements of the type x, or with
// 0 645 the numbers of y as doubles, and which of them could be converted.
func systemConvert(g *infer, x, y tail.Expr, s site) tail.Expr {
	t := g.arr(y, s.right)
	to := g.value(g.toInt(x))
	switch {
	case to == nil:
		g.needsConstant(diag.SystemName, s.fn, "the left argument of ⎕DR must be known when compiling")
	case to.Len() == 2 && to.Int(0) == 0 && to.Int(1) == 645 && isReal(t.Elem):
		y = g.name(y)
		ones := g.op(tail.OpReshape, s, g.shapeOf(y, s), lit(s.fn, array.ScalarBool(true)))
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{g.toDouble(y), ones}}
	case to.Len() != 1:
		g.fail(diag.SystemName, s.fn, "⎕DR with this left argument")
	case t.Dims() > 1:
		g.fail(diag.SystemName, s.fn, "⎕DR with two arguments of an array of rank %d", t.Dims())
	}
	y = g.ravel(y, s)
	bits := y
	switch t.Elem {
	case array.Double, array.Complex:
		g.fail(diag.SystemName, s.fn, "⎕DR of %ss", t.Elem)
	case array.Int:
		bits = g.fromPrelude(g.preludeClosure("bitsofint"), nil, y, s)
	case array.Char:
		bits = g.fromPrelude(g.preludeClosure("bitsofchar"), nil, y, s)
	}
	widths := map[int64]int{83: 1, 163: 2, 323: 4, 80: 1, 160: 2, 320: 4}
	switch code := to.Int(0); code {
	case 11:
		return bits
	case 83, 163, 323:
		return g.fromPrelude(g.preludeClosure("frombits"), g.intLit(s, widths[code]), g.toInt(bits), s)
	case 80, 160, 320:
		return g.fromPrelude(g.preludeClosure("frombitschar"), g.intLit(s, widths[code]), g.toInt(bits), s)
	case 645, 1287, 1289:
		g.fail(diag.SystemName, s.fn, "bits as doubles by ⎕DR")
	default:
		g.fail(diag.WrongDomain, s.fn, "⎕DR to the type %d", code)
	}
	return nil
}

// systemFold is ⎕C y; numbers stay as they are.
func systemFold(g *infer, y tail.Expr, s site) tail.Expr {
	if g.arr(y, s.right).Elem != array.Char {
		return y
	}
	return g.map1(y, tail.OpFoldC, s)
}

// systemCase is 1 ⎕C y for upper case, ¯1 ⎕C y for lower case.
func systemCase(g *infer, x, y tail.Expr, s site) tail.Expr {
	k, ok := integer(g.toInt(g.single(x, s, "the left argument of ⎕C")))
	op := map[int64]tail.Op{1: tail.OpUpperC, -1: tail.OpLowerC, -3: tail.OpFoldC}[k]
	switch {
	case !ok:
		g.needsConstant(diag.SystemName, s.fn, "the left argument of ⎕C must be known when compiling")
	case op == tail.NoOp:
		g.fail(diag.WrongDomain, s.fn, "the left argument of ⎕C is %d", k)
	case g.arr(y, s.right).Elem != array.Char:
		return y
	}
	return g.map1(y, op, s)
}
