package cgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// behindChunk is how many elements a scan makes before a reduction reads them.
const behindChunk = 4096

// behind is a running scan with a reduction of all that it makes:
//
//	a[0] = acc
//	for i = 0 … n-1: acc = acc ∘ x[i]; a[i+1] = acc
//	segred { red j = 0 … n: m = m max a[j] }
//
// becomes, while what was made is in the first-level cache,
//
//	for c = 0, 4096 … n-1
//	  for i = c … to: acc = acc ∘ x[i]; a[i+1] = acc      to = (c+4096) min n-1
//	  for j = c+(c>0) … to+1: m = m max a[j]
//
// The reductions are such that the order of their terms does not matter: those
// of integers, ⌈ and ⌊.
type behind struct {
	scan *running
	red  *ir.Nest
	decl []ir.Stmt // what stands between the two, and does not need the scan
}

// behindOf recognises the scan list[i] with a reduction behind it, and says how
// many statements they are; nil where there is none.
func behindOf(list []ir.Stmt, i int) (*behind, int) {
	f, ok := list[i].(*ir.For)
	if !ok || !isZero(f.Lo) {
		return nil, 0
	}
	r, ok := runningOf(f)
	if !ok {
		return nil, 0
	}
	made := shiftedStore(f)
	if made == nil {
		return nil, 0
	}
	p := &behind{scan: r}
	for j := i + 1; j < len(list); j++ {
		switch s := list[j].(type) {
		case *ir.Comment:
		case *ir.Decl:
			switch x := s.Init.(type) {
			case *ir.Int, *ir.Float:
			case *ir.Use:
				if x.Var == r.acc.Var {
					return nil, 0
				}
			default:
				return nil, 0
			}
		case *ir.Nest:
			p.red = s
			if !p.follows(list[:i], made) {
				return nil, 0
			}
			return p, j + 1 - i
		default:
			return nil, 0
		}
		p.decl = append(p.decl, list[j])
	}
	return nil, 0
}

func isZero(x ir.Expr) bool {
	n, ok := x.(*ir.Int)
	return ok && n.Val == 0
}

// shiftedStore returns the buffer that each iteration i of f stores element i+1
// of, where it stores nothing else.
func shiftedStore(f *ir.For) *ir.Buf {
	var buf *ir.Buf
	for _, s := range f.Body {
		st, ok := s.(*ir.Store)
		if !ok {
			continue
		}
		at, ok := st.Index.(*ir.Binary)
		if buf != nil || !ok || at.Op != ir.OpAdd || !isUse(at.X, f.Var) || !isOne(at.Y) {
			return nil
		}
		buf = st.Buf
	}
	return buf
}

func isUse(x ir.Expr, v *ir.Var) bool {
	u, ok := x.(*ir.Use)
	return ok && u.Var == v
}

func isOne(x ir.Expr) bool {
	n, ok := x.(*ir.Int)
	return ok && n.Val == 1
}

// follows reports whether the reduction is of all elements of made, one more
// than the scan has steps, each read where it stands, in any order. before has
// the statements before the scan.
func (p *behind) follows(before []ir.Stmt, made *ir.Buf) bool {
	n := p.red
	if n.Kind != ir.SegRed || len(n.Dims) > 0 || len(n.Red) != 1 || len(n.Flags) > 0 || len(n.Accs) == 0 || !isStraight(n.Body) || !isZero(n.Red[0].Lo) {
		return false
	}
	for _, a := range n.Accs {
		x, ok := a.Combine.(*ir.Binary)
		if !ok || !a.Exact && x.Op != ir.OpMin && x.Op != ir.OpMax || a.Neutral == nil {
			return false
		}
	}
	if !oneMore(before, n.Red[0].Hi, p.scan.loop.Hi) {
		return false
	}
	return p.readsInPlace(made)
}

// readsInPlace reports whether the body of the reduction changes nothing but
// its accumulators, does not use the scan's, and reads elements of made at the
// index of its iteration only.
func (p *behind) readsInPlace(made *ir.Buf) bool {
	accs := map[*ir.Var]bool{}
	for _, a := range p.red.Accs {
		accs[a.Var] = true
	}
	index := map[*ir.Var]bool{p.red.Red[0].Var: true}
	ok, reads := true, false
	for _, s := range p.red.Body {
		switch s := s.(type) {
		case *ir.Decl:
			if u, isUse := s.Init.(*ir.Use); isUse && index[u.Var] {
				index[s.Var] = true
			}
		case *ir.Assign:
			ok = ok && accs[s.Var]
		case *ir.Comment:
		default:
			return false
		}
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				switch x := x.(type) {
				case *ir.Use:
					ok = ok && x.Var != p.scan.acc.Var
				case *ir.Load:
					if x.Buf == made {
						u, isUse := x.Index.(*ir.Use)
						ok, reads = ok && isUse && index[u.Var], true
					}
				}
			})
		})
	}
	return ok && reads
}

