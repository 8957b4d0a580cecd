package place

import (
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Behind runs a reduction of what a sequential loop makes right behind that
// loop, block by block, while the block is in the first cache:
//
//	for i = 0 … n - 1: acc = acc + f(i); a[i + 1] = acc
//	segred { red j = 0 … n: m = m max a[j] }
//
// becomes
//
//	var done = 0
//	for b = 0 … ((n - 1) + 2047) quo 2048
//	  for i = b×2048 … (b×2048 + 2048) min (n - 1): acc = acc + f(i); a[i + 1] = acc
//	  segred { red j = done … to: m = m max a[j] }
//	  done = to
//	segred { red j = done … n: m = m max a[j] }
//
// where to is the end of what is there.
//
// Only reductions whose terms may be joined in any order without a difference
// follow, so that results stay the same to the last bit.
func Behind(l *pass.Context, f *ir.Func) {
	b := &follower{l: l, Fuser: &Fuser{L: l, Sums: map[ir.Stmt]*flow.Summary{}}}
	f.Body = b.block(f.Body)
}

// isRunning reports whether each iteration i of a loop combines a value with
// what one variable has and stores that as element i+1 of an array, and does
// nothing else: such scans have a parallel form.
func isRunning(loop *ir.For) bool {
	steps, stores := 0, 0
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *ir.Decl, *ir.Comment:
		case *ir.Assign:
			x, ok := s.X.(*ir.Binary)
			if !ok || x.Op >= ir.OpLt || x.Op == ir.OpSub || !isOperand(x, s.Var) {
				return false
			}
			steps++
		case *ir.Store:
			at, ok := s.Index.(*ir.Binary)
			if !ok || at.Op != ir.OpAdd || !ir.IsInt(at.Y, 1) || !ir.Same(at.X, loop.Var.Use()) {
				return false
			}
			stores++
		default:
			return false
		}
	}
	return steps == 1 && stores == 1 && ir.IsInt(loop.Lo, 0)
}

// isOperand reports whether v is an operand of x.
func isOperand(x *ir.Binary, v *ir.Var) bool {
	return ir.Same(x.X, v.Use()) || ir.Same(x.Y, v.Use())
}

type follower struct {
	l *pass.Context
	*Fuser
}

// behindBlock is the number of iterations of the loop that a nest follows.
const behindBlock = 2048

func (b *follower) block(block []ir.Stmt) []ir.Stmt {
	for q := 0; q < len(block); q++ {
		n, ok := block[q].(*ir.Nest)
		if !ok || !follows(n) {
			continue
		}
		for p := q - 1; p >= 0 && p >= q-fuseWindow; p-- {
			loop, ok := block[p].(*ir.For)
			if !ok {
				continue
			}
			if isRunning(loop) { // threads share it, so C is written for the two at once
				break
			}
			if c, ok := b.behind(block, p, q, loop, n); ok {
				out := append(append([]ir.Stmt{}, block[:p]...), block[p+1:q]...)
				out = append(out, b.joined(loop, n, c)...)
				at := len(out) - 1
				block, q = append(out, block[q+1:]...), at
			}
			break
		}
	}
	for _, s := range block {
		for _, inner := range ir.SequentialBlocks(s) {
			*inner = b.block(*inner)
		}
	}
	return block
}

// follows reports whether n is a reduction to scalars of straight code that
// costs little, whose order does not matter.
func follows(n *ir.Nest) bool {
	if ir.WholeReduction(n) == nil || !ir.IsInt(n.Red[0].Lo, 0) || len(n.Flags) > 0 || !cloneable(n) || cost.BlockWeight(n.Body) > stripWork {
		return false
	}
	for _, a := range n.Accs {
		x, ok := a.Combine.(*ir.Binary)
		if !a.Exact && !(ok && (x.Op == ir.OpMin || x.Op == ir.OpMax)) {
			return false
		}
	}
	for _, s := range n.Body {
		if _, ok := s.(*ir.Store); ok {
			return false
		}
	}
	return true
}

