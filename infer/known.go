package infer

import (
	"io"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

const (
	// maxKnown is the number of elements of the longest array whose value is
	// looked for while types are inferred. Numbers of items are as many as items.
	maxKnown = 64
	// maxKnownNodes is the size of the largest expression that is computed.
	maxKnownNodes = 64
)

// bound is what a variable is bound to, and its value, if it is known and has
// been looked for.
type bound struct {
	e      tail.Expr
	value  *array.Array
	looked bool
}

// value returns the value of an expression where it is a short constant, or is
// computed from such without effects; else nil. An expression that faults has
// no value. A variable is looked at once, so that the work is linear.
func (g *infer) value(e tail.Expr) *array.Array { return g.valueWithin(e, maxKnown) }

// valueWithin is value of an array of at most so many elements.
func (g *infer) valueWithin(e tail.Expr, longest int) *array.Array {
	switch e := e.(type) {
	case *tail.Lit:
		if e.Value.Len() <= longest {
			return e.Value
		}
		return nil
	case *tail.Ref:
		return g.valueOfVar(e.Var)
	case *tail.Proj:
		if item := g.itemOfVar(e); item != nil {
			return g.value(item)
		}
	}
	if t, ok := e.Type().(*tail.Array); !ok || !isWithin(t, longest) || !simple(e) {
		return nil
	}
	for _, v := range tail.FreeVars(e) {
		a := g.valueOfVar(v)
		if a == nil {
			return nil
		}
		e = &tail.Let{Var: v, Bind: lit(e.Span(), a), Body: e}
	}
	p := &tail.Program{Main: &tail.Tuple{Elems: []tail.Expr{e}}, Wrap: g.options.Wrap, Exact: g.exact}
	if g.tolerance != num.Tolerance {
		p.CT = g.tolerance
	}
	values, err := eval.Values(p, &eval.Env{Stdout: io.Discard, MaxBytes: 1 << 16})
	if err != nil || len(values) != 1 || values[0].Len() > longest {
		return nil
	}
	return values[0]
}

// itemOfVar returns what the item of a tuple was made from where the tuple is a
// variable, else nil.
func (g *infer) itemOfVar(e *tail.Proj) tail.Expr {
	r, ok := e.X.(*tail.Ref)
	if !ok || g.known[r.Var] == nil {
		return nil
	}
	t, ok := g.known[r.Var].e.(*tail.Tuple)
	if !ok {
		return nil
	}
	return t.Elems[e.I]
}

func (g *infer) valueOfVar(v *tail.Var) *array.Array {
	k := g.known[v]
	if k == nil {
		return nil
	}
	if !k.looked {
		k.looked = true
		k.value = g.value(k.e)
	}
	return k.value
}

// isWithin reports whether arrays of type t are known to have at most so many elements.
func isWithin(t *tail.Array, longest int) bool {
	if _, ok := t.Rank.IsConst(); !ok {
		return false
	}
	n := int64(1)
	for i := range t.Dims() {
		c, ok := t.Extent(i).IsConst()
		if n *= c; !ok || n > int64(longest) {
			return false
		}
	}
	return true
}

// simple reports whether e is a small expression that can be computed at once:
// without effects, calls and loops.
func simple(e tail.Expr) bool {
	n, ok := 0, true
	tail.Walk(e, func(e tail.Expr) bool {
		n++
		switch e := e.(type) {
		case *tail.Apply:
			ok = ok && !e.Op.Row().Impure && e.Op != tail.OpPower && e.Op != tail.OpWhile
		case *tail.Call:
			ok = false
		}
		ok = ok && n <= maxKnownNodes
		return ok
	})
	return ok
}