// oneMore reports whether x is y and 1.
func oneMore(before []ir.Stmt, x, y ir.Expr) bool {
	if a, ok := x.(*ir.Int); ok {
		b, ok := y.(*ir.Int)
		return ok && a.Val == b.Val+1
	}
	u, ok := y.(*ir.Use)
	for i := len(before) - 1; ok && i >= 0; i-- {
		if d, isDecl := before[i].(*ir.Decl); isDecl && d.Var == u.Var {
			b, isBinary := d.Init.(*ir.Binary)
			return isBinary && b.Op == ir.OpSub && ir.Same(b.X, x) && isOne(b.Y)
		}
	}
	return false
}

// behind writes the two.
func (b *body) behind(p *behind) {
	b.stmts(p.decl)
	b.stmts(p.red.Pre)
	if !b.scan(p.scan.loop, p) {
		b.chunks(p, p.scan.loop.Lo, p.scan.loop.Hi)
	}
	if n, ok := p.scan.loop.Hi.(*ir.Int); !ok || n.Val <= 0 { // no steps, but there may be an element 0
		b.line("if (%s <= 0) {", b.once(p.scan.loop.Hi))
		b.depth++
		b.reduction(p.red, p.red.Red, p.red.Body)
		b.close(1)
	}
	b.stmts(p.red.Post)
}

// chunks writes the steps lo … hi-1 of the scan and the reduction of what they
// make, of element 0 with the first.
func (b *body) chunks(p *behind, lo, hi ir.Expr) {
	c := &ir.Var{Name: "chunk", Kind: ir.I64}
	to := &ir.Var{Name: "to", Kind: ir.I64}
	end := b.once(hi)
	name := b.declareVar(c)
	b.line("for (int64_t %s = %s; %s < %s; %s += %d) {", name, b.expr(lo), name, end, name, behindChunk)
	b.depth++
	most := b.rangeOf(hi).Hi
	b.noteRange(c, facts.Between(0, most))
	b.line("const int64_t %s = tl_mini(%s, %s + %d);", b.declareVar(to), end, name, behindChunk)
	b.noteRange(to, facts.Between(0, most))
	part := ir.Dim{Var: p.scan.loop.Var, Lo: c.Use(), Hi: to.Use()}
	b.forLoop(part, p.scan.loop.Body, "")
	b.block(p.scan.loop.Body)
	b.line("}")
	from := &ir.Var{Name: "from", Kind: ir.I64}
	b.line("const int64_t %s = %s + (%s > 0);", b.declareVar(from), name, name)
	b.noteRange(from, facts.Between(0, most+1))
	b.reduction(p.red, []ir.Dim{{Var: p.red.Red[0].Var, Lo: from.Use(), Hi: ir.OpAdd.Of(to.Use(), &ir.Int{Val: 1, K: ir.I64})}}, p.red.Body)
	b.close(1)
}

// blockResults declares the results of the blocks of a shared scan for the
// accumulators of the reduction behind it.
func (b *body) blockResults(p *behind) map[*ir.Var]string {
	results := map[*ir.Var]string{}
	for _, a := range p.red.Accs {
		if b.survey.read[a.Var] {
			results[a.Var] = b.names.fresh(a.Var.Name + "_of")
			b.line("%s %s[%d];", ctype(a.Var.Kind), results[a.Var], parts)
		}
	}
	return results
}

// blockChunks writes the second pass over a block, with the reduction.
func (b *body) blockChunks(p *behind, results map[*ir.Var]string, block string, part ir.Dim) {
	for _, a := range p.red.Accs {
		if results[a.Var] != "" {
			b.line("%s %s = %s;", ctype(a.Var.Kind), b.varName(a.Var), b.neutral(a))
		}
	}
	b.chunks(p, part.Lo, part.Hi)
	for _, a := range p.red.Accs {
		if results[a.Var] != "" {
			b.line("%s[%s] = %s;", results[a.Var], block, b.varName(a.Var))
		}
	}
}

// joinBlocks joins the results of blocks.
func (b *body) joinBlocks(p *behind, results map[*ir.Var]string, block, blocks string) {
	b.line("for (int64_t %s = 0; %s < %s; %s++) {", block, block, blocks, block)
	b.depth++
	for _, a := range p.red.Accs {
		if results[a.Var] != "" {
			b.line("%s = %s;", b.varName(a.Var), b.joined(a, b.varName(a.Var), fmt.Sprintf("%s[%s]", results[a.Var], block)))
		}
	}
	b.close(1)
}
