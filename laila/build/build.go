package build

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/live"
	"github.com/tailor-lang/tailor/laila/pass"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Lowering holds what is shared by the functions of a program.
type Lowering struct {
	*pass.Context
	In      *tail.Program
	lower   func(g *Builder, e tail.Expr) *Value // lowers an expression
	Funcs   map[*tail.Func]*ir.Func
	Sums    map[*ir.Var]affine.Poly // variables that are set once, to sums
	windows map[tail.Expr]bool      // what reads windows that move with a loop
	Steady  map[*ir.Var]bool        // variables that do not change where they are mentioned
	Live    *live.Uses
	consts  map[*array.Array]*ir.Buf
	// Effects remembers what functions can do; state has the buffers of loops
	// that their bodies may write.
	Effects *analysis.Effects
	State   map[*ir.Buf]bool
	Growing map[*ir.Buf]bool // those of them whose extents are variables
	// Factors has the factors, 0 or 1, of arguments that may be extended.
	Factors map[*ir.Var]bool
	Decided map[*tail.If]tail.Expr // branches that are known to be taken
	// Outcomes are the results of the function that conditionals give.
	Outcomes map[*tail.If][]ir.Array
	// products are the values of variables that are set once to a product, and of doubles
	// that are integers or quotients.
	products map[*ir.Var]ir.Expr
	// Found has the places that were looked for before their expressions, and
	// unread the variables that nothing reads for that reason (nearest.go).
	Found  map[*tail.Apply]*Value
	Unread map[*tail.Var]bool
}

// Builder lowers one function: it appends statements to the current block.
type Builder struct {
	*Lowering
	Blk      *Block
	Env      *Environment
	Nest     *NestState          // the parallel nest being filled, or nil
	Facts    map[*ir.Var]*Bounds // what is known of the loop variables in scope
	held     knowledge           // what is known of other variables
	Pending  []*Pull             // delayed arrays whose elements can still fault
	ranks    int                 // how many of them there were
	Inflight []*Value            // arguments evaluated, not yet consumed
	Delayed  []BoundPull         // let-bound delayed arrays, for updates in place
	split    bool                // an index set was split since it was last reset
	dry      bool                // loops are made to learn where to split them, and thrown away
	Src      diag.Span           // the span of the application being lowered
	even     *evenness           // while loops are made for arguments that are not extended
	peeking  bool                // elements are read to see where they come from, and not remembered
	Params   []ir.Array          // of a recursive function
	Untested []tail.Expr         // applications whose overflow is seen in the result of a reduction
	Fork     *Fork               // where the body of a loop can go on in two versions, or nil
}

// Block is a list of statements being built, with the buffers it owns.
type Block struct {
	Stmts   []ir.Stmt
	parent  *Block
	owned   []*ir.Buf
	cache   map[cacheKey]ir.Expr
	sizes   map[string]sized  // extents computed in this block
	ones    map[*Pull]ir.Expr // how many elements of masks are 1
	Learnt  []Learnt
	undo    []undo // arrays stored in this block, as they were before
	depth   int    // how many blocks it is inside of
	delayed int    // how many arrays were delayed before it
}

// deepest bounds how deeply blocks nest: Go cannot recover from a stack that
// overflows, and no program that parses comes near.
const deepest = 100_000

// Learnt is what was known of a variable before a check.
type Learnt struct {
	V   *ir.Var
	Old *Bounds
}

// undo remembers a delayed array that was stored: outside the block that owns
// the storage it is delayed again.
type undo struct {
	p   *Pull
	old Pull
}

type cacheKey struct {
	p  *Pull
	ix string
}

// Emit appends statements to the current block.
func (g *Builder) Emit(s ...ir.Stmt) {
	g.Blk.Stmts = append(g.Blk.Stmts, s...)
	for _, x := range s {
		if a, ok := x.(*ir.Assign); ok {
			g.forgetSizes(a.Var)
		}
	}
}

