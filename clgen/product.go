package clgen

import (
	"slices"

	"github.com/tailor-lang/tailor/fcl/compile"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
)

// Inner products, of any pair of functions, arrive as a map over rows,
//
//	segmap i = 0 … n
//	  row = i×m
//	  for j = 0 … m: c[row+j] = zero
//	  for k = 0 … l
//	    for j = 0 … m: c[row+j] = f(c[row+j], g(a[i×l+k], b[k×m+j]))
//
// and become productTiles of FCL's library, on CPUs productRows. What depends on i and k, and on k
// and j, are elements of its two matrices, and the loop's body is what joins them to an element.

// product is what is known of such a map.
type product struct {
	decls []ir.Stmt // before the loops
	zero  ir.Expr
	k, j  *ir.For // the loop over terms, and that over a row inside
	store *ir.Store
	left  []ir.Expr // operands that depend on i and k
	right []ir.Expr // on k and j
}

// axes returns the axes of a row and of the terms.
func (p *product) axes() []ir.Dim {
	return []ir.Dim{{Var: p.j.Var, Lo: p.j.Lo, Hi: p.j.Hi}, {Var: p.k.Var, Lo: p.k.Lo, Hi: p.k.Hi}}
}

// localLimit is how many bytes of local memory the tiles of a work-group take.
const localLimit = 32 << 10

// findProduct notes that a kernel is an inner product.
func (pl *planner) findProduct(k *kernel) {
	if k.shape != mapShape || k.trap != nil || len(k.more) > 0 || k.across != nil {
		return
	}
	p := productOf(k.body, k.dims)
	if p == nil || pl.plan.Schedule == Chunks && p.fewColumns() || pl.plan.Schedule == Groups && p.bytes(pl.params()) > localLimit {
		return
	}
	k.product = p
}

// bytes is how much local memory productTiles takes.
func (p *product) bytes(params map[string]int64) (n int64) {
	wide, block, terms := int64(1), params["ProductBlock"], params["ProductTerms"]
	for 4*wide*wide <= params["BlockSize"] {
		wide *= 2
	}
	for _, x := range p.left {
		n += eval.SizeOf(x.Kind()) * params["BlockSize"] / wide * block * (terms + 1)
	}
	for _, x := range p.right {
		n += eval.SizeOf(x.Kind()) * wide * block * terms
	}
	return n
}

// vectors are how many bytes of a row of elements a CPU has in registers.
const vectors = 64

// columns is how many columns of a product are in registers at a time.
func (p *product) columns() int64 {
	width := eval.SizeOf(p.store.Buf.Elem)
	for _, x := range p.right {
		width = max(width, eval.SizeOf(x.Kind()))
	}
	return vectors / max(width, 4)
}

// fewColumns reports whether rows are known to be shorter than half of that.
func (p *product) fewColumns() bool {
	_, known := p.j.Hi.(*ir.Int)
	return known && trips(p.j.Lo, p.j.Hi) < p.columns()/2
}

// productOf takes apart the body of an inner product, nil for other bodies and for those whose
// bounds the host does not know.
func productOf(body []ir.Stmt, dims []ir.Dim) *product {
	p := &product{}
	rows := map[*ir.Var]bool{} // what depends on the row
	for _, d := range dims {
		rows[d.Var] = true
	}
	var loops []*ir.For
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			if len(loops) > 0 || s.Init == nil || !ir.IsLoadFree(s.Init) {
				return nil
			}
			rows[s.Var] = true
			p.decls = append(p.decls, s)
		case *ir.For:
			loops = append(loops, s)
		default:
			return nil
		}
	}
	if len(loops) != 2 || !loops[1].Terms || len(loops[0].Body) != 1 {
		return nil
	}
	first, ok := loops[0].Body[0].(*ir.Store)
	p.k = loops[1]
	ir.Walk(p.k.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.For:
			ok, p.j = ok && p.j == nil, s
		case *ir.Store:
			ok, p.store = ok && p.store == nil && s.Buf == first.Buf, s
		case *ir.Decl, *ir.Comment, *ir.Checked, *ir.Assign:
		default:
			ok = false
		}
	})
	if !ok || p.j == nil || p.store == nil || p.j.Body[len(p.j.Body)-1] != ir.Stmt(p.store) || outer(first.X, rows) {
		return nil
	}
	p.zero = first.X
	inner := map[*ir.Var]bool{p.j.Var: true, p.k.Var: true}
	for _, d := range p.axes() {
		if outer(d.Lo, rows) || outer(d.Hi, rows) || outer(d.Lo, inner) || outer(d.Hi, inner) {
			return nil
		}
	}
	for _, s := range p.j.Body {
		if d, ok := s.(*ir.Decl); ok {
			inner[d.Var] = true
		}
	}
	p.operands(rows, inner)
	return p
}

// operands collects the largest expressions with loads that depend on one side
// only. rows are the variables that belong to a row, inner those of the loops.
func (p *product) operands(rows, inner map[*ir.Var]bool) {
	var visit func(x ir.Expr)
	visit = func(x ir.Expr) {
		if x == nil || ir.IsLoadFree(x) {
			return
		}
		left, right, other := false, false, false
		ir.WalkExpr(x, func(x ir.Expr) {
			switch x := x.(type) {
			case *ir.Use:
				left = left || rows[x.Var]
				right = right || x.Var == p.j.Var
				other = other || inner[x.Var] && x.Var != p.j.Var && x.Var != p.k.Var
			case *ir.Load:
				other = other || x.Buf == p.store.Buf
			}
		})
		switch {
		case other || left && right:
			for _, y := range ir.Operands(x) {
				visit(y)
			}
		case right:
			p.right = append(p.right, x)
		default:
			p.left = append(p.left, x)
		}
	}
	for _, s := range p.j.Body {
		for _, x := range ir.Exprs(s) {
			visit(x)
		}
	}
}

