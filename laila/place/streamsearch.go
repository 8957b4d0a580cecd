package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// search is a loop over chunks of an array that ends where it finds something:
//
//	loop
//	  break if at >= end
//	  var from = at
//	  var n = 64 min (end - from)
//	  var best = 64
//	  segred { red i = 0 … n: best = (a[from + i] != b[from + i] ? i : 64) min best }
//	  at = at + best
//	  break if best < 64
//
// A strip is a number of chunks: in a stream it runs up to the end of the strip, and no more
// once it has found something.
type search struct {
	loop     *ir.Loop
	at, from *ir.Var
	end      ir.Expr
	size     *ir.Decl // of the chunk
	nests    []*ir.Nest
	extreme  *extreme // what it looks for, where that is one
}

// extreme is the greatest or least of the elements that a search looks at, of which it finds
// the first place. In the strips of a stream the search is for the greatest element so far, and
// it runs where a strip has a greater one than those before:
//
//	before = m
//	segred { red i = from … to: m = m max a[i - from] }
//	if before != m { at = from; look for m up to the end of the strip }
type extreme struct {
	nest        *ir.Nest // makes it
	acc, result *ir.Var  // where the nest and the search have it
	before      *ir.Var
}

// searchChunk is how many elements a chunk has.
const searchChunk = 64

// searchOf reads a loop as a search, nil where it is none.
func searchOf(l *ir.Loop) *search {
	if len(l.Body) < 6 {
		return nil
	}
	s := &search{loop: l}
	first, ok := l.Body[0].(*ir.BreakIf)
	from, ok2 := l.Body[1].(*ir.Decl)
	size, ok3 := l.Body[2].(*ir.Decl)
	if !ok || !ok2 || !ok3 {
		return nil
	}
	cond, ok := first.Cond.(*ir.Binary)
	at, ok2 := from.Init.(*ir.Use)
	if !ok || !ok2 || cond.Op != ir.OpGe || !ir.IsUse(cond.X, at.Var) {
		return nil
	}
	s.at, s.from, s.end, s.size = at.Var, from.Var, cond.Y, size
	if !ir.Same(size.Init, s.chunk(s.end)) {
		return nil
	}
	if last, ok := l.Body[len(l.Body)-1].(*ir.BreakIf); !ok || !s.found(last) {
		return nil
	}
	for _, x := range l.Body[3 : len(l.Body)-1] {
		switch x := x.(type) {
		case *ir.Decl, *ir.Comment:
		case *ir.Assign:
			b, ok := x.X.(*ir.Binary)
			if x.Var != s.at || !ok || b.Op != ir.OpAdd || !ir.IsUse(b.X, s.at) {
				return nil
			}
		case *ir.Nest:
			if x.Kind != ir.SegRed || !streamable(x) || !cloneable(x) || len(x.Red) != 1 || x.Rounds() {
				return nil
			}
			s.nests = append(s.nests, x)
		default:
			return nil
		}
	}
	return s
}

// chunk is how many elements a chunk before an end has.
func (s *search) chunk(end ir.Expr) ir.Expr {
	return ir.OpMin.Of(ir.Integer(searchChunk), ir.OpSub.Of(end, s.from.Use()))
}

// found reports whether a loop ends at a place within a chunk.
func (s *search) found(b *ir.BreakIf) bool {
	c, ok := b.Cond.(*ir.Binary)
	return ok && c.Op == ir.OpLt && ir.IsInt(c.Y, searchChunk)
}

// extremeOf finds the extreme that a search before block[k] looks for, nil where it looks for
// something else.
func (st *stream) extremeOf(s *search, k int) *extreme {
	if len(s.nests) != 1 {
		return nil
	}
	place := s.nests[0].Red[0].Var
	here := func(x ir.Expr) bool {
		b, ok := x.(*ir.Binary)
		return ok && b.Op == ir.OpAdd && ir.IsUse(b.X, s.from) && ir.IsUse(b.Y, place)
	}
	x, result := s.sought()
	if result == nil {
		return nil
	}
	acc := result
	for u, ok := st.defs[acc].(*ir.Use); ok; u, ok = st.defs[acc].(*ir.Use) {
		acc = u.Var
	}
	for _, y := range slices.Backward(st.block[:k]) {
		n, ok := y.(*ir.Nest)
		if !ok || !streamable(n) || n.Kind != ir.SegRed || !assigns(n.Post, acc) {
			continue
		}
		d := n.Red[0]
		elem, neutral := extremeIn(n, acc)
		first, known := st.declared[acc]
		if elem == nil || !known || !ir.IsInt(d.Lo, 0) || !ir.Same(d.Hi, s.end) || !ir.Same(st.block[first].(*ir.Decl).Init, neutral) {
			return nil
		}
		x = expanded(x, s.nests[0].Body, func(y ir.Expr) ir.Expr {
			if here(y) {
				return d.Var.Use()
			}
			return st.wide(y)
		})
		if ir.Mentions(x, place) || !ir.Alike(x, expanded(elem, n.Body, st.wide)) {
			return nil
		}
		return &extreme{n, acc, result, st.L.NewVar("before", acc.Kind)}
	}
	return nil
}

