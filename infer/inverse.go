package infer

import (
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Inverses of functions, for ⍣ with a negative number.

// change makes a value of another.
type change func(tail.Expr) tail.Expr

// changing is a function of one argument that the compiler made.
type changing struct{ apply change }

// made is a function of two arguments that the compiler made.
type made struct {
	apply func(x, y tail.Expr) tail.Expr
}

func (*made) identity(*infer) string { panic("internal error: the identity of a made function") }

func (*changing) identity(*infer) string { panic("internal error: the identity of a made function") }

// selfInverse are the functions of one argument that undo themselves.
// inverses are those that another function undoes; a name is one of the prelude.
var (
	selfInverse = map[string]bool{"+": true, "-": true, "÷": true, "~": true, "⌽": true, "⊖": true, "⍉": true, "⊢": true, "⊣": true}
	inverses    = map[string]string{"*": "⍟", "⍟": "*", "○": "undopi"}
	// twice are the functions f for which f⍨y has an inverse.
	twice = map[string]string{"+": "half", "×": "root"}
	// differences undo scans.
	differences = map[string]string{"+": "differ", "-": "alternate", "×": "ratios", "≠": "changes", "=": "sames"}
	// undoLeft gives y of x and x f y; undoRight gives it of x and y f x.
	undoLeft = map[string]string{
		"+": "minus", "-": "-", "×": "over", "÷": "÷", "*": "⍟", "⍟": "*", "⌽": "unturn", "⊖": "unturnfirst",
		"○": "unround", "⊥": "digits", "⊤": "⊥", "≠": "≠", "=": "=", "⊢": "⊢",
	}
	undoRight = map[string]string{
		"+": "minus", "-": "+", "×": "over", "÷": "×", "*": "rootof", "⍟": "baseof", "≠": "≠", "=": "=", "⊣": "⊢",
	}
)

// undo returns the inverse of f, or of x∘f where x is given.
func (g *infer) undo(f function, x tail.Expr, s site) change {
	if x != nil {
		return g.undoDyadic(f, x, s)
	}
	switch f := f.(type) {
	case *primitive:
		if selfInverse[f.glyph] {
			return func(e tail.Expr) tail.Expr { return g.monadic(f, e, s) }
		}
		if f.glyph == "⍸" {
			return func(e tail.Expr) tail.Expr {
				if t := g.arr(e, s.right); t.Dims() != 1 {
					g.fail(diag.WrongDomain, s.fn, "⍸ never gives %s", describeType(t))
				}
				return g.undone("undowhere", nil, s)(g.inward(g.toInt(e), s))
			}
		}
		if name := inverses[f.glyph]; name != "" {
			return g.undone(name, nil, s)
		}
	case *derived:
		if c := g.undoDerived(f, s); c != nil {
			return c
		}
	case *atop:
		return then(g.undo(f.f, nil, s), g.undo(f.g, nil, s))
	case *fork:
		if h, ok := f.h.(*primitive); f.f.fn == nil && !(ok && h.glyph == "⊢") {
			return then(g.undo(f.g, g.array(f.f), s), g.undo(f.h, nil, s))
		} else if f.f.fn == nil {
			return g.undo(f.g, g.array(f.f), s)
		}
	case *axis:
		if h, ok := f.f.(*primitive); ok && selfInverse[h.glyph] {
			return func(e tail.Expr) tail.Expr { return g.monadic(f, e, s) }
		}
	}
	g.noInverse(s)
	return nil
}

// then does one change after another.
func then(first, second change) change {
	return func(e tail.Expr) tail.Expr { return second(first(e)) }
}

func (g *infer) noInverse(s site) {
	g.failFix(diag.OperatorForm, s.fn, "write a dfn that undoes it", "an inverse of this function (⍣ with a negative number)")
}

// undone applies a function of the prelude, or a primitive, to x and a value.
func (g *infer) undone(name string, x tail.Expr, s site) change {
	return func(e tail.Expr) tail.Expr {
		switch primitiveName := name[0] >= 'a' && name[0] <= 'z'; {
		case primitiveName:
			return g.fromPrelude(g.preludeClosure(name), x, e, s)
		case x == nil:
			return g.monadic(&primitive{glyph: name, at: s.fn}, e, s)
		default:
			return g.dyadic(&primitive{glyph: name, at: s.fn}, x, e, s)
		}
	}
}

// undoDerived is the inverse of a derived function of one argument, nil where
// it has none.
func (g *infer) undoDerived(d *derived, s site) change {
	p, primitive := d.left.fn.(*primitive)
	switch d.op {
	case "∘", "⍤", "⍥":
		switch {
		case d.left.fn != nil && d.right.fn != nil:
			return then(g.undo(d.left.fn, nil, s), g.undo(d.right.fn, nil, s))
		case d.op == "∘" && d.left.fn == nil:
			return g.undoDyadic(d.right.fn, g.array(d.left), s)
		case d.op == "∘" && primitive && undoRight[p.glyph] != "":
			return g.undone(undoRight[p.glyph], g.array(d.right), s)
		case d.op == "⍤":
			back := &derived{op: d.op, left: operand{fn: &changing{g.undo(d.left.fn, nil, s)}, at: d.left.at}, right: d.right, at: d.at}
			return func(e tail.Expr) tail.Expr { return g.rankMonadic(back, e, s) }
		}
	case "⍨":
		if primitive && twice[p.glyph] != "" {
			return g.undone(twice[p.glyph], nil, s)
		}
	case "¨":
		back := operand{fn: &changing{g.undo(d.left.fn, nil, s)}, at: d.left.at}
		return func(e tail.Expr) tail.Expr { return g.eachOf(back, e, s) }
	case "⍣":
		return func(e tail.Expr) tail.Expr { return g.powerTimes(d, nil, e, -1, s) }
	case "\\", "⍀":
		if primitive && differences[p.glyph] != "" {
			return g.undoScan(differences[p.glyph], d.op == "\\", s)
		}
	}
	return nil
}

// undoScan undoes a scan along the last axis or the first.
func (g *infer) undoScan(name string, last bool, s site) change {
	return func(e tail.Expr) tail.Expr {
		t := g.arr(e, s.right)
		switch {
		case t.Dims() == 0:
			return e
		case last && t.Dims() > 1:
			e = g.monadic(&primitive{glyph: "⍉", at: s.fn}, e, s)
			e = g.fromPrelude(g.preludeClosure(name), nil, e, s)
			return g.monadic(&primitive{glyph: "⍉", at: s.fn}, e, s)
		}
		return g.fromPrelude(g.preludeClosure(name), nil, e, s)
	}
}

// undoDyadic is the inverse of x∘f.
func (g *infer) undoDyadic(f function, x tail.Expr, s site) change {
	switch f := f.(type) {
	case *primitive:
		switch f.glyph {
		case "⊥":
			return g.undoDecode(x, s)
		case "⍉":
			return g.undone("⍉", g.inversePermutation(x, s), s)
		}
		if name := undoLeft[f.glyph]; name != "" {
			return g.undone(name, x, s)
		}
	case *derived:
		p, primitive := f.left.fn.(*primitive)
		switch {
		case f.op == "⍨" && primitive && undoRight[p.glyph] != "":
			return g.undone(undoRight[p.glyph], x, s)
		case f.op == "∘" && f.left.fn != nil && f.right.fn != nil:
			return then(g.undo(f.left.fn, x, s), g.undo(f.right.fn, nil, s))
		case f.op == "⍤" && f.right.fn != nil:
			return then(g.undo(f.left.fn, nil, s), g.undo(f.right.fn, x, s))
		case f.op == "⍣":
			return func(e tail.Expr) tail.Expr { return g.powerTimes(f, x, e, -1, s) }
		}
	case *atop:
		return then(g.undo(f.f, nil, s), g.undo(f.g, x, s))
	}
	g.noInverse(s)
	return nil
}

// undoDecode is the inverse of x∘⊥: as many digits as the greatest number
// needs, or one for each number of a vector x.
func (g *infer) undoDecode(x tail.Expr, s site) change {
	if t := g.arr(x, s.left); t.Dims() == 1 && !isSingleton(t) {
		return g.undone("⊤", x, s)
	}
	x = g.name(g.single(x, s, "the base of ⊥⍣¯1"))
	return func(e tail.Expr) tail.Expr {
		if g.arr(e, s.right).Elem == array.Bool {
			e = g.toInt(e)
		}
		if p := powersOf(x); p != nil && g.arr(e, s.right).Elem == array.Int {
			return g.undone("digitsby", lit(s.fn, array.VectorInt(p)), s)(e)
		}
		return g.undone("digits", x, s)(e)
	}
}

// powersOf returns the powers of a constant base that are integers, from the base on;
// nil where that is no constant, or too small for one.
func powersOf(x tail.Expr) (powers []int64) {
	b, ok := tail.ConstInt(x)
	if !ok || b < 2 || b > math.MaxInt32 {
		return nil
	}
	for p := b; ; p *= b {
		powers = append(powers, p)
		if p > math.MaxInt64/b {
			return powers
		}
	}
}

// inversePermutation is ⍋x of a constant permutation of axes.
func (g *infer) inversePermutation(x tail.Expr, s site) tail.Expr {
	t := g.arr(x, s.left)
	back := make([]int64, len(t.Values))
	for i, v := range t.Values {
		k, ok := v.IsConst()
		if k -= int64(g.origin); !ok || k < 0 || int(k) >= len(back) || back[k] != 0 {
			g.noInverse(s)
		}
		back[k] = int64(i + 1)
	}
	if len(back) == 0 {
		g.noInverse(s)
	}
	for i := range back {
		back[i] += int64(g.origin) - 1
	}
	return lit(s.fn, array.VectorInt(back))
}