// kindsOf are the kinds of expressions.
func kindsOf(list []ir.Expr) (all kinds) {
	for _, x := range list {
		all = append(all, x.Kind())
	}
	return all
}

// kind is that of an element while terms are joined to it: as wide as what joins them.
func (p *product) kind() kinds { return kinds{p.joined().Kind()} }

// joined is what is stored, before it is narrowed for that.
func (p *product) joined() ir.Expr {
	if c, ok := p.store.X.(*ir.Convert); ok && c.To.Exact() && c.X.Kind() == ir.I32 {
		return c.X
	}
	return p.store.X
}

// productText writes an inner product.
func (pl *planner) productText(t *kernelText, k *kernel) {
	w := &productWriter{t: t, k: k, product: k.product}
	elem := w.kind().elem()
	vars := []types.Type{elem, side(w.left), side(w.right), &types.Tuple{Items: []types.Type{types.Int, types.Int, elem}}}
	name, width := "productTiles", []compile.Value(nil)
	if pl.plan.Schedule == Chunks {
		name, width = "productRows", []compile.Value{fclkernel.Int(w.columns())}
	}
	pl.library(t, k, name, vars, tileSteps, func(u *libraryUse, f compile.Value) {
		w.u = u
		n := len(k.dims)
		element := compile.Curried(3, func(args []compile.Value) compile.Value { return compile.Tuple(args) })
		u.take(f, append(width, w.operand(w.left, w.row, w.term), w.operand(w.right, w.term, w.column), w.step(), u.named(w.kind(), w.zero), element,
			u.size(0, n), u.size(n+1, n+2), u.size(n, n+1)), false, w.end)
	})
}

// productWriter writes the loop program's part of an inner product.
type productWriter struct {
	*product
	t *kernelText
	k *kernel
	u *libraryUse
}

// row declares the variables of a row.
func (w *productWriter) row(at string) {
	w.t.indices(w.k.dims, at)
	w.t.block(w.decls)
}

// term and column declare the variables of the inner loops.
func (w *productWriter) term(at string)   { w.inner(w.k.product.k.Var, 1, at) }
func (w *productWriter) column(at string) { w.inner(w.j.Var, 0, at) }
func (w *productWriter) inner(v *ir.Var, axis int, at string) {
	w.t.line("const long %s = first%d + %s;", w.t.declare(v), len(w.k.dims)+axis, at)
}

// side is the type of what depends on one side; bool, which nothing uses, where nothing does.
func side(list []ir.Expr) types.Type {
	if len(list) == 0 {
		return types.Bool
	}
	return kindsOf(list).elem()
}

// operand is the function of FCL that computes what depends on one side at a place of two axes.
func (w *productWriter) operand(list []ir.Expr, first, second func(at string)) compile.Value {
	of := kindsOf(list)
	return compile.Curried(2, func(args []compile.Value) compile.Value {
		if len(list) == 0 {
			return fclkernel.Truth(false)
		}
		return w.u.values(of.scalars(), false, func(args, results []string) {
			first(args[0])
			second(args[1])
			of.assign(w.t, results, func(i int) string { return w.t.number(list[i]) })
		}, args...)
	})
}

// step is the function of FCL that joins a term to an element.
func (w *productWriter) step() compile.Value {
	return compile.Curried(6, func(args []compile.Value) compile.Value {
		if len(w.right) == 0 {
			args = args[:5]
		}
		if len(w.left) == 0 {
			args = slices.Delete(slices.Clone(args), 4, 5)
		}
		return w.u.values(w.kind().scalars(), false, func(args, results []string) {
			w.row(args[0])
			w.term(args[1])
			w.column(args[2])
			w.t.staged = map[ir.Expr]string{}
			sum := []ir.Expr{w.sum()}
			rest := w.t.stage(w.kind(), sum, args[3:])
			rest = w.t.stage(kindsOf(w.left), w.left, rest)
			w.t.stage(kindsOf(w.right), w.right, rest)
			x := w.body(w.t.staged[sum[0]])
			w.kind().assign(w.t, results, func(int) string { return x })
			w.t.staged = nil
		}, args...)
	})
}

// sum is a load of the element.
func (w *productWriter) sum() ir.Expr { return &ir.Load{Buf: w.store.Buf, Index: w.store.Index} }

// body writes what a term does to the element of a name, but for the expression that it returns.
func (w *productWriter) body(name string) string {
	allExprs(w.j.Body, func(x ir.Expr) {
		if isLoad(x, w.store.Buf) {
			w.t.staged[x] = name
		}
	})
	for _, s := range w.j.Body[:len(w.j.Body)-1] {
		w.t.stmt(s)
	}
	if ir.Carries(w.joined()) { // what is stored is looked at
		return w.t.expr(w.joined())
	}
	return w.t.number(w.joined())
}

// end stores an element that is complete.
func (w *productWriter) end(args []string) {
	w.row(args[0])
	w.column(args[1])
	x := w.kind().values(args[2:])[0]
	if w.t.watch && w.store.Buf.Elem == ir.F64 && ir.Carries(w.store.X) {
		x = w.t.note(x, w.t.flagged(w.store.X))
	}
	w.t.line("%s[%s] = %s;", w.t.buf(w.store.Buf), w.t.expr(w.store.Index), x)
}
