package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// turn is how the elements of an array are in another one of its shape that is a rotation of
// it: along an axis k element i of the copy is element i + by[k] modulo the extent, where
// by[k] is a number from 0 to the extent that axes without a by may set. An array
// that is computed for such a copy is stored where it is copied to:
//
//	segmap p = 0 … 9; i = 0 … n: a[(p × n) + i] = f(p, i)
//	segmap p = 0 … 9; i = 0 … n
//	  var k = shift[p]
//	  var at = (i < (n - k)) ? (i + k) : (i + (k - n))
//	  s[(p × n) + i] = a[(p × n) + at]
//
// becomes
//
//	segmap p = 0 … 9; i = 0 … n
//	  var at = (i < shift[p]) ? (i + (n - shift[p])) : (i - shift[p])
//	  s[(p × n) + at] = f(p, i)
type turn struct {
	axes []ir.Dim
	by   []ir.Expr
}

// rotates returns the store of a nest that copies elements from places that its body
// chooses, nil for other nests.
func rotates(n *ir.Nest) *ir.Store {
	last := len(n.Body) - 1
	if n.Kind != ir.SegMap || len(n.Pre)+len(n.Post)+len(n.Red)+len(n.Flags) > 0 || last < 1 {
		return nil
	}
	chooses := false
	for _, s := range n.Body[:last] {
		d, ok := s.(*ir.Decl)
		if !ok || d.Init == nil {
			return nil
		}
		_, choice := d.Init.(*ir.Select)
		chooses = chooses || choice
		constant := true
		ir.EachLoad(d.Init, func(b *ir.Buf) { constant = constant && b.Const })
		if !constant {
			return nil
		}
	}
	store, ok := n.Body[last].(*ir.Store)
	if !ok || !chooses || !ir.IsLoadFree(store.Index) {
		return nil
	}
	load, ok := store.X.(*ir.Load)
	if !ok || load.Buf == store.Buf || load.Buf.Elem != store.Buf.Elem || !ir.IsLoadFree(load.Index) {
		return nil
	}
	return store
}

// seeTurn finds the view of src in dst, of which it is a rotation.
func (c *circuit) seeTurn(n *ir.Nest, store *ir.Store, made *ir.DeclBuf) bool {
	inits := map[*ir.Var]ir.Expr{}
	for _, s := range n.Body[:len(n.Body)-1] {
		inits[s.(*ir.Decl).Var] = s.(*ir.Decl).Init
	}
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		switch {
		case !ok || u.Var.Kind != ir.I64:
			return affine.Unknown
		case inits[u.Var] == nil:
			return c.poly(x)
		}
		if p := r.Read(inits[u.Var]); p.Known() {
			return p
		}
		return affine.Of(u.Var)
	}}
	t := &turn{axes: n.Dims, by: make([]ir.Expr, len(n.Dims))}
	counts, size := make([]affine.Poly, len(n.Dims)), affine.Const(1)
	var from, to affine.Poly
	load := r.Read(store.X.(*ir.Load).Index)
	for k := len(n.Dims) - 1; k >= 0; k-- {
		d := n.Dims[k]
		counts[k] = c.poly(d.Hi)
		i := affine.Of(d.Var)
		to = to.Plus(i.Times(size))
		for v, init := range inits {
			if by, ok := rotation(&r, init, d.Var, counts[k]); ok && load.Mentions(v) {
				i, t.by[k] = affine.Of(v), c.inlined(by.Expr(), inits)
			}
		}
		from, size = from.Plus(i.Times(size)), size.Times(counts[k])
		if !ir.IsInt(d.Lo, 0) {
			return false
		}
	}
	if !from.Known() || !from.Equal(load) || !to.Equal(r.Read(store.Index)) || !c.known.Equal(size, c.poly(made.Count)) || !c.givesEarly(t) {
		return false
	}
	_, target := c.declaration(c.dst)
	c.view = view{lmad: affine.RowMajor(counts...), dense: true, turn: t}
	return c.same(target.Count, made.Count, c.earlier())
}

// rotation reads i + k, less n where that is not below n; k has no i.
func rotation(r *affine.Reader, x ir.Expr, i *ir.Var, n affine.Poly) (k affine.Poly, ok bool) {
	choice, ok := x.(*ir.Select)
	if !ok {
		return k, false
	}
	cond, ok := choice.Cond.(*ir.Binary)
	if !ok || cond.Op != ir.OpLt || !ir.IsUse(cond.X, i) {
		return k, false
	}
	k = r.Read(choice.Then).Minus(affine.Of(i))
	return k, k.Known() && !k.Mentions(i) && r.Read(cond.Y).Equal(n.Minus(k)) && r.Read(choice.Else).Equal(affine.Of(i).Plus(k).Minus(n))
}

