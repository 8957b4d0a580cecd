package infer

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// opaque is an operand of which only the type is known, from an annotation.
type opaque struct {
	name string
	ty   *tail.FuncType
}

func (o *opaque) identity(*infer) string { return o.name + ":" + o.ty.String() }

// applyOpaque returns a call of an unknown function. One that takes scalars
// pervades arrays, as scalar functions do.
func (g *infer) applyOpaque(o *opaque, args []tail.Expr, s site) tail.Expr {
	if len(args) != len(o.ty.Params) {
		g.fail(diag.FaultyAnnotation, s.fn, "%s takes %d arguments (its annotation says %v)", o.name, len(o.ty.Params), o.ty)
	}
	if !o.scalar() {
		for i := range args {
			args[i] = g.expectOperand(o, args[i], o.ty.Params[i], s)
		}
		return g.callOpaque(o, args, s)
	}
	if len(args) == 1 {
		return g.each(args[0], s, func(a tail.Expr) tail.Expr { return g.callOpaque(o, []tail.Expr{a}, s) })
	}
	y := g.name(args[1])
	return g.zip(g.name(args[0]), y, s, func(a, b tail.Expr) tail.Expr { return g.callOpaque(o, []tail.Expr{a, b}, s) })
}

// scalar reports whether all arguments are scalars.
func (o *opaque) scalar() bool {
	for _, p := range append([]tail.Type{o.ty.Result}, o.ty.Params...) {
		a, ok := p.(*tail.Array)
		if !ok {
			return false
		}
		if n, constant := a.Rank.IsConst(); !constant || n != 0 {
			return false
		}
	}
	return true
}

// stubName is the name of the function that stands for an unknown operand.
const stubName = "operand"

func (g *infer) callOpaque(o *opaque, args []tail.Expr, s site) tail.Expr {
	stub := &tail.Func{Name: stubName, Result: o.ty.Result, Body: &tail.Tuple{}}
	for i := range args {
		args[i] = g.expectOperand(o, args[i], o.ty.Params[i], s)
		stub.Params = append(stub.Params, &tail.Var{Name: "x", Type: o.ty.Params[i]})
	}
	if g.examiner != nil && g.examiner.standIns {
		if stub.Body = g.standIn(o, stub.Params, s); stub.Body == nil {
			g.fail(diag.NotCompiled, s.fn, "an operand that is not known")
		}
		stub.Result = stub.Body.Type()
		return &tail.Call{At: tail.At{Where: s.span()}, Fn: stub, Args: args, Ty: stub.Result}
	}
	return &tail.Call{At: tail.At{Where: s.span()}, Fn: stub, Args: args, Ty: o.ty.Result}
}

// expectOperand gives an argument of an unknown function the element type that
// the function takes; ranks must be as annotated.
func (g *infer) expectOperand(o *opaque, e tail.Expr, want tail.Type, s site) tail.Expr {
	w, ok := want.(*tail.Array)
	if !ok {
		return e
	}
	a := g.arr(e, s.fn)
	if n, constant := w.Rank.IsConst(); constant && int(n) != a.Dims() {
		g.fail(diag.ArgumentRank, s.fn, "%s takes arrays of rank %d, and is given rank %d", o.name, n, a.Dims())
	}
	for i, x := range w.Extents {
		if g.examiner != nil && g.examiner.standIns {
			break
		}
		if got := a.Extent(i); x.Known() && got.Known() && !got.Equal(x) {
			g.fail(diag.WrongType, s.fn, "%s takes arrays of shape %s, and is given shape %s", o.name, shapeWords(w), shapeWords(a))
		}
	}
	if join, ok := joinElem(a.Elem, w.Elem); !ok || join != w.Elem {
		g.fail(diag.WrongType, s.fn, "%s takes %s, and is given %s", o.name, w.Elem, a.Elem)
	}
	return g.coerce(e, w.Elem)
}
