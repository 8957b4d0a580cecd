package laila

import "math"

// extremes compares elements with the least or the greatest of them by one
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
func (l *lowerer) extremes(f *Func) {
	c := &comparer{l: l, ct: l.in.Tolerance(), sums: &fuser{l: l, sums: map[Stmt]*summary{}}}
	if c.ct > 0 && comparesTolerantly(f.Body) {
		c.positive = l.positives(f.Body)
		f.Body = c.block(f.Body)
	}
}

// extreme is the least or the greatest of n elements, those that elem gives for
// i = 0 … n-1.
type extreme struct {
	elem     Expr
	i        *Var
	n        Expr
	greatest bool
	uses     *uses // what elem depends on
}

// elemSize bounds the expressions of elements that are compared.
const elemSize = 24

type comparer struct {
	l        *lowerer
	ct       float64
	sums     *fuser
	positive map[*Buf]bool // arrays without negative elements
}

// tolerantly are the comparisons that are simplified.
var tolerantly = map[string]bool{"tl_eqd": true, "tl_neqd": true}

func comparesTolerantly(block []Stmt) bool {
	found := false
	var visit func(x Expr)
	visit = func(x Expr) {
		if m, ok := x.(*Math); ok && tolerantly[m.Fn] {
			found = true
		}
		for _, y := range Operands(x) {
			if y != nil {
				visit(y)
			}
		}
	}
	for _, s := range block {
		for _, x := range Exprs(s) {
			if x != nil {
				visit(x)
			}
		}
		for _, inner := range Blocks(s) {
			found = found || comparesTolerantly(*inner)
		}
	}
	return found
}