// inlined writes x without the variables that have inits.
func (c *circuit) inlined(x ir.Expr, inits map[*ir.Var]ir.Expr) ir.Expr {
	return ir.MapExpr(x, func(x ir.Expr) ir.Expr {
		if u, ok := x.(*ir.Use); ok && inits[u.Var] != nil {
			return c.inlined(inits[u.Var], inits)
		}
		return x
	})
}

// givesEarly reports whether the amounts of a turn are numbers of axes that stay, and of what
// is known, and the same, where src is declared.
func (c *circuit) givesEarly(t *turn) bool {
	ok := true
	for _, x := range t.by {
		if x == nil {
			continue
		}
		ir.EachUse(x, func(v *ir.Var) {
			if k := slices.IndexFunc(t.axes, func(d ir.Dim) bool { return d.Var == v }); k >= 0 {
				ok = ok && t.by[k] == nil
			} else {
				ok = ok && c.before(c.poly(v.Use()))
			}
		})
	}
	return ok
}

// onlyStored reports whether src is but stored before the copy.
func (c *circuit) onlyStored() bool {
	for _, x := range c.of[c.src] {
		_, store := x.at.stmt.(*ir.Store)
		if !x.at.within(c.at) && x.do != declares && x.do != frees && (x.do != stores || !store) {
			return false
		}
	}
	return true
}

// turned declares the place of the element of src at x before a statement that uses it, and
// returns where in dst it is.
func (c *circuit) turned(l *pass.Context, x ir.Expr, at *place) ir.Expr {
	axes, _ := c.axesOf(c.poly(x), at)
	t := c.view.turn
	index := make([]ir.Expr, len(axes))
	for k, p := range axes {
		index[k] = p.Expr()
	}
	place := ir.Expr(ir.Integer(0))
	for k := range axes {
		n := c.view.lmad.Dims[k].Count.Expr()
		i := index[k]
		if by := t.by[k]; by != nil {
			by = c.number(l, ir.MapExpr(by, func(x ir.Expr) ir.Expr {
				for k, d := range t.axes {
					if ir.IsUse(x, d.Var) {
						return index[k]
					}
				}
				return x
			}))
			declare := func(name string, x ir.Expr, hi int64) ir.Expr {
				v := l.NewVar(name, ir.I64)
				l.Ranges[v] = facts.Between(0, max(hi, 0))
				c.ahead[at.stmt] = append(c.ahead[at.stmt], v.Decl(x))
				return v.Use()
			}
			if _, known := ir.IntOf(by); !known {
				by = declare("k", by, l.RangeOf(n).Hi)
			}
			if !ir.IsInt(by, 0) {
				i = declare("at", ir.Choose(ir.OpLt.Of(i, by), ir.Add(i, ir.Sub(n, by)), ir.Sub(i, by)), l.RangeOf(n).Hi-1)
			}
		}
		place = ir.Add(ir.Mul(place, n), i)
	}
	return place
}

// number returns the number that an expression of constants is, and others themselves.
func (c *circuit) number(l *pass.Context, x ir.Expr) ir.Expr {
	return ir.MapExpr(x, func(x ir.Expr) ir.Expr {
		switch x := x.(type) {
		case *ir.Load:
			i, ok := ir.IntOf(x.Index)
			k := slices.IndexFunc(l.Out.Consts, func(s *ir.Const) bool { return s.Buf == x.Buf })
			if ok && k >= 0 && 0 <= i && i < int64(len(l.Out.Consts[k].Ints)) {
				return ir.Integer(l.Out.Consts[k].Ints[i])
			}
		case *ir.Binary:
			a, ok := ir.IntOf(x.X)
			b, ok2 := ir.IntOf(x.Y)
			switch {
			case !ok || !ok2:
			case x.Op == ir.OpRem:
				return ir.Rem(x.X, x.Y)
			case x.Op == ir.OpLt:
				return ir.Boolean(a < b)
			default:
				return ir.FoldIndex(x)
			}
		case *ir.Select:
			return ir.Choose(x.Cond, x.Then, x.Else)
		}
		return x
	})
}
