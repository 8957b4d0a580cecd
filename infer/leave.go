package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// Functions of real numbers whose results may be complex: *, ⍟ and ○. Where
// the arguments are known when compiling, as constants or by computing with
// constants, and a result is complex, the arguments are made complex. Else the
// result is real, and the program stops with a DOMAIN ERROR where it is not.

// leaves reports, of real numbers x and y, whether the result of a glyph is
// not real; nil stands for glyphs whose results always are.
var leaves = map[string]func(x, y float64) bool{
	"*": num.PowerLeavesReals,
	"⍟": num.LogLeavesReals,
	"○": func(x, y float64) bool {
		return x == float64(int64(x)) && num.CircleLeavesReals(int64(x), y) && !(x == -11 && y == 0)
	},
}

// widened returns the arguments of a scalar glyph as complex numbers where
// they are real numbers that are known and the result has an element that is
// not real. With all set, every element of x goes with every one of y.
func (g *infer) widened(glyph string, x, y tail.Expr, all bool) (tail.Expr, tail.Expr) {
	f := leaves[glyph]
	if f == nil || !isReal(tail.TypeOf(x).Elem) || !isReal(tail.TypeOf(y).Elem) {
		return x, y
	}
	a, b := g.value(x), g.value(y)
	if a == nil || b == nil {
		g.mayLeave(glyph, a, b)
		return x, y
	}
	if !leaving(f, a, b, all) {
		return x, y
	}
	g.left++
	if glyph != "○" {
		x = g.toComplex(x)
	}
	return x, g.toComplex(y)
}

// leaving reports whether f holds of a pair of elements.
func leaving(f func(x, y float64) bool, a, b *array.Array, all bool) bool {
	n, m := a.Len(), b.Len()
	if n == 0 || m == 0 {
		return false
	}
	for i := range max(n, m) {
		if !all {
			if f(a.Double(min(i, n-1)), b.Double(min(i, m-1))) {
				return true
			}
			continue
		}
		for j := range m {
			if i < n && f(a.Double(i), b.Double(j)) {
				return true
			}
		}
	}
	return false
}

// widenedLog is widened for ⍟y.
func (g *infer) widenedLog(y tail.Expr) tail.Expr {
	if !isReal(tail.TypeOf(y).Elem) {
		return y
	}
	a := g.value(y)
	if a == nil {
		g.mayLeave("⍟", nil, nil)
		return y
	}
	for i := range a.Len() {
		if a.Double(i) < 0 {
			g.left++
			return g.toComplex(y)
		}
	}
	return y
}

// mayLeave notes that the function under construction computes something that
// is real or complex, depending on values that are not known: a or b is nil.
func (g *infer) mayLeave(glyph string, a, b *array.Array) {
	if glyph == "*" && b != nil {
		whole := true
		for i := range b.Len() {
			whole = whole && b.Double(i) == float64(int64(b.Double(i)))
		}
		if whole {
			return
		}
	}
	if f := g.frame; f.inst != nil {
		f.inst.leaves = true
	}
}

// expandedIfComplex is the call of a function whose arguments are known, where
// its result depends on whether they leave the real numbers: if they do, the
// function is expanded in place. It returns nil otherwise.
func (g *infer) expandedIfComplex(c *closure, inst *instance, args []tail.Expr, s site) tail.Expr {
	if !inst.leaves {
		return nil
	}
	if f := g.frame; f.inst != nil {
		f.inst.leaves = true
	}
	if inst.fn.Recursive || c.recursive {
		return nil
	}
	for _, a := range args {
		if g.constant(a) == nil {
			return nil
		}
	}
	y := args[len(args)-1]
	var x tail.Expr
	if len(args) == 2 {
		x = args[0]
	}
	left, mark := g.left, len(g.lets)
	var e tail.Expr
	if ok := g.succeeds(func() { e = g.expand(c, x, y, s) }); !ok || g.left == left {
		g.lets = g.lets[:mark]
		return nil
	}
	return e
}

// succeeds runs f, which may fail; then nothing that it did to the state of
// the block stays.
func (g *infer) succeeds(f func()) (ok bool) {
	scope, frame, lets, depth, block := g.scope, g.frame, g.lets, g.depth, g.blockID
	ok = false
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		switch r.(type) {
		case unwound, bottom:
			g.scope, g.frame, g.lets, g.depth, g.blockID = scope, frame, lets, depth, block
		default:
			panic(r)
		}
	}()
	f()
	return true
}
