package arith

import (
	"math"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/laila/place"
)

// Extremes compares elements with the least or the greatest of them by one
// difference. That no element is on the other side of it, and what is known of
// signs, says what the tests of a tolerant comparison come to:
//
//	e = ∞; segred i = 0 … n: e = e min b[i]
//	segred i = 0 … n: s = s + tl_eqd(b[i], e)
//
// becomes, where no element of b is negative,
//
//	if e ≤ 1.8E308
//	  segred i = 0 … n: s = s + ((ct × b[i]) - (b[i] - e)) ≥ 0
//	else
//	  segred i = 0 … n: s = s + tl_eqd(b[i], e)
//
// A difference of doubles has the sign of the exact one, so that the test is
// that of tl_eqd: (b[i]-e) ≤ ct×b[i]. Where b[i] is infinite and e is not, it
// is one of NaN, which fails, as it does where b[i] is NaN.
//
// Requires: the least of elements among which there is a NaN is any of them.
// Preserves: values and faults.
func Extremes(l *pass.Context, f *ir.Func) {
	c := &comparer{l: l, ct: l.Tolerance, sums: &place.Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}}}
	if c.ct > 0 && comparesTolerantly(f.Body) {
		c.positive = positives(l, f.Body)
		f.Body = c.block(f.Body)
	}
}

// extreme is the least or the greatest of n elements, those that elem gives for
// i = 0 … n-1.
type extreme struct {
	elem     ir.Expr
	i        *ir.Var
	n        ir.Expr
	greatest bool
	uses     *flow.Uses // what elem depends on
}

// elemSize bounds the expressions of elements that are compared.
const elemSize = 24

type comparer struct {
	l        *pass.Context
	ct       float64
	sums     *place.Fuser
	positive map[*ir.Buf]bool // arrays without negative elements
}

// tolerantly are the comparisons that are simplified.
var tolerantly = map[string]bool{"tl_eqd": true, "tl_neqd": true}

func comparesTolerantly(block []ir.Stmt) bool {
	found := false
	var visit func(x ir.Expr)
	visit = func(x ir.Expr) {
		if m, ok := x.(*ir.Math); ok && tolerantly[m.Fn] {
			found = true
		}
		for _, y := range ir.Operands(x) {
			if y != nil {
				visit(y)
			}
		}
	}
	for _, s := range block {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				visit(x)
			}
		}
		for _, inner := range ir.Blocks(s) {
			found = found || comparesTolerantly(*inner)
		}
	}
	return found
}

// positives returns the arrays of doubles to which a block writes nothing
// negative.
func positives(l *pass.Context, block []ir.Stmt) map[*ir.Buf]bool {
	out, not := map[*ir.Buf]bool{}, map[*ir.Buf]bool{}
	var visit func(block []ir.Stmt)
	visit = func(block []ir.Stmt) {
		for _, s := range block {
			if st, ok := s.(*ir.Store); ok {
				if lo, ok := l.LeastOf(st.X); ok && lo >= 0 && st.Buf.Elem == ir.F64 {
					out[st.Buf] = true
				} else {
					not[st.Buf] = true
				}
				continue
			}
			if inner := ir.Blocks(s); len(inner) > 0 {
				for _, b := range inner {
					visit(*b)
				}
				continue
			}
			switch s.(type) {
			case *ir.DeclBuf, *ir.Free, *ir.Decl, *ir.Assign, *ir.Checked, *ir.Comment, *ir.BreakIf, *ir.Fail:
			default: // whatever mentions the array may write it
				ir.EachBuffer(s, func(b *ir.Buf) { not[b] = true })
			}
		}
	}
	visit(block)
	for b := range not {
		delete(out, b)
	}
	return out
}