// positives returns the arrays of doubles to which a block writes nothing
// negative.
func (l *lowerer) positives(block []Stmt) map[*Buf]bool {
	out, not := map[*Buf]bool{}, map[*Buf]bool{}
	var visit func(block []Stmt)
	visit = func(block []Stmt) {
		for _, s := range block {
			if st, ok := s.(*Store); ok {
				if lo, ok := l.leastOf(st.X); ok && lo >= 0 && st.Buf.Elem == F64 {
					out[st.Buf] = true
				} else {
					not[st.Buf] = true
				}
				continue
			}
			if inner := Blocks(s); len(inner) > 0 {
				for _, b := range inner {
					visit(*b)
				}
				continue
			}
			switch s.(type) {
			case *DeclBuf, *Free, *Decl, *Assign, *Checked, *Comment, *BreakIf, *Fail:
			default: // whatever mentions the array may write it
				bufsOf(s, func(b *Buf) { not[b] = true })
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
func (c *comparer) block(block []Stmt) []Stmt {
	var out []Stmt
	known := map[*Var]extreme{}
	for k, s := range block {
		for _, inner := range Blocks(s) {
			*inner = c.block(*inner)
		}
		t := c.sums.of(s)
		for v, e := range known {
			if t.writes[v] || meet(t.writes, e.uses.vars) || meetBufs(t.stores, e.uses.bufs) || disposes(s, e.uses.bufs) {
				delete(known, v)
			}
		}
		switch s := s.(type) {
		case *Decl:
			if u, ok := s.Init.(*Use); ok {
				if e, ok := known[u.Var]; ok {
					known[s.Var] = e
				}
			}
		case *Nest:
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
func disposes(s Stmt, bufs map[*Buf]bool) bool {
	switch s.(type) {
	case *Decl, *Assign, *Checked, *Store, *Nest, *For, *If, *Comment:
		return false
	}
	found := false
	bufsOf(s, func(x *Buf) { found = found || bufs[x] })
	return found
}

// expanded returns x with the definitions of variables in their places, as far
// as that stays small.
func expanded(x Expr, inits map[*Var]Expr) Expr {
	y := mapExpr(x, func(y Expr) Expr {
		if u, ok := y.(*Use); ok && inits[u.Var] != nil {
			return inits[u.Var]
		}
		return y
	})
	if size(y, elemSize) >= elemSize {
		return x
	}
	return y
}

// extremeOf recognises a reduction by ⌊ or ⌈ of a stored array, after the
// statements of before.
func extremeOf(before []Stmt, n *Nest) (*Var, extreme, bool) {
	none := extreme{}
	last := len(n.Body) - 1
	if n.Kind != SegRed || len(n.Dims) != 0 || len(n.Red) != 1 || len(n.Accs) != 1 || len(n.Pre) != 1 || len(n.Post) != 1 || last < 0 || len(n.Flags) != 0 || !isInt(n.Red[0].Lo, 0) {
		return nil, none, false
	}
	pre, ok := n.Pre[0].(*Decl)
	post, ok2 := n.Post[0].(*Assign)
	step, ok3 := n.Body[last].(*Assign)
	if !ok || !ok2 || !ok3 || !isUse(pre.Init, post.Var) || !isUse(post.X, pre.Var) || step.Var != pre.Var || !startsAtInfinity(before, post.Var) {
		return nil, none, false
	}
	inits := map[*Var]Expr{}
	for _, s := range n.Body[:last] {
		d, ok := s.(*Decl)
		if !ok || d.Init == nil {
			return nil, none, false
		}
		inits[d.Var] = expanded(d.Init, inits)
	}
	x, ok := step.X.(*Binary)
	if !ok || x.Op != Min && x.Op != Max || !isUse(x.X, pre.Var) || x.Kind() != F64 {
		return nil, none, false
	}
	e := extreme{expanded(x.Y, inits), n.Red[0].Var, n.Red[0].Hi, x.Op == Max, newUses()}
	e.uses.expr(e.elem, nil, nil)
	for v := range inits {
		if e.uses.vars[v] {
			return nil, none, false
		}
	}
	delete(e.uses.vars, e.i)
	return post.Var, e, true
}

// startsAtInfinity reports whether the last statement declares v as an
// infinity.
func startsAtInfinity(before []Stmt, v *Var) bool {
	for k := len(before) - 1; k >= 0; k-- {
		switch s := before[k].(type) {
		case *Comment:
		case *Decl:
			x, ok := s.Init.(*Float)
			return ok && s.Var == v && math.IsInf(x.Val, 0)
		default:
			return false
		}
	}
	return false
}

// versions returns a nest that compares elements with their extreme in two
// versions, nil where it does not.
func (c *comparer) versions(n *Nest, known map[*Var]extreme) Stmt {
	if len(known) == 0 || !copies([]Stmt{n}) {
		return nil
	}
	d := n.Dims
	if n.Kind == SegRed && len(n.Dims) == 0 {
		d = n.Red
	}
	if len(d) != 1 || !isInt(d[0].Lo, 0) || n.Kind != SegMap && n.Kind != SegRed {
		return nil
	}
	fast := newCloner(c.l).stmt(n).(*Nest)
	fd := fast.Dims
	if n.Kind == SegRed && len(n.Dims) == 0 {
		fd = fast.Red
	}
	var used *Var
	inits := map[*Var]Expr{}
	simpler := func(x Expr) Expr {
		m, ok := x.(*Math)
		if !ok || !tolerantly[m.Fn] {
			return x
		}
		for k, y := range m.Args {
			u, ok := expanded(m.Args[1-k], inits).(*Use)
			if !ok || used != nil && used != u.Var {
				continue
			}
			e, ok := known[u.Var]
			if !ok || !same(e.n, d[0].Hi) || !alike(e.elem, expanded(expanded(y, inits), map[*Var]Expr{fd[0].Var: &Use{e.i}})) {
				continue
			}
			used = u.Var
			equal := c.equal(y, &Use{u.Var}, e)
			if m.Fn == "tl_neqd" {
				return &Unary{Not, equal}
			}
			return equal
		}
		return x
	}
	for _, s := range fast.Body {
		for v := range c.sums.of(s).writes {
			delete(inits, v)
		}
		if dc, ok := s.(*Decl); ok && dc.Init != nil {
			inits[dc.Var] = expanded(dc.Init, inits)
		}
		if !mapScalars(s, simpler) {
			break
		}
	}
	if used == nil {
		return nil
	}
	var size Expr = &Use{used}
	if !c.natural(known[used].elem) {
		size = &Unary{Abs, size}
	}
	return &If{Cond: &Binary{Le, size, &Float{math.MaxFloat64}}, Then: []Stmt{fast}, Else: []Stmt{n}}
}

// natural reports whether an element is not negative.
func (c *comparer) natural(x Expr) bool {
	if ld, ok := x.(*Load); ok && c.positive[ld.Buf] {
		return true
	}
	lo, ok := c.l.leastOf(x)
	return ok && lo >= 0
}

// equal is whether x, an element, equals the finite extreme e of all.
func (c *comparer) equal(x, e Expr, of extreme) Expr {
	less, more := e, x // they are ordered
	if of.greatest {
		less, more = x, e
	}
	size := more
	if !c.natural(of.elem) {
		size = &Binary{Max, more, &Unary{Neg, less}}
	}
	return &Binary{Ge, &Binary{Sub, &Binary{Mul, &Float{c.ct}, size}, &Binary{Sub, more, less}}, &Float{0}}
}
