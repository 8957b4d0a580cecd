package place

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Producers computes the elements of a matrix where they are used, when they
// are used by one reduction of its rows only, though by several of its
// accumulators:
//
//	segmap i, j: w[i*n + j] = f(i, j)
//	segmap i: segred { red j: a = a + g(j) * w[i*n + j]; b = b + h(j) * w[i*n + j] }
//
// becomes
//
//	segmap i: segred { red j: e = f(i, j); a = a + g(j) * e; b = b + h(j) * e }
//
// so that the matrix is never in memory.
//
// Requires: nests and reductions that have been joined. Preserves: faults,
// since what can fault stays where it is.
func Producers(f *ir.Func) {
	f.Body = inlineProducers(f.Body, flow.CountUses(f.Body, map[*ir.Buf]int{}))
}

func inlineProducers(block []ir.Stmt, uses map[*ir.Buf]int) []ir.Stmt {
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = inlineProducers(*inner, uses)
		}
	}
	for i := 0; i < len(block); i++ {
		p := producerOf(block[i])
		if p == nil || !ir.DeclaresBuf(block, p.buf) {
			continue
		}
		if j := p.consumer(block, i, uses); j >= 0 {
			block = append(append([]ir.Stmt{}, block[:i]...), block[i+1:]...)
			block = ir.WithoutBuf(block, p.buf)
			i = -1
		}
	}
	return block
}

// producer is a nest that makes a matrix.
type producer struct {
	nest  *ir.Nest
	buf   *ir.Buf
	index *ir.Binary // of the element
	reads *flow.Touched
}

// producerOf returns the producer that s is, or nil.
func producerOf(s ir.Stmt) *producer {
	n, ok := s.(*ir.Nest)
	if !ok || n.Kind != ir.SegMap || len(n.Dims) != 2 || len(n.Red) != 0 || len(n.Flags) != 0 || len(n.Body) == 0 {
		return nil
	}
	st, ok := n.Body[len(n.Body)-1].(*ir.Store)
	if !ok || st.Buf.Const {
		return nil
	}
	for _, s := range n.Body[:len(n.Body)-1] {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init == nil {
				return nil
			}
		case *ir.Comment:
		default:
			return nil
		}
	}
	p := &producer{nest: n, buf: st.Buf, reads: flow.NewTouched()}
	for _, s := range n.Body {
		p.reads.Stmt(s)
	}
	p.index, ok = st.Index.(*ir.Binary)
	row, ok2 := rowOf(p.index)
	if !ok || !ok2 || p.reads.Bufs[p.buf] || !ir.IsUse(row, n.Dims[0].Var) || !ir.IsUse(p.index.Y, n.Dims[1].Var) {
		return nil
	}
	return p
}

// rowOf returns i of i*n + j.
func rowOf(x *ir.Binary) (ir.Expr, bool) {
	if x == nil || x.Op != ir.OpAdd {
		return nil, false
	}
	m, ok := x.X.(*ir.Binary)
	if !ok || m.Op != ir.OpMul {
		return nil, false
	}
	return m.X, true
}

// consumer moves the producer at position i of a block into the reduction that
// uses its matrix, and returns the position of that; -1 where there is none.
func (p *producer) consumer(block []ir.Stmt, i int, uses map[*ir.Buf]int) int {
	for j := i + 1; j < len(block) && j <= i+fuseWindow; j++ {
		if n, ok := block[j].(*ir.Nest); ok && flow.CountUses([]ir.Stmt{n}, map[*ir.Buf]int{})[p.buf] > 0 {
			if !p.undisturbed(block[j:j+1]) || !p.into(n, uses) {
				return -1
			}
			return j
		}
		if !p.undisturbed(block[j : j+1]) {
			return -1
		}
	}
	return -1
}

// undisturbed reports whether statements write nothing that the producer reads.
func (p *producer) undisturbed(block []ir.Stmt) bool {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Assign:
			if p.reads.Reads[s.Var] {
				return false
			}
		case *ir.Store:
			if p.reads.Bufs[s.Buf] {
				return false
			}
		case *ir.Copy:
			if p.reads.Bufs[s.Dst] {
				return false
			}
		case *ir.Decl, *ir.DeclBuf, *ir.Comment, *ir.Nest, *ir.For, *ir.If:
		case *ir.Free:
			if p.reads.Bufs[s.Buf] {
				return false
			}
		default:
			return false
		}
		for _, inner := range ir.Blocks(s) {
			if !p.undisturbed(*inner) {
				return false
			}
		}
	}
	return true
}

// into moves the producer into a reduction of n.
func (p *producer) into(n *ir.Nest, uses map[*ir.Buf]int) bool {
	outer := p.nest.Dims[0]
	if n.Kind != ir.SegMap || len(n.Dims) != 1 || len(n.Red) != 0 || !ir.Same(n.Dims[0].Lo, outer.Lo) || !ir.Same(n.Dims[0].Hi, outer.Hi) {
		return false
	}
	alias := map[*ir.Var]*ir.Var{}
	var red *ir.Nest
	for _, s := range n.Body {
		flow.NoteAlias(s, alias)
		if r, ok := s.(*ir.Nest); ok && flow.CountUses([]ir.Stmt{r}, map[*ir.Buf]int{})[p.buf] > 0 {
			red = r
			break
		}
	}
	inner := p.nest.Dims[1]
	if red == nil || red.Kind != ir.SegRed || len(red.Dims) != 0 || len(red.Red) != 1 ||
		!ir.Same(red.Red[0].Lo, inner.Lo) || !ir.Same(red.Red[0].Hi, inner.Hi) {
		return false
	}
	here, odd := 1, false // the store
	width := p.index.X.(*ir.Binary).Y
	e := &ir.Var{Name: "e", Kind: p.buf.Elem}
	replace := func(x ir.Expr) ir.Expr {
		ld, ok := x.(*ir.Load)
		if !ok || ld.Buf != p.buf {
			return x
		}
		here++
		at, _ := ld.Index.(*ir.Binary)
		row, ok := rowOf(at)
		if !ok || !ir.Same(at.X.(*ir.Binary).Y, width) || !flow.IsAlias(row, n.Dims[0].Var, alias) || !flow.IsAlias(at.Y, red.Red[0].Var, alias) {
			odd = true
			return x
		}
		return e.Use()
	}
	// Look first, change then.
	body := make([]ir.Stmt, len(red.Body))
	for i, s := range red.Body {
		flow.NoteAlias(s, alias)
		c := copyScalar(s)
		if c == nil || !ir.MapScalars(c, replace) {
			return false
		}
		body[i] = c
	}
	if odd || here != uses[p.buf] {
		return false
	}
	st := p.nest.Body[len(p.nest.Body)-1].(*ir.Store)
	moved := []ir.Stmt{outer.Var.Decl(n.Dims[0].Var.Use()), inner.Var.Decl(red.Red[0].Var.Use())}
	moved = append(moved, p.nest.Body[:len(p.nest.Body)-1]...)
	moved = append(moved, e.Decl(st.X))
	red.Body = append(moved, body...)
	return true
}

// copyScalar returns a copy of a statement of straight code, or nil.
func copyScalar(s ir.Stmt) ir.Stmt {
	switch s := s.(type) {
	case *ir.Decl:
		c := *s
		return &c
	case *ir.Assign:
		c := *s
		return &c
	case *ir.Store:
		c := *s
		return &c
	case *ir.Comment:
		return s
	}
	return nil
}
