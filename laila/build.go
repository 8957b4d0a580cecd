package laila

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
)

// lowerer holds what is shared by the functions of a program.
type lowerer struct {
	*pass.Context
	in      *tail.Program
	opts    Options
	funcs   map[*tail.Func]*ir.Func
	sums    map[*ir.Var]affine.Poly // variables that are set once, to sums
	windows map[tail.Expr]bool      // what reads windows that move with a loop
	steady  map[*ir.Var]bool        // variables that do not change where they are mentioned
	live    *live.Uses
	consts  map[*array.Array]*ir.Buf
	// effects remembers what functions can do; state has the buffers of loops
	// that their bodies may write.
	effects *tail.Effects
	state   map[*ir.Buf]bool
	growing map[*ir.Buf]bool // those of them whose extents are variables
	// factors has the factors, 0 or 1, of arguments that may be extended.
	factors map[*ir.Var]bool
	decided map[*tail.If]tail.Expr // branches that are known to be taken
	// products are the values of variables that are set once to a product.
	products map[*ir.Var]ir.Expr
	// found has the places that were looked for before their expressions, and
	// unread the variables that nothing reads for that reason (nearest.go).
	found  map[*tail.Apply]*value
	unread map[*tail.Var]bool
}

// gen lowers one function: it appends statements to the current block.
type gen struct {
	*lowerer
	blk      *block
	env      *environment
	nest     *nestState          // the parallel nest being filled, or nil
	facts    map[*ir.Var]*bounds // what is known of the loop variables in scope
	held     knowledge           // what is known of other variables
	pending  []*pull             // delayed arrays whose elements can still fault
	ranks    int                 // how many of them there were
	inflight []*value            // arguments evaluated, not yet consumed
	delayed  []boundPull         // let-bound delayed arrays, for updates in place
	split    bool                // an index set was split since it was last reset
	src      diag.Span           // the span of the application being lowered
	even     *evenness           // while loops are made for arguments that are not extended
	peeking  bool                // elements are read to see where they come from, and not remembered
	params   []ir.Array          // of a recursive function
	untested []tail.Expr         // applications whose overflow is seen in the result of a reduction
	fork     *fork               // where the body of a loop can go on in two versions, or nil
}

// block is a list of statements being built, with the buffers it owns.
type block struct {
	stmts  []ir.Stmt
	parent *block
	owned  []*ir.Buf
	cache  map[cacheKey]ir.Expr
	sizes  map[string]sized // extents computed in this block
	learnt []learnt
	undo   []undo // arrays stored in this block, as they were before
	depth  int    // how many blocks it is inside of
}

// deepest bounds how deeply blocks nest: Go cannot recover from a stack that
// overflows, and no program that parses comes near.
const deepest = 100_000

// learnt is what was known of a variable before a check.
type learnt struct {
	v   *ir.Var
	old *bounds
}

// undo remembers a delayed array that was stored: outside the block that owns
// the storage it is delayed again.
type undo struct {
	p   *pull
	old pull
}

type cacheKey struct {
	p  *pull
	ix string
}

func (g *gen) emit(s ...ir.Stmt) {
	g.blk.stmts = append(g.blk.stmts, s...)
	for _, x := range s {
		if a, ok := x.(*ir.Assign); ok {
			g.forgetSizes(a.Var)
		}
	}
}

// block runs body with a new current block and returns its statements; the
// buffers that it owns and that were not given away are freed at its end.
func (g *gen) block(body func()) []ir.Stmt {
	outer := g.blk
	b := &block{parent: outer}
	if outer != nil {
		b.depth = outer.depth + 1
	}
	if b.depth > deepest {
		panic("internal error: the lowering does not end")
	}
	g.blk = b
	pending, inflight, delayed, held := g.pending, g.inflight, g.delayed, g.held
	body()
	for i := len(b.owned) - 1; i >= 0; i-- {
		if b.owned[i].Stack == 0 {
			g.emit(&ir.Free{Buf: b.owned[i]})
		}
	}
	for i := len(b.learnt) - 1; i >= 0; i-- {
		if l := b.learnt[i]; l.old == nil {
			delete(g.facts, l.v)
		} else {
			g.facts[l.v] = l.old
		}
	}
	for i := len(b.undo) - 1; i >= 0; i-- {
		*b.undo[i].p = b.undo[i].old
	}
	g.blk = outer
	g.pending, g.inflight, g.delayed, g.held = pending, inflight, delayed, held
	return b.stmts
}