// block simplifies the comparisons of a block with extremes that it computes.
func (c *comparer) block(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	known := map[*ir.Var]extreme{}
	for k, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = c.block(*inner)
		}
		t := c.sums.Of(s)
		for v, e := range known {
			if t.Writes[v] || flow.Meet(t.Writes, e.uses.Vars) || flow.Meet(t.Stores, e.uses.Bufs) || disposes(s, e.uses.Bufs) {
				delete(known, v)
			}
		}
		switch s := s.(type) {
		case *ir.Decl:
			if u, ok := s.Init.(*ir.Use); ok {
				if e, ok := known[u.Var]; ok {
					known[s.Var] = e
				}
			}
		case *ir.Nest:
			if v, e, ok := extremeOf(block[:k], s); ok {
				known[v] = e
			} else if r := c.versions(s, known); r != nil {
				out = append(out, r)
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// disposes reports whether s declares, frees or exchanges one of bufs.
func disposes(s ir.Stmt, bufs map[*ir.Buf]bool) bool {
	switch s.(type) {
	case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.Nest, *ir.For, *ir.If, *ir.Comment:
		return false
	}
	found := false
	ir.EachBuffer(s, func(x *ir.Buf) { found = found || bufs[x] })
	return found
}

// expanded returns x with the definitions of variables in their places, as far
// as that stays small.
func expanded(x ir.Expr, inits map[*ir.Var]ir.Expr) ir.Expr {
	y := ir.MapExpr(x, func(y ir.Expr) ir.Expr {
		if u, ok := y.(*ir.Use); ok && inits[u.Var] != nil {
			return inits[u.Var]
		}
		return y
	})
	if ir.Size(y, elemSize) >= elemSize {
		return x
	}
	return y
}

// extremeOf recognises a reduction by ⌊ or ⌈ of a stored array, after the
// statements of before.
func extremeOf(before []ir.Stmt, n *ir.Nest) (*ir.Var, extreme, bool) {
	none := extreme{}
	last := len(n.Body) - 1
	if n.Kind != ir.SegRed || len(n.Dims) != 0 || len(n.Red) != 1 || len(n.Accs) != 1 || len(n.Pre) != 1 || len(n.Post) != 1 || last < 0 || len(n.Flags) != 0 || !ir.IsInt(n.Red[0].Lo, 0) {
		return nil, none, false
	}
	pre, ok := n.Pre[0].(*ir.Decl)
	post, ok2 := n.Post[0].(*ir.Assign)
	step, ok3 := n.Body[last].(*ir.Assign)
	if !ok || !ok2 || !ok3 || !ir.IsUse(pre.Init, post.Var) || !ir.IsUse(post.X, pre.Var) || step.Var != pre.Var || !startsAtInfinity(before, post.Var) {
		return nil, none, false
	}
	inits := map[*ir.Var]ir.Expr{}
	for _, s := range n.Body[:last] {
		d, ok := s.(*ir.Decl)
		if !ok || d.Init == nil {
			return nil, none, false
		}
		inits[d.Var] = expanded(d.Init, inits)
	}
	x, ok := step.X.(*ir.Binary)
	if !ok || x.Op != ir.OpMin && x.Op != ir.OpMax || !ir.IsUse(x.X, pre.Var) || x.Kind() != ir.F64 {
		return nil, none, false
	}
	e := extreme{expanded(x.Y, inits), n.Red[0].Var, n.Red[0].Hi, x.Op == ir.OpMax, flow.NewUses()}
	e.uses.Expr(e.elem, nil, nil)
	for v := range inits {
		if e.uses.Vars[v] {
			return nil, none, false
		}
	}
	delete(e.uses.Vars, e.i)
	return post.Var, e, true
}

// startsAtInfinity reports whether the last statement declares v as an
// infinity.
func startsAtInfinity(before []ir.Stmt, v *ir.Var) bool {
	for k := len(before) - 1; k >= 0; k-- {
		switch s := before[k].(type) {
		case *ir.Comment:
		case *ir.Decl:
			x, ok := s.Init.(*ir.Float)
			return ok && s.Var == v && math.IsInf(x.Val, 0)
		default:
			return false
		}
	}
	return false
}

// versions returns a nest that compares elements with their extreme in two
// versions, nil where it does not.
func (c *comparer) versions(n *ir.Nest, known map[*ir.Var]extreme) ir.Stmt {
	if len(known) == 0 || !ir.CanCopy([]ir.Stmt{n}) {
		return nil
	}
	d := n.Dims
	if n.Kind == ir.SegRed && len(n.Dims) == 0 {
		d = n.Red
	}
	if len(d) != 1 || !ir.IsInt(d[0].Lo, 0) || n.Kind != ir.SegMap && n.Kind != ir.SegRed {
		return nil
	}
	fast := c.l.NewCloner().Stmt(n).(*ir.Nest)
	fd := fast.Dims
	if n.Kind == ir.SegRed && len(n.Dims) == 0 {
		fd = fast.Red
	}
	var used *ir.Var
	inits := map[*ir.Var]ir.Expr{}
	simpler := func(x ir.Expr) ir.Expr {
		m, ok := x.(*ir.Math)
		if !ok || !tolerantly[m.Fn] {
			return x
		}
		for k, y := range m.Args {
			u, ok := expanded(m.Args[1-k], inits).(*ir.Use)
			if !ok || used != nil && used != u.Var {
				continue
			}
			e, ok := known[u.Var]
			if !ok || !ir.Same(e.n, d[0].Hi) || !ir.Alike(e.elem, expanded(expanded(y, inits), map[*ir.Var]ir.Expr{fd[0].Var: e.i.Use()})) {
				continue
			}
			used = u.Var
			equal := c.equal(y, u.Var.Use(), e)
			if m.Fn == "tl_neqd" {
				return ir.OpNot.Of(equal)
			}
			return equal
		}
		return x
	}
	for _, s := range fast.Body {
		for v := range c.sums.Of(s).Writes {
			delete(inits, v)
		}
		if dc, ok := s.(*ir.Decl); ok && dc.Init != nil {
			inits[dc.Var] = expanded(dc.Init, inits)
		}
		if !ir.MapScalars(s, simpler) {
			break
		}
	}
	if used == nil {
		return nil
	}
	var size ir.Expr = used.Use()
	if !c.natural(known[used].elem) {
		size = ir.OpAbs.Of(size)
	}
	return &ir.If{Cond: ir.OpLe.Of(size, &ir.Float{Val: math.MaxFloat64}), Then: []ir.Stmt{fast}, Else: []ir.Stmt{n}}
}

// natural reports whether an element is not negative.
func (c *comparer) natural(x ir.Expr) bool {
	if ld, ok := x.(*ir.Load); ok && c.positive[ld.Buf] {
		return true
	}
	lo, ok := c.l.LeastOf(x)
	return ok && lo >= 0
}

// equal is whether x, an element, equals the finite extreme e of all.
func (c *comparer) equal(x, e ir.Expr, of extreme) ir.Expr {
	less, more := e, x // they are ordered
	if of.greatest {
		less, more = x, e
	}
	size := more
	if !c.natural(of.elem) {
		size = ir.OpMax.Of(more, ir.OpNeg.Of(less))
	}
	return ir.OpGe.Of(ir.OpSub.Of(ir.OpMul.Of(&ir.Float{Val: c.ct}, size), ir.OpSub.Of(more, less)), &ir.Float{Val: 0})
}
