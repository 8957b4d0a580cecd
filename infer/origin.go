package infer

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// blame returns what messages about an application mention: the user's
// arguments and where their sizes come from. An argument of the op is the
// user's left or right one if it stands there.
func (g *infer) blame(s site, args []tail.Expr) tail.Blame {
	b := tail.Blame{Operands: [2]diag.Span{s.left, s.right}, FromZero: g.origin == 0}
	for _, e := range args {
		if e == nil { // an elided index
			continue
		}
		at := e.Span()
		if !at.Valid() {
			continue
		}
		for i, o := range b.Operands {
			if b.Sizes[i] == nil && o.Valid() && o.Covers(at) {
				// No array has its size from an expression that it is a part of.
				if size := tail.SizeOf(e); size != nil && (size.Where == o || !size.Where.Covers(o)) {
					b.Sizes[i] = size
				}
				break
			}
		}
	}
	return b
}

// sizeOf returns where the result of an application gets its size: that of an
// argument which it keeps, or the user's whole expression.
func (g *infer) sizeOf(e *tail.Apply, s site) *tail.Origin {
	a, ok := e.Ty.(*tail.Array)
	if !ok || a.Dims() == 0 {
		return nil
	}
	switch e.Op {
	case tail.OpEach, tail.OpZipWith, tail.OpScan, tail.OpReverse, tail.OpRotate, tail.OpRotateM,
		tail.OpUpdate, tail.OpExpect, tail.OpPrint, tail.OpPrintBare:
		for _, x := range e.Args {
			t, isArray := x.Type().(*tail.Array)
			if !isArray || t.Dims() != a.Dims() {
				continue
			}
			if o := tail.SizeOf(x); o != nil {
				return o
			}
		}
	}
	where := s.span()
	if !where.Valid() || where.Src != g.prog.Source {
		return nil
	}
	o := &tail.Origin{Where: where}
	for _, x := range e.Args {
		o.Of = deciding(o.Of, x, 4)
	}
	return o
}

// deciding adds the variables of the user that a scalar or a short vector is
// computed from.
func deciding(all []*tail.Bound, e tail.Expr, depth int) []*tail.Bound {
	a, ok := e.Type().(*tail.Array)
	if !ok || a.Dims() > 1 || depth == 0 || len(all) == 2 {
		return all
	}
	switch e := e.(type) {
	case *tail.Ref:
		short := a.Dims() == 0
		if !short {
			n, known := a.Extent(0).IsConst()
			short = known && n <= maxKnownValues
		}
		if e.Var.Bound != nil && short {
			return append(all, e.Var.Bound)
		}
	case *tail.Vec:
		for _, x := range e.Elems {
			all = deciding(all, x, depth-1)
		}
	case *tail.Apply:
		for _, x := range e.Args {
			if _, isLam := x.(*tail.Lam); !isLam {
				all = deciding(all, x, depth-1)
			}
		}
	}
	return all
}

// paramOrigin returns the origin of a parameter, to which calls are added.
func paramOrigin(name, of string, t tail.Type) *tail.Origin {
	if a, ok := t.(*tail.Array); !ok || a.Dims() == 0 {
		return nil
	}
	if of != "" {
		name += " of " + of
	}
	return &tail.Origin{Param: name}
}

// resultOrigin returns where the result of a call gets its size: in the
// function, or where the argument gets it that the function keeps.
func resultOrigin(f *tail.Func, call *tail.Call, s site) *tail.Origin {
	o := tail.SizeOf(f.Body)
	for i, p := range f.Params {
		if o != nil && p.Size == o {
			return tail.SizeOf(call.Args[i])
		}
	}
	return o
}
