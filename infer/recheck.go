package infer

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// maxRecheck bounds how many expressions of functions are looked at again for
// calls with known sizes.
const maxRecheck = 20000

// recheck looks for applications in a function that certainly fail for the sizes
// of one call: those that every call evaluates, which are neither in a branch
// nor in a function argument. Specialisation itself gives sizes variables, so
// that it cannot see them.
//
// Requires: f is finished. Leaves out what the budget does not allow.
func (g *infer) recheck(f *tail.Func, actual map[string]tail.Size) {
	constant := map[string]tail.Size{}
	for name, s := range actual {
		if _, ok := s.IsConst(); ok {
			constant[name] = s
		}
	}
	if len(constant) == 0 || f.Recursive || g.examiner != nil {
		return
	}
	g.recheckExpr(f.Body, constant)
}

func (g *infer) recheckExpr(e tail.Expr, sizes map[string]tail.Size) {
	if g.rechecked++; g.rechecked > maxRecheck {
		return
	}
	switch e := e.(type) {
	case *tail.Let:
		g.recheckExpr(e.Bind, sizes)
		g.recheckExpr(e.Body, sizes)
	case *tail.If:
		g.recheckExpr(e.Cond, sizes)
	case *tail.Vec:
		for i := len(e.Elems) - 1; i >= 0; i-- {
			g.recheckExpr(e.Elems[i], sizes)
		}
	case *tail.Tuple:
		for i := len(e.Elems) - 1; i >= 0; i-- {
			g.recheckExpr(e.Elems[i], sizes)
		}
	case *tail.Apply:
		for i := len(e.Args) - 1; i >= 0; i-- {
			if _, isLam := e.Args[i].(*tail.Lam); !isLam {
				g.recheckExpr(e.Args[i], sizes)
			}
		}
		g.recheckApply(e, sizes)
	case *tail.Call:
		for i := len(e.Args) - 1; i >= 0; i-- {
			g.recheckExpr(e.Args[i], sizes)
		}
		g.recheckCall(e, sizes)
	}
}

// recheckCall looks into a function that the function calls.
func (g *infer) recheckCall(e *tail.Call, sizes map[string]tail.Size) {
	actual := map[string]tail.Size{}
	for i, p := range e.Fn.Params {
		formal, ok := p.Type.(*tail.Array)
		given, isArray := e.Args[i].Type().(*tail.Array)
		if !ok || !isArray || formal.Dims() != given.Dims() {
			continue
		}
		for k := range formal.Dims() {
			if x := formal.Extent(k); len(x.Terms) == 1 && x.Terms[0].Coef == 1 && x.Const == 0 {
				actual[x.Terms[0].Var] = given.Extent(k).Subst(sizes)
			}
		}
	}
	g.recheck(e.Fn, actual)
}

// recheckApply types an application again for known sizes.
func (g *infer) recheckApply(e *tail.Apply, sizes map[string]tail.Size) {
	switch e.Op {
	case tail.OpZipWith, tail.OpInner, tail.OpInner1, tail.OpChain, tail.OpCat, tail.OpLaminate, tail.OpRotateM, tail.OpDecode, tail.OpMatDiv:
	default:
		return
	}
	types := make([]tail.Type, len(e.Args))
	for i, x := range e.Args {
		types[i] = x.Type()
		if a, ok := types[i].(*tail.Array); ok {
			types[i] = substitute(a, sizes)
		}
	}
	_, bad := tail.ResultType(e.Op, types, e.Axis, e.Ks)
	if bad == nil || bad.Code != tail.CertainFault || e.Where.Src != g.prog.Source || !lengths(bad) {
		return
	}
	g.mismatch(bad, site{fn: e.Where, left: e.Operands[0], right: e.Operands[1]}, e.Args...)
}

// lengths reports whether a mismatch is one of sizes.
func lengths(m *tail.Mismatch) bool { return m.Fault.Row().Code.Kind() == diag.Length }
