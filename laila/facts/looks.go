package facts

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Looks says which sums, differences and quotients of doubles decide something,
// in a function: what a test of a fault or a comparison looks at, as far as its
// sign and its being 0 depend on them, through arrays that are made once, too, and
// what becomes an integer, as far as it is computed where that happens. With
// Options.Relaxed these are computed as they are without it, so that
//
//	(b×b)-4×a×c                     is 0 where it was, and has its root
//	⌊0.5+100×x                      is rounded up where it was
//	0=a-b×⌊a÷b                      holds where it did
//
// Sums of numbers none of which is negative cannot come near 0, and need no care.
type Looks struct {
	Defs    map[*ir.Var]ir.Expr // what variables are that are set once
	Changed map[*ir.Var]bool    // variables that are set again
	list    map[*ir.Binary]bool
	alike   map[opKey][]*ir.Binary
	signs   map[*ir.Var]bool // variables whose sign matters
	values  map[*ir.Var]bool
	stores  map[*ir.Buf][]ir.Expr // what is stored in arrays
	names   map[*ir.Buf][]*ir.Buf // other names of their storage, and copies
	rows    map[*ir.Buf]bool      // arrays the sign of whose elements matters
	again   map[*ir.Buf]bool      // whether arrays are made from themselves
	bounds  *Bounder
}

// opKey is what operations have in common that are the same.
type opKey struct {
	op   ir.BinOp
	x, y any
}

// mostAlike bounds how many operations are compared with one.
const mostAlike = 16

// LooksOf looks for what decides something in f.
func (l *Base) LooksOf(f *ir.Func) *Looks {
	k := &Looks{list: map[*ir.Binary]bool{}, alike: map[opKey][]*ir.Binary{}, signs: map[*ir.Var]bool{}, values: map[*ir.Var]bool{},
		stores: map[*ir.Buf][]ir.Expr{}, names: map[*ir.Buf][]*ir.Buf{}, rows: map[*ir.Buf]bool{}, again: map[*ir.Buf]bool{}}
	k.Defs, k.Changed = flow.DefinedOnce(f)
	same := func(a, b *ir.Buf) { k.names[a], k.names[b] = append(k.names[a], b), append(k.names[b], a) }
	ir.Walk(f.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Store:
			if s.Buf.Elem == ir.F64 {
				k.stores[s.Buf] = append(k.stores[s.Buf], s.X)
			}
		case *ir.Swap:
			same(s.A, s.B)
		case *ir.Move:
			same(s.Dst, s.Src)
		case *ir.Alias:
			same(s.Dst, s.Src)
		case *ir.Copy:
			same(s.Dst, s.Src)
		}
	})
	k.bounds = &Bounder{Base: l, Defs: k.Defs, Known: map[*ir.Var]Reals{}, Memo: map[*ir.Var]Reals{}}
	ir.Walk(f.Body, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, k.find)
		}
	})
	return k
}

// WholeMath are functions of doubles whose results are whole numbers, or jump.
var WholeMath = map[string]bool{"floor": true, "ceil": true, "rint": true, "trunc": true, "tl_floord": true, "tl_ceild": true, "tl_floorx": true, "tl_ceilx": true,
	"tl_resd": true, "tl_resx": true, "tl_gcdd": true, "tl_lcmd": true}

// find notes what x decides by.
func (k *Looks) find(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Binary:
		if x.Kind() == ir.U8 && x.X.Kind() == ir.F64 {
			k.sign(x.X)
			k.sign(x.Y)
		}
	case *ir.Convert:
		if x.To != ir.F64 && x.X.Kind() == ir.F64 {
			k.value(x.X)
		}
	case *ir.Math:
		for _, y := range x.Args {
			switch {
			case y.Kind() != ir.F64:
			case x.K == ir.U8:
				k.sign(y)
			case x.K != ir.F64 && x.K != ir.C64, WholeMath[x.Fn]:
				k.value(y)
			}
		}
	}
}

// sign notes the operations that the sign of x, or its being 0, depends on.
func (k *Looks) sign(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Use:
		if d := k.Defs[x.Var]; d != nil && !k.signs[x.Var] {
			k.signs[x.Var] = true
			k.sign(d)
		}
	case *ir.Load:
		k.row(x.Buf)
	case *ir.Unary, *ir.Select:
		eachDouble(x, k.sign)
	case *ir.Binary:
		switch {
		case x.Kind() != ir.F64:
		case x.Op == ir.OpAdd || x.Op == ir.OpSub:
			if !k.apart(x) {
				k.note(x)
			}
		default:
			k.note(x)
			k.sign(x.X)
			k.sign(x.Y)
		}
	}
}