// sought returns what a search compares with a variable that stays, and that variable.
func (s *search) sought() (ir.Expr, *ir.Var) {
	for _, x := range s.nests[0].Body {
		a, ok := x.(*ir.Assign)
		if !ok {
			continue
		}
		least, ok := a.X.(*ir.Binary)
		if !ok || least.Op != ir.OpMin {
			return nil, nil
		}
		choice, ok := least.X.(*ir.Select)
		if !ok {
			return nil, nil
		}
		test, ok := choice.Cond.(*ir.Binary)
		if !ok || test.Op != ir.OpEq {
			return nil, nil
		}
		if u, ok := test.Y.(*ir.Use); ok {
			return test.X, u.Var
		}
	}
	return nil, nil
}

// extremeIn returns the elements of which a reduction puts the greatest or the least in acc, and
// the neutral element.
func extremeIn(n *ir.Nest, acc *ir.Var) (elem, neutral ir.Expr) {
	var part *ir.Var
	for _, x := range n.Post {
		if a, ok := x.(*ir.Assign); ok && a.Var == acc {
			if u, ok := a.X.(*ir.Use); ok {
				part = u.Var
			}
		}
	}
	for _, c := range n.Accs {
		if c.Var != part {
			continue
		}
		for _, x := range n.Body {
			a, ok := x.(*ir.Assign)
			if !ok || a.Var != part {
				continue
			}
			most, up := a.Operand(ir.OpMax)
			least, down := a.Operand(ir.OpMin)
			switch {
			case elem == nil && up:
				elem = most
			case elem == nil && down:
				elem = least
			default:
				return nil, nil
			}
			neutral = c.Neutral
		}
	}
	if elem == nil {
		return nil, nil
	}
	return elem, neutral
}

// wide returns an integer without the conversions that do not change it.
func (st *stream) wide(x ir.Expr) ir.Expr {
	k := x.Kind()
	if !k.Exact() || k == ir.C32 || k == ir.C8 {
		return x
	}
	switch y := x.(type) {
	case *ir.Int:
		return ir.Integer(y.Val)
	case *ir.Convert:
		fits := facts.RangeOfKind(k)
		if y.X.Kind().Exact() && st.L.RangeOf(y.X).Within(fits.Lo, fits.Hi) {
			return y.X
		}
	}
	return x
}

// leads reports whether the extreme that a search looks for is made in the stream.
func (st *stream) leads(p *step) bool {
	return p.search != nil && p.search.extreme != nil && slices.ContainsFunc(st.steps, func(q *step) bool { return q.nest == p.search.extreme.nest })
}

// searched returns what a search does in a strip.
func (st *stream) searched(p *step) []ir.Stmt {
	s := p.search
	lo, end := st.window(p)
	v := st.counter("end")
	body := st.placed(p, s.loop.Body)
	body[0] = &ir.BreakIf{Cond: ir.OpGe.Of(s.at.Use(), v.Use())}
	body[2] = s.size.Var.Decl(s.chunk(v.Use()))
	then := []ir.Stmt{v.Decl(end), &ir.Loop{Body: body}}
	if !st.leads(p) {
		return []ir.Stmt{&ir.If{Cond: ir.OpLe.Of(p.clock.from.Use(), s.at.Use()), Then: then}}
	}
	e := s.extreme
	ir.Walk(body, func(x ir.Stmt) {
		ir.MapExprs(x, func(y ir.Expr) ir.Expr {
			if ir.IsUse(y, e.result) {
				return e.acc.Use()
			}
			return y
		})
	})
	return []ir.Stmt{&ir.If{Cond: ir.OpNe.Of(e.before.Use(), e.acc.Use()), Then: append([]ir.Stmt{s.at.Assign(lo)}, then...)}}
}
