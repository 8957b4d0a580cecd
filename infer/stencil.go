package infer

import (
	"fmt"
	"io"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// stencil is f⌺w y. The windows lie along the leading axes of y.
func (g *infer) stencil(d *derived, y tail.Expr, s site) tail.Expr {
	g.fn(d.left)
	t := g.arr(y, s.right)
	sizes, steps := g.windowSizes(d)
	if len(sizes) > t.Dims() {
		g.fail(diag.ArgumentRank, d.at, "windows of %d axes on an array of rank %d", len(sizes), t.Dims())
	}
	y = g.stencilOfNone(d.left.fn, y, sizes, s)
	name, plain := "stencil", len(sizes) == t.Dims() && len(sizes) < 3
	for i, n := range sizes {
		plain = plain && n%2 == 1 && steps[i] == 1
	}
	numbers := sizes
	if !plain {
		name, numbers = "steps", append(append([]int64{}, sizes...), steps...)
	}
	windows := operand{lit: lit(d.right.at, array.VectorInt(numbers)), at: d.right.at}
	name += fmt.Sprint(len(sizes))
	return g.fromPrelude(g.preludeClosure(name, d.left, windows), nil, y, s)
}

// windowSizes returns ⌺'s constant right operand: sizes, and the steps between
// windows, 1 where they are not given.
func (g *infer) windowSizes(d *derived) (sizes, steps []int64) {
	e := g.toInt(g.array(d.right))
	t := g.arr(e, d.right.at)
	var all []int64
	if l, ok := e.(*tail.Lit); ok {
		l = convertLit(l)
		all = l.Value.Ints
	} else if a := g.value(e); a != nil {
		all = a.Ints
	} else {
		for _, v := range t.Values {
			if n, ok := v.IsConst(); ok {
				all = append(all, n)
			}
		}
	}
	rows := int64(1)
	n := tail.ConstSize(int64(len(all)))
	switch {
	case t.Dims() == 2:
		rows, _ = t.Extent(0).IsConst()
	case t.Dims() > 2:
		g.fail(diag.WrongRank, d.right.at, "the right operand of ⌺ has rank %d", t.Dims())
	case !countOf(t).Equal(n):
		rows = 0
	}
	if rows < 1 || rows > 2 || len(all) == 0 {
		g.needsConstant(diag.OperatorForm, d.right.at, "the windows of ⌺ must be known when compiling: sizes, or a matrix of sizes and steps")
	}
	sizes = all
	if rows == 2 {
		sizes, steps = all[:len(all)/2], all[len(all)/2:]
	}
	for i, k := range sizes {
		if rows == 1 {
			steps = append(steps, 1)
		}
		if k < 1 || steps[i] < 1 {
			g.fail(diag.WrongDomain, d.right.at, "⌺ with a window of size %d at steps of %d", k, steps[i])
		}
	}
	if len(sizes) > 4 {
		g.fail(diag.OperatorForm, d.right.at, "⌺ with windows of more than four axes")
	}
	return sizes, steps
}

// convertLit gives a constant integer elements.
func convertLit(l *tail.Lit) *tail.Lit {
	if l.Value.Elem == array.Int {
		return l
	}
	c := *l
	c.Value = convert(l.Value, array.Int)
	return &c
}

// literal returns the value of a constant, or of a small reshaped constant;
// nil for other expressions.
func literal(e tail.Expr) *tail.Lit {
	if l, ok := e.(*tail.Lit); ok {
		return l
	}
	const most = 64
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpReshape {
		return nil
	}
	for _, x := range a.Args {
		if l, ok := x.(*tail.Lit); !ok || l.Value.Len() > most {
			return nil
		}
	}
	count := 1
	for _, n := range a.Args[0].(*tail.Lit).Value.Ints {
		if n < 1 || n > most || count*int(n) > most {
			return nil
		}
		count *= int(n)
	}
	values, err := eval.Values(&tail.Program{Main: &tail.Tuple{Elems: []tail.Expr{a}}}, &eval.Env{Stdout: io.Discard})
	if err != nil || len(values) != 1 {
		return nil
	}
	return lit(a.Span(), values[0])
}
