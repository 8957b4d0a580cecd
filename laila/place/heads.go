package place

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// keepHead stores only the first elements of a vector, where nothing else than
// the nest that makes it reads others:
//
//	alloc a: f64[n]
//	segred { red i = 0 … n: a[i] = f(i); s = s + a[i] }
//	segmap j = 0 … 5: b[j] = g(a[j])
//
// becomes
//
//	stack a: f64[5]
//	segred { red i = 0 … 5 min n: var e = f(i); a[i] = e; s = s + e }
//	segred { red i = 5 min n … n: var e = f(i); s = s + e }
//	segmap j = 0 … 5: b[j] = g(a[j])
//
// Every element is computed once, so that functions may be of any kind. The
// nest is divided where its declarations are inserted.
func (r *remaker) keepHead(m *remade) {
	k := r.headOf(m)
	if k == 0 || r.storing(m) < float64(ir.Width(m.buf.Elem))/2 || !cloneable(m.nest) {
		return
	}
	head := &ir.Buf{Name: m.buf.Name, Elem: m.buf.Elem, Stack: k}
	if s, ok := r.Bufs[m.buf]; ok {
		r.Bufs[head] = s
	}
	if s, ok := r.BufSpans[m.buf]; ok {
		r.BufSpans[head] = s
	}
	r.redirect(m, func(p flow.Spot, index ir.Expr) ir.Expr { return head.Load(index) })
	m.Decl.Buf, m.Decl.Count, m.Decl.Shape = head, ir.Integer(k), []ir.Expr{ir.Integer(k)}
	m.store.Buf = head
	r.headStores[m.store] = true
	r.heads[m.nest] = max(r.heads[m.nest], k)
}

// headOf returns how many of the first elements of m are all that is read
// outside of the nest; 0 where they are many, or none.
func (r *remaker) headOf(m *remade) int64 {
	most := int64(0)
	for _, p := range m.Reads {
		if _, inside := p.Frame.Within(m.body, p.At); inside {
			continue
		}
		for _, x := range ir.Exprs(p.Stmt) {
			ir.MapExpr(x, func(y ir.Expr) ir.Expr {
				if l, ok := y.(*ir.Load); ok && l.Buf == m.buf {
					i := r.RangeOf(l.Index)
					if i.Lo < 0 {
						i.Hi = facts.MaxExtent
					}
					most = max(most, i.Hi+1)
				}
				return y
			})
		}
	}
	if most > ir.StackLimit {
		return 0
	}
	return most
}

// cloneable reports whether a nest is straight code.
func cloneable(n *ir.Nest) bool {
	return ir.IsStraight(n.Pre) && ir.IsStraight(n.Body) && ir.IsStraight(n.Post)
}

// beheaded returns n as two nests: one that stores the first elements, and one
// for the others.
func (r *remaker) beheaded(n *ir.Nest) []ir.Stmt {
	space := ir.SpaceOf(n)[0]
	var out []ir.Stmt
	mid := r.Smaller(ir.Integer(r.heads[n]), space.Hi)
	if _, known := ir.IntOf(mid); !known {
		v := r.NewVar("mid", ir.I64)
		r.Ranges[v] = facts.Between(0, r.heads[n])
		out = append(out, v.Decl(mid))
		mid = v.Use()
	}
	first := r.NewCloner().Nest(n)
	rest := *n
	if n.Kind == ir.SegMap {
		first.Dims[0].Hi = mid
		rest.Dims = []ir.Dim{{Var: space.Var, Lo: mid, Hi: space.Hi}}
	} else {
		first.Red[0].Hi = mid
		rest.Red = []ir.Dim{{Var: space.Var, Lo: mid, Hi: space.Hi}}
	}
	rest.Body = nil
	for _, s := range n.Body {
		if st, ok := s.(*ir.Store); !ok || !r.headStores[st] {
			rest.Body = append(rest.Body, s)
		}
	}
	return append(out, first, &rest)
}
