package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// lowerer holds what is shared by the functions of a program.
type lowerer struct {
	blocked  map[*Nest]bool // nests over blocks of indices, with a nest over the indices inside
	in       *tail.Program
	out      *Program
	opts     Options
	funcs    map[*tail.Func]*Func
	ranges   map[*Var]interval
	spans    map[*Var]span      // ranges of doubles
	sums     map[*Var]linear    // variables that are set once, to sums
	windows  map[tail.Expr]bool // what reads windows that move with a loop
	steady   map[*Var]bool      // variables that do not change where they are mentioned
	least    map[*Var]float64   // bounds from below of doubles that may be infinite
	bufSpans map[*Buf]span      // of the elements of buffers
	bufs     map[*Buf]interval  // ranges of the elements of integer buffers
	seq      map[*Var]int       // creation order, to tell inner from outer variables
	live     *liveness
	// residues has the operands, as doubles or as 32 bits, of remainders computed
	// with floating-point numbers.
	residues map[*Var][2]Expr
	consts   map[*array.Array]*Buf
	// effects remembers what functions can do; state has the buffers of loops
	// that their bodies may write.
	effects *tail.Effects
	state   map[*Buf]bool
	// limits has, for an extent that is the greater of 0 and a sum, that sum:
	// indices below the extent are below the sum.
	limits map[*Var]linear
	// factors has the factors, 0 or 1, of arguments that may be extended.
	factors map[*Var]bool
	fixed   map[*Buf]bool          // buffers that change places with others of their size
	decided map[*tail.If]tail.Expr // branches that are known to be taken
	loops   map[Stmt]loopState
	// products are the values of variables that are set once to a product.
	products map[*Var]Expr
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
	nest     *nestState       // the parallel nest being filled, or nil
	facts    map[*Var]*bounds // what is known of the loop variables in scope
	held     knowledge        // what is known of other variables
	pending  []*pull          // delayed arrays whose elements can still fault
	inflight []*value         // arguments evaluated, not yet consumed
	delayed  []boundPull      // let-bound delayed arrays, for updates in place
	split    bool             // an index set was split since it was last reset
	src      diag.Span        // the span of the application being lowered
	even     *evenness        // while loops are made for arguments that are not extended
	peeking  bool             // elements are read to see where they come from, and not remembered
	params   []Array          // of a recursive function
	untested []tail.Expr      // applications whose overflow is seen in the result of a reduction
	fork     *fork            // where the body of a loop can go on in two versions, or nil
}