// Block runs body with a new current block and returns its statements; the
// buffers that it owns and that were not given away are freed at its end.
func (g *Builder) Block(body func()) []ir.Stmt {
	outer := g.Blk
	b := &Block{parent: outer, delayed: len(g.Delayed)}
	if outer != nil {
		b.depth = outer.depth + 1
	}
	if b.depth > deepest {
		panic("internal error: the lowering does not end")
	}
	g.Blk = b
	pending, inflight, delayed, held := g.Pending, g.Inflight, g.Delayed, g.held
	body()
	for i := len(b.owned) - 1; i >= 0; i-- {
		if b.owned[i].Stack == 0 {
			g.Emit(&ir.Free{Buf: b.owned[i]})
		}
	}
	for i := len(b.Learnt) - 1; i >= 0; i-- {
		if l := b.Learnt[i]; l.Old == nil {
			delete(g.Facts, l.V)
		} else {
			g.Facts[l.V] = l.Old
		}
	}
	for i := len(b.undo) - 1; i >= 0; i-- {
		*b.undo[i].p = b.undo[i].old
	}
	g.Blk = outer
	g.Pending, g.Inflight, g.Delayed, g.held = pending, inflight, delayed, held
	return b.Stmts
}

// Ones returns how many elements of a mask are 1, which count computes where no block
// around has done so.
func (g *Builder) Ones(mask *Pull, count func() ir.Expr) ir.Expr {
	for blk := g.Blk; blk != nil; blk = blk.parent {
		if n := blk.ones[mask]; n != nil {
			return n
		}
	}
	n := count()
	if g.Blk.ones == nil {
		g.Blk.ones = map[*Pull]ir.Expr{}
	}
	g.Blk.ones[mask] = n
	return n
}

// Own makes the current block the owner of b.
func (g *Builder) Own(b *ir.Buf) { g.Blk.owned = append(g.Blk.owned, b) }

// Disown takes b from the block that owns it.
func (g *Builder) Disown(b *ir.Buf) {
	for blk := g.Blk; blk != nil; blk = blk.parent {
		for i, o := range blk.owned {
			if o == b {
				blk.owned = append(append([]*ir.Buf{}, blk.owned[:i]...), blk.owned[i+1:]...)
				return
			}
		}
	}
	panic("internal error: buffer " + b.Name + " has no owner")
}

// Owns reports whether a block up to the function's owns b, and whether it is
// the current one.
func (g *Builder) Owns(b *ir.Buf) (found, here bool) {
	for blk := g.Blk; blk != nil; blk = blk.parent {
		for _, o := range blk.owned {
			if o == b {
				return true, blk == g.Blk
			}
		}
	}
	return false, false
}

// Let binds x to a new variable and returns its use.
func (g *Builder) Let(name string, x ir.Expr) ir.Expr {
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
	g.Emit(v.Decl(x))
	g.settled(v, x)
	switch x := x.(type) {
	case *ir.Binary:
		if x.Op == ir.OpMul || x.Op == ir.OpDiv {
			g.products[v] = x
		}
	case *ir.Convert:
		if x.To == ir.F64 {
			g.products[v] = x
		}
	}
	return v.Use()
}

// Atom returns x if it is a constant or a variable, else binds it.
func (g *Builder) Atom(name string, x ir.Expr) ir.Expr {
	switch x.(type) {
	case *ir.Int, *ir.Float, *ir.Use:
		return x
	}
	if ir.IsComplex(x) {
		return x
	}
	return g.Let(name, x)
}

// Slim is atom for values: an integer that is made of narrow ones is bound to
// a variable as narrow as its range allows, so that vector code keeps its width.
func (g *Builder) Slim(name string, x ir.Expr) ir.Expr {
	if c, ok := ir.ByteOf(x); ok && g.CPU() {
		return ir.ConvertTo(ir.C32, g.Atom(name, c))
	}
	if x.Kind() == ir.I64 && ir.Narrowable(x) {
		if k := ir.Wider(facts.Narrowest(g.RangeOf(x)), ir.LeafKind(x)); k != ir.I64 {
			return ir.ConvertTo(ir.I64, g.Atom(name, ir.ConvertTo(k, x)))
		}
	}
	return g.Atom(name, x)
}

// Mutable declares a variable that is assigned later.
func (g *Builder) Mutable(name string, k ir.Kind, init ir.Expr) *ir.Var {
	v := g.NewVar(name, k)
	g.Emit(v.Decl(init))
	return v
}

// KindOf returns the kind that scalars of an element type have.
func KindOf(e array.Elem) ir.Kind {
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

// Keep returns x, bound to a variable when it has grown large.
func (g *Builder) Keep(x ir.Expr) ir.Expr {
	if ir.Size(x, treeLimit+1) > treeLimit {
		return g.Let("t", x)
	}
	return x
}

// Fork is a place in the body of a loop where it can go on in two versions.
type Fork struct{ Blk *Block }
