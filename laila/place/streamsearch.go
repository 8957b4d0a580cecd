package place

import "github.com/tailor-lang/tailor/laila/ir"

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
			if x.Kind != ir.SegRed || !streamable(x) || len(x.Red) != 1 {
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

// searched returns what a search does in a strip.
func (st *stream) searched(p *step) []ir.Stmt {
	_, end := st.window(p)
	v := st.counter("end")
	body := st.placed(p, p.search.loop.Body)
	body[0] = &ir.BreakIf{Cond: ir.OpGe.Of(p.search.at.Use(), v.Use())}
	body[2] = p.search.size.Var.Decl(p.search.chunk(v.Use()))
	return []ir.Stmt{&ir.If{Cond: ir.OpLe.Of(p.clock.from.Use(), p.search.at.Use()), Then: []ir.Stmt{v.Decl(end), &ir.Loop{Body: body}}}}
}