// block is a list of statements being built, with the buffers it owns.
type block struct {
	stmts  []Stmt
	parent *block
	owned  []*Buf
	cache  map[cacheKey]Expr
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
	v   *Var
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

func (g *gen) emit(s ...Stmt) {
	g.blk.stmts = append(g.blk.stmts, s...)
	for _, x := range s {
		if a, ok := x.(*Assign); ok {
			g.forgetSizes(a.Var)
		}
	}
}

// block runs body with a new current block and returns its statements; the
// buffers that it owns and that were not given away are freed at its end.
func (g *gen) block(body func()) []Stmt {
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
			g.emit(&Free{b.owned[i]})
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
func (g *gen) own(b *Buf) { g.blk.owned = append(g.blk.owned, b) }

// disown takes b from the block that owns it.
func (g *gen) disown(b *Buf) {
	for blk := g.blk; blk != nil; blk = blk.parent {
		for i, o := range blk.owned {
			if o == b {
				blk.owned = append(append([]*Buf{}, blk.owned[:i]...), blk.owned[i+1:]...)
				return
			}
		}
	}
	panic("internal error: buffer " + b.Name + " has no owner")
}

// owns reports whether a block up to the function's owns b, and whether it is
// the current one.
func (g *gen) owns(b *Buf) (found, here bool) {
	for blk := g.blk; blk != nil; blk = blk.parent {
		for _, o := range blk.owned {
			if o == b {
				return true, blk == g.blk
			}
		}
	}
	return false, false
}

func (l *lowerer) newVar(name string, k Kind) *Var {
	v := &Var{Name: name, Kind: k}
	l.seq[v] = len(l.seq) + 1
	return v
}

// let binds x to a new variable and returns its use.
func (g *gen) let(name string, x Expr) Expr {
	v := g.newVar(name, x.Kind())
	if x.Kind().exact() {
		g.ranges[v] = g.rangeOf(x)
	} else if s, ok := g.spanOf(x); ok {
		g.spans[v] = s
	} else if x.Kind() == F64 {
		if lo, ok := g.leastOf(x); ok {
			g.least[v] = lo
		}
	}
	g.emit(&Decl{v, x})
	g.settled(v, x)
	if b, ok := x.(*Binary); ok && b.Op == Mul && x.Kind() == I64 {
		g.products[v] = x
	}
	return &Use{v}
}

// atom returns x if it is a constant or a variable, else binds it.
func (g *gen) atom(name string, x Expr) Expr {
	switch x.(type) {
	case *Int, *Float, *Use:
		return x
	}
	if constantZ(x) {
		return x
	}
	return g.let(name, x)
}

// slim is atom for values: an integer that is made of narrow ones is bound to
// a variable as narrow as its range allows, so that vector code keeps its width.
func (g *gen) slim(name string, x Expr) Expr {
	if c, ok := byteOf(x); ok && g.opts.Bytes {
		return convert(C32, g.atom(name, c))
	}
	if x.Kind() == I64 && narrowable(x) {
		if k := wider(narrowest(g.rangeOf(x)), leafKind(x)); k != I64 {
			return convert(I64, g.atom(name, convert(k, x)))
		}
	}
	return g.atom(name, x)
}

// mutable declares a variable that is assigned later.
func (g *gen) mutable(name string, k Kind, init Expr) *Var {
	v := g.newVar(name, k)
	g.emit(&Decl{v, init})
	return v
}

// kindOf returns the kind that scalars of an element type have.
func kindOf(e array.Elem) Kind {
	switch e {
	case array.Bool:
		return U8
	case array.Int:
		return I64
	case array.Double:
		return F64
	case array.Char:
		return C32
	case array.Complex:
		return C64
	}
	panic("internal error: no machine kind for elements of type " + e.String())
}

// fillOf returns the fill element of a kind.
func fillOf(k Kind) Expr {
	switch k {
	case F64:
		return &Float{0}
	case C32:
		return &Int{' ', C32}
	case C64:
		return complexNumber(0)
	}
	return &Int{0, k}
}

// complexNumber returns a complex constant.
func complexNumber(z complex128) Expr {
	return &Math{"tl_z", C64, []Expr{&Float{real(z)}, &Float{imag(z)}}}
}

// constantZ reports whether x is a complex constant.
func constantZ(x Expr) bool {
	m, ok := x.(*Math)
	if !ok || m.Fn != "tl_z" {
		return false
	}
	_, ok = m.Args[0].(*Float)
	_, ok2 := m.Args[1].(*Float)
	return ok && ok2
}

func integer(n int64) Expr { return &Int{n, I64} }
func boolean(b bool) Expr {
	if b {
		return &Int{1, U8}
	}
	return &Int{0, U8}
}

func intOf(x Expr) (int64, bool) {
	if n, ok := x.(*Int); ok {
		return n.Val, true
	}
	return 0, false
}

func isInt(x Expr, n int64) bool {
	v, ok := intOf(x)
	return ok && v == n
}

// size counts the operations of x, up to a limit; a load counts as one.
func size(x Expr, limit int) int {
	if limit <= 0 {
		return 0
	}
	n := 1
	switch x := x.(type) {
	case *Unary:
		n += size(x.X, limit-n)
	case *Binary:
		n += size(x.X, limit-n)
		n += size(x.Y, limit-n)
	case *Select:
		n += size(x.Cond, limit-n)
		n += size(x.Then, limit-n)
		n += size(x.Else, limit-n)
	case *Convert:
		n += size(x.X, limit-n)
	case *Math:
		for _, a := range x.Args {
			n += size(a, limit-n)
		}
	}
	return n
}

// treeLimit is the largest expression that is kept as a tree.
const treeLimit = 48

// keep returns x, bound to a variable when it has grown large.
func (g *gen) keep(x Expr) Expr {
	if size(x, treeLimit+1) > treeLimit {
		return g.let("t", x)
	}
	return x
}

// Same reports whether two expressions over variables that do not change in
// between are equal.
func Same(x, y Expr) bool { return same(x, y) }

// same reports whether two expressions over immutable variables are equal.
func same(x, y Expr) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *Int:
		y, ok := y.(*Int)
		return ok && *x == *y
	case *Float:
		y, ok := y.(*Float)
		return ok && x.Val == y.Val && (x.Val != 0)
	case *Use:
		y, ok := y.(*Use)
		return ok && x.Var == y.Var
	case *Unary:
		y, ok := y.(*Unary)
		return ok && x.Op == y.Op && same(x.X, y.X)
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && same(x.X, y.X) && same(x.Y, y.Y)
	case *Select:
		y, ok := y.(*Select)
		return ok && same(x.Cond, y.Cond) && same(x.Then, y.Then) && same(x.Else, y.Else)
	}
	return false
}

// alike is same for expressions with loads of buffers that do not change in
// between.
func alike(x, y Expr) bool {
	if same(x, y) {
		return true
	}
	switch x := x.(type) {
	case *Load:
		y, ok := y.(*Load)
		return ok && x.Buf == y.Buf && alike(x.Index, y.Index)
	case *Convert:
		y, ok := y.(*Convert)
		return ok && x.To == y.To && alike(x.X, y.X)
	case *Unary:
		y, ok := y.(*Unary)
		return ok && x.Op == y.Op && alike(x.X, y.X)
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && alike(x.X, y.X) && alike(x.Y, y.Y)
	case *Select:
		y, ok := y.(*Select)
		return ok && alike(x.Cond, y.Cond) && alike(x.Then, y.Then) && alike(x.Else, y.Else)
	case *Math:
		y, ok := y.(*Math)
		return ok && x.Fn == y.Fn && slices.EqualFunc(x.Args, y.Args, alike)
	}
	return false
}

func sameShape(x, y []Expr) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !same(x[i], y[i]) {
			return false
		}
	}
	return true
}