// behind reports whether n, at position q, can follow the loop at position p,
// and how far the stores of an iteration are ahead of its index.
func (b *follower) behind(block []ir.Stmt, p, q int, loop *ir.For, n *ir.Nest) (int64, bool) {
	made, c, ok := storesAhead(loop)
	if !ok || !ir.IsInt(loop.Lo, 0) {
		return 0, false
	}
	sl, sn := b.Of(loop), b.Of(n)
	if !sn.Loads[made] || !readsInOrder(n, made) || sn.Guard || sl.Guard {
		return 0, false
	}
	for x := range sl.Stores {
		if x != made && sn.Loads[x] {
			return 0, false
		}
	}
	if flow.Meet(sl.Writes, sn.Reads) || flow.Meet(sn.Writes, sl.Reads) || flow.Meet(sl.Writes, sn.Writes) {
		return 0, false
	}
	for _, x := range block[p+1 : q] {
		t := b.Of(x)
		if t.Barrier || sl.Clashes(t) {
			return 0, false
		}
	}
	return c, true
}

// storesAhead returns the buffer that each iteration of a loop stores one
// element of, and how far that is ahead of the loop's index.
func storesAhead(loop *ir.For) (*ir.Buf, int64, bool) {
	var made *ir.Store
	for _, s := range loop.Body {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Comment:
		case *ir.Store:
			if made != nil {
				return nil, 0, false
			}
			made = s
		default:
			return nil, 0, false
		}
	}
	if made == nil {
		return nil, 0, false
	}
	x := made.Index
	c := int64(0)
	if s, ok := x.(*ir.Binary); ok && s.Op == ir.OpAdd {
		k, known := ir.IntOf(s.Y)
		if !known || k < 0 {
			return nil, 0, false
		}
		x, c = s.X, k
	}
	return made.Buf, c, ir.IsUse(x, loop.Var)
}

// readsInOrder reports whether n reads b at its index only.
func readsInOrder(n *ir.Nest, b *ir.Buf) bool {
	alias := map[*ir.Var]*ir.Var{}
	ok := true
	for _, s := range n.Body {
		flow.NoteAlias(s, alias)
		for _, x := range ir.Exprs(s) {
			if x == nil {
				continue
			}
			ir.MapExpr(x, func(y ir.Expr) ir.Expr {
				if l, load := y.(*ir.Load); load && l.Buf == b {
					ok = ok && flow.IsAlias(l.Index, n.Red[0].Var, alias)
				}
				return y
			})
		}
	}
	return ok
}

// joined returns the statements that run loop with n behind it.
func (b *follower) joined(loop *ir.For, n *ir.Nest, c int64) []ir.Stmt {
	counter := func(name string) *ir.Var {
		v := b.l.NewVar(name, ir.I64)
		b.l.Ranges[v] = facts.Between(0, facts.MaxExtent)
		return v
	}
	done, i, from, end, to := counter("done"), counter("b"), counter("from"), counter("end"), counter("to")
	hi := n.Red[0].Hi
	inner := &ir.Nest{Kind: ir.SegRed, Accs: n.Accs, Body: n.Body, At: n.At, Red: n.Red}
	rest := cloneNest(b.l, inner, done.Use(), hi)
	inner.Red = []ir.Dim{{Var: n.Red[0].Var, Lo: done.Use(), Hi: to.Use()}}
	blocks := &ir.For{Var: i, Lo: ir.Integer(0), Hi: ir.Quo(ir.Add(loop.Hi, ir.Integer(behindBlock-1)), ir.Integer(behindBlock)), Body: []ir.Stmt{
		from.Decl(ir.Mul(i.Use(), ir.Integer(behindBlock))),
		end.Decl(ir.OpMin.Of(ir.Add(from.Use(), ir.Integer(behindBlock)), loop.Hi)),
		&ir.For{Var: loop.Var, Lo: from.Use(), Hi: end.Use(), Body: loop.Body},
		to.Decl(ir.OpMin.Of(ir.Add(end.Use(), ir.Integer(c)), hi)),
		inner,
		done.Assign(to.Use()),
	}}
	out := append([]ir.Stmt{done.Decl(ir.Integer(0))}, n.Pre...)
	return append(append(out, blocks, rest), n.Post...)
}