// row notes the operations that the signs of the elements of an array depend on,
// but for arrays that are made from themselves, or from such: what many steps have
// changed has other last digits anyway.
func (k *Looks) row(b *ir.Buf) {
	if k.rows[b] {
		return
	}
	storage := k.storage(b)
	again := false
	for _, c := range storage {
		k.rows[c] = true
		for _, x := range k.stores[c] {
			k.loads(x, map[*ir.Var]bool{}, func(d *ir.Buf) { again = again || k.remade(d) })
		}
	}
	for _, c := range storage {
		for _, x := range k.stores[c] {
			if !again {
				k.sign(x)
			}
		}
	}
}

// loads visits the arrays that x reads, and those that variables of it are from.
func (k *Looks) loads(x ir.Expr, seen map[*ir.Var]bool, visit func(*ir.Buf)) {
	ir.WalkExpr(x, func(y ir.Expr) {
		switch y := y.(type) {
		case *ir.Load:
			visit(y.Buf)
		case *ir.Use:
			if d := k.Defs[y.Var]; d != nil && y.Var.Kind == ir.F64 && !seen[y.Var] {
				seen[y.Var] = true
				k.loads(d, seen, visit)
			}
		}
	})
}

// storage returns the arrays that have the storage of b, or copies of it, at some
// time.
func (k *Looks) storage(b *ir.Buf) []*ir.Buf {
	all, seen := []*ir.Buf{b}, map[*ir.Buf]bool{b: true}
	for i := 0; i < len(all); i++ {
		for _, c := range k.names[all[i]] {
			if !seen[c] {
				seen[c] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// remade reports whether elements of an array are made from others of it.
func (k *Looks) remade(b *ir.Buf) bool {
	if r, ok := k.again[b]; ok {
		return r
	}
	storage, again := k.storage(b), false
	own := map[*ir.Buf]bool{}
	for _, c := range storage {
		own[c] = true
	}
	for _, c := range storage {
		for _, x := range k.stores[c] {
			k.loads(x, map[*ir.Var]bool{}, func(d *ir.Buf) { again = again || own[d] })
		}
	}
	for _, c := range storage {
		k.again[c] = again
	}
	return again
}

// apart reports whether the terms of a sum cannot cancel each other.
func (k *Looks) apart(x *ir.Binary) bool {
	p, q := k.bounds.Of(x.X), k.bounds.Of(x.Y)
	if x.Op == ir.OpSub {
		q.Lo, q.Hi = -q.Hi, -q.Lo
	}
	return p.Lo >= 0 && q.Lo >= 0 || p.Hi <= 0 && q.Hi <= 0
}

// value notes all operations that the value of x depends on.
func (k *Looks) value(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Use:
		if d := k.Defs[x.Var]; d != nil && !k.values[x.Var] {
			k.values[x.Var] = true
			k.value(d)
		}
	case *ir.Unary, *ir.Select:
		eachDouble(x, k.value)
	case *ir.Binary:
		if x.Kind() == ir.F64 {
			k.note(x)
			k.value(x.X)
			k.value(x.Y)
		}
	}
}

// eachDouble visits the operands of x that are doubles.
func eachDouble(x ir.Expr, visit func(y ir.Expr)) {
	for _, y := range ir.Operands(x) {
		if y.Kind() == ir.F64 {
			visit(y)
		}
	}
}

func (k *Looks) note(x *ir.Binary) {
	if k.list[x] {
		return
	}
	k.list[x] = true
	if key := keyOf(x); len(k.alike[key]) < mostAlike {
		k.alike[key] = append(k.alike[key], x)
	}
}

// Kept reports whether x decides something, or is computed as what does.
func (k *Looks) Kept(x *ir.Binary) bool {
	if k.list[x] {
		return true
	}
	for _, y := range k.alike[keyOf(x)] {
		if ir.Alike(x, y) {
			return true
		}
	}
	return false
}

func keyOf(x *ir.Binary) opKey { return opKey{x.Op, tagOf(x.X), tagOf(x.Y)} }

// tagOf is the same for expressions that are the same.
func tagOf(x ir.Expr) any {
	switch x := x.(type) {
	case *ir.Use:
		return x.Var
	case *ir.Load:
		return x.Buf
	case *ir.Float:
		return x.Val
	case *ir.Unary:
		return x.Op
	case *ir.Binary:
		return x.Op
	}
	return nil
}