// own makes the current block the owner of b.
func (g *gen) own(b *ir.Buf) { g.blk.owned = append(g.blk.owned, b) }

// disown takes b from the block that owns it.
func (g *gen) disown(b *ir.Buf) {
	for blk := g.blk; blk != nil; blk = blk.parent {
		for i, o := range blk.owned {
			if o == b {
				blk.owned = append(append([]*ir.Buf{}, blk.owned[:i]...), blk.owned[i+1:]...)
				return
			}
		}
	}
	panic("internal error: buffer " + b.Name + " has no owner")
}

// owns reports whether a block up to the function's owns b, and whether it is
// the current one.
func (g *gen) owns(b *ir.Buf) (found, here bool) {
	for blk := g.blk; blk != nil; blk = blk.parent {
		for _, o := range blk.owned {
			if o == b {
				return true, blk == g.blk
			}
		}
	}
	return false, false
}

// let binds x to a new variable and returns its use.
func (g *gen) let(name string, x ir.Expr) ir.Expr {
	v := g.NewVar(name, x.Kind())
	if x.Kind().Exact() {
		g.Ranges[v] = g.RangeOf(x)
	} else if s, ok := g.SpanOf(x); ok {
		g.Spans[v] = s
	} else if x.Kind() == ir.F64 {
		if lo, ok := g.LeastOf(x); ok {
			g.Least[v] = lo
		}
	}
	g.emit(v.Decl(x))
	g.settled(v, x)
	if b, ok := x.(*ir.Binary); ok && b.Op == ir.OpMul && x.Kind() == ir.I64 {
		g.products[v] = x
	}
	return v.Use()
}

// atom returns x if it is a constant or a variable, else binds it.
func (g *gen) atom(name string, x ir.Expr) ir.Expr {
	switch x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return x
	}
	if ir.IsComplex(x) {
		return x
	}
	return g.let(name, x)
}

// slim is atom for values: an integer that is made of narrow ones is bound to
// a variable as narrow as its range allows, so that vector code keeps its width.
func (g *gen) slim(name string, x ir.Expr) ir.Expr {
	if c, ok := ir.ByteOf(x); ok && g.CPU() {
		return ir.ConvertTo(ir.C32, g.atom(name, c))
	}
	if x.Kind() == ir.I64 && ir.Narrowable(x) {
		if k := ir.Wider(facts.Narrowest(g.RangeOf(x)), ir.LeafKind(x)); k != ir.I64 {
			return ir.ConvertTo(ir.I64, g.atom(name, ir.ConvertTo(k, x)))
		}
	}
	return g.atom(name, x)
}

// mutable declares a variable that is assigned later.
func (g *gen) mutable(name string, k ir.Kind, init ir.Expr) *ir.Var {
	v := g.NewVar(name, k)
	g.emit(v.Decl(init))
	return v
}

// kindOf returns the kind that scalars of an element type have.
func kindOf(e array.Elem) ir.Kind {
	switch e {
	case array.Bool:
		return ir.U8
	case array.Int:
		return ir.I64
	case array.Double:
		return ir.F64
	case array.Char:
		return ir.C32
	case array.Complex:
		return ir.C64
	}
	panic("internal error: no machine kind for elements of type " + e.String())
}

// treeLimit is the largest expression that is kept as a tree.
const treeLimit = 48

// keep returns x, bound to a variable when it has grown large.
func (g *gen) keep(x ir.Expr) ir.Expr {
	if ir.Size(x, treeLimit+1) > treeLimit {
		return g.let("t", x)
	}
	return x
}
