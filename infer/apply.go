package infer

import (
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// maxNesting is how deep applications of functions may nest while they are
// specialised and expanded.
const maxNesting = 1000

// enter counts one level of nesting; the result leaves it.
func (g *infer) enter(s site) func() {
	if g.depth++; g.depth > maxNesting {
		g.fail(diag.TooDeep, s.fn, "functions are applied inside each other more than %d deep", maxNesting)
	}
	return func() { g.depth-- }
}

// applying notes which primitive is applied; the result ends that.
func (g *infer) applying(s site) func() {
	saved := g.at
	g.at = s
	return func() { g.at = saved }
}

// monadic applies f to y.
func (g *infer) monadic(f function, y tail.Expr, s site) tail.Expr {
	defer g.enter(s)()
	defer g.doubting(f)()
	if isEither(y) {
		if z := g.eitherMonadic(f, y, s); z != nil {
			return z
		}
	}
	switch f := f.(type) {
	case *primitive:
		s.fn = f.at
		defer g.applying(s)()
		return g.primitiveMonadic(f, y, s)
	case *closure:
		return g.call(f, nil, y, s)
	case *derived:
		return g.derivedMonadic(f, y, s)
	case *fork:
		return g.forkOf(f, nil, y, s)
	case *atop:
		y = g.monadic(f.g, y, s)
		return g.monadic(f.f, y, site{fn: s.fn, right: s.right})
	case *axis:
		return g.axisMonadic(f, y, s)
	case *opaque:
		return g.applyOpaque(f, []tail.Expr{y}, s)
	case *changing:
		return f.apply(y)
	}
	panic("internal error: unknown function")
}

// dyadic applies f to x and y.
func (g *infer) dyadic(f function, x, y tail.Expr, s site) tail.Expr {
	defer g.enter(s)()
	defer g.doubting(f)()
	if isEither(x) || isEither(y) {
		if z := g.eitherDyadic(f, x, y, s); z != nil {
			return z
		}
	}
	switch f := f.(type) {
	case *primitive:
		s.fn = f.at
		defer g.applying(s)()
		return g.primitiveDyadic(f, x, y, s)
	case *closure:
		return g.call(f, x, y, s)
	case *derived:
		return g.derivedDyadic(f, x, y, s)
	case *fork:
		return g.forkOf(f, x, y, s)
	case *atop:
		y = g.dyadic(f.g, x, y, s)
		return g.monadic(f.f, y, site{fn: s.fn, right: s.right})
	case *axis:
		return g.axisDyadic(f, x, y, s)
	case *opaque:
		return g.applyOpaque(f, []tail.Expr{x, y}, s)
	case *made: // in the program's index origin
		if g.blamed != nil {
			defer func(origin int) { g.origin = origin }(g.origin)
			g.origin = g.blamed.origin
		}
		return f.apply(x, y)
	}
	panic("internal error: unknown function")
}

// forkOf applies `f g h`; x is nil for one argument.
func (g *infer) forkOf(f *fork, x, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	if x != nil {
		x = g.name(x)
	}
	side := func(h function) tail.Expr {
		if x == nil {
			return g.monadic(h, y, s)
		}
		return g.dyadic(h, x, y, s)
	}
	parts := g.inOrder(
		func() tail.Expr {
			if f.f.fn != nil {
				return side(f.f.fn)
			}
			return g.array(f.f)
		},
		func() tail.Expr { return side(f.h) })
	inner := site{fn: f.at, left: s.left, right: s.right}
	return g.dyadic(f.g, parts[0], parts[1], inner)
}

// primitiveMonadic applies a primitive to one argument.
func (g *infer) primitiveMonadic(p *primitive, y tail.Expr, s site) tail.Expr {
	if isTuple(y) {
		if e := g.tupleMonadic(p.glyph, y, s); e != nil {
			return e
		}
	}
	if isScalarMonadic(p.glyph) {
		return g.scalarMonadic(p.glyph, y, s)
	}
	if f, ok := monadics[p.glyph]; ok {
		return f(g, y, s)
	}
	if f, ok := systemMonadics[p.glyph]; ok {
		return f(g, y, s)
	}
	if strings.Contains("∨∧⍲⍱<≤=≥>⊤⊥⍷∩/⌿\\⍀", p.glyph) {
		g.failFix(diag.NoLeftArgument, s.fn, comparison(s.fn), "%s needs a left argument", p.glyph)
	}
	g.refuse(refusalCode(p.glyph), p.glyph, "with one argument", s)
	return nil
}

// primitiveDyadic applies a primitive to two arguments.
func (g *infer) primitiveDyadic(p *primitive, x, y tail.Expr, s site) tail.Expr {
	if isTuple(x) || isTuple(y) {
		if e := g.tupleDyadic(p.glyph, x, y, s); e != nil {
			return e
		}
	}
	if isScalarDyadic(p.glyph) {
		return g.scalarDyadic(p.glyph, x, y, s)
	}
	if f, ok := dyadics[p.glyph]; ok {
		return f(g, x, y, s)
	}
	if f, ok := systemDyadics[p.glyph]; ok {
		return f(g, x, y, s)
	}
	g.refuse(refusalCode(p.glyph), p.glyph, "with two arguments", s)
	return nil
}

// refusalCode returns the code of a form of a primitive that is not compiled.
func refusalCode(glyph string) diag.Code {
	if isSystem(glyph) {
		return diag.SystemName
	}
	return diag.NotCompiled
}

func (g *infer) refuse(c diag.Code, glyph, how string, s site) {
	e := diag.Errorf(c, s.fn, "%s %s", glyph, how)
	e.Fix = refusals[glyph]
	panic(unwound{err: e})
}

// refusals says what to write instead of what is refused.
var refusals = map[string]string{
	"⊂": "give functions a strand of arguments; the left argument of x⊂y must be known when compiling",
	"⊆": "its left argument must be known when compiling; use ⍸ to find where the parts begin",
	"↓": "arrays are simple here; use ⍤1 to work on rows",
	"⍳": "use ∘.+ on the index vectors of the axes",
	"⍎": "programs are compiled; ⍎ takes a constant expression, or reads a number from a text",
}

// forms of primitives.
type (
	monadicForm func(g *infer, y tail.Expr, s site) tail.Expr
	dyadicForm  func(g *infer, x, y tail.Expr, s site) tail.Expr
)

var (
	monadics       map[string]monadicForm
	dyadics        map[string]dyadicForm
	systemMonadics map[string]monadicForm
	systemDyadics  map[string]dyadicForm
)

// same gives two arguments one element type.
func (g *infer) same(x, y tail.Expr, s site) (tail.Expr, tail.Expr) {
	tx, ty := g.arr(x, s.left), g.arr(y, s.right)
	elem, ok := joinElem(tx.Elem, ty.Elem)
	if !ok {
		panic(unwound{err: &diag.Error{Code: diag.NotCompiled, Span: s.fn, Operands: [2]diag.Span{s.left, s.right},
			Message: "an array of characters and numbers", Fix: "format the numbers with ⍕"}})
	}
	y = g.coerce(y, elem)
	return g.coerce(x, elem), y
}

// scalarInt returns the constant integer scalar n.
func (g *infer) intLit(s site, n int) tail.Expr { return lit(s.fn, array.ScalarInt(int64(n))) }

// comparison says how APL writes a comparison of two characters, as of other
// languages, that ends with a function, or "".
func comparison(at diag.Span) string {
	if !at.Valid() || at.Text() != "=" || at.Start == 0 {
		return ""
	}
	switch at.Src.Text[at.Start-1] {
	case '!':
		return "not equal is ≠"
	case '<':
		return "less or equal is ≤"
	case '>':
		return "greater or equal is ≥"
	case '=':
		return "equal is a single ="
	}
	return ""
}
