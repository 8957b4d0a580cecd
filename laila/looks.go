package laila

// looks says which sums, differences and quotients of doubles decide something,
// in a function: what a test of a fault or a comparison looks at, as far as its
// sign and its being 0 depend on them, and what becomes an integer. With
// Options.Relaxed these are computed as they are without it, from what the
// function computes them of, so that
//
//	(b×b)-4×a×c                     is 0 where it was, and has its root
//	⌊0.5+100×x                      is rounded up where it was
//	0=a-b×⌊a÷b                      holds where it did
//
// Sums of numbers none of which is negative cannot come near 0, and need no care.
type looks struct {
	defs    map[*Var]Expr // what variables are that are set once
	changed map[*Var]bool // variables that are set again
	list    map[*Binary]bool
	alike   map[opKey][]*Binary
	signs   map[*Var]bool // variables whose sign matters
	values  map[*Var]bool
	bounds  *bounder
}

// opKey is what operations have in common that are the same.
type opKey struct {
	op   BinOp
	x, y any
}

// mostAlike bounds how many operations are compared with one.
const mostAlike = 16

// looksOf looks for what decides something in f.
func (l *lowerer) looksOf(f *Func) *looks {
	k := &looks{defs: map[*Var]Expr{}, changed: map[*Var]bool{}, list: map[*Binary]bool{}, alike: map[opKey][]*Binary{}, signs: map[*Var]bool{}, values: map[*Var]bool{}}
	assigned(f.Body, k.changed)
	Walk(f.Body, func(s Stmt) {
		if d, ok := s.(*Decl); ok && d.Init != nil {
			if k.defs[d.Var] != nil {
				k.changed[d.Var] = true
			}
			k.defs[d.Var] = d.Init
		}
	})
	for v := range k.changed {
		delete(k.defs, v)
	}
	k.bounds = &bounder{l: l, defs: k.defs, known: map[*Var]reals{}, memo: map[*Var]reals{}}
	Walk(f.Body, func(s Stmt) {
		for _, x := range Exprs(s) {
			WalkExpr(x, k.find)
		}
	})
	return k
}

// wholeMath are functions of doubles whose results are whole numbers, or jump.
var wholeMath = map[string]bool{"floor": true, "ceil": true, "rint": true, "trunc": true, "tl_floord": true, "tl_ceild": true, "tl_floorx": true, "tl_ceilx": true,
	"tl_resd": true, "tl_resx": true, "tl_gcdd": true, "tl_lcmd": true}

// find notes what x decides by.
func (k *looks) find(x Expr) {
	switch x := x.(type) {
	case *Binary:
		if x.Kind() == U8 && x.X.Kind() == F64 {
			k.sign(x.X)
			k.sign(x.Y)
		}
	case *Convert:
		if x.To != F64 && x.X.Kind() == F64 {
			k.value(x.X)
		}
	case *Math:
		for _, y := range x.Args {
			switch {
			case y.Kind() != F64:
			case x.K == U8:
				k.sign(y)
			case x.K != F64 && x.K != C64, wholeMath[x.Fn]:
				k.value(y)
			}
		}
	}
}

// sign notes the operations that the sign of x, or its being 0, depends on.
func (k *looks) sign(x Expr) {
	switch x := x.(type) {
	case *Use:
		if d := k.defs[x.Var]; d != nil && !k.signs[x.Var] {
			k.signs[x.Var] = true
			k.sign(d)
		}
	case *Unary, *Select:
		for _, y := range Operands(x) {
			if y.Kind() == F64 {
				k.sign(y)
			}
		}
	case *Binary:
		switch {
		case x.Kind() != F64:
		case x.Op == Add || x.Op == Sub:
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

// apart reports whether the terms of a sum cannot cancel each other.
func (k *looks) apart(x *Binary) bool {
	p, q := k.bounds.of(x.X), k.bounds.of(x.Y)
	if x.Op == Sub {
		q.lo, q.hi = -q.hi, -q.lo
	}
	return p.lo >= 0 && q.lo >= 0 || p.hi <= 0 && q.hi <= 0
}

// value notes all operations that the value of x depends on.
func (k *looks) value(x Expr) {
	switch x := x.(type) {
	case *Use:
		if d := k.defs[x.Var]; d != nil && !k.values[x.Var] {
			k.values[x.Var] = true
			k.value(d)
		}
	case *Unary, *Select:
		for _, y := range Operands(x) {
			if y.Kind() == F64 {
				k.value(y)
			}
		}
	case *Binary:
		if x.Kind() == F64 {
			k.note(x)
			k.value(x.X)
			k.value(x.Y)
		}
	}
}

func (k *looks) note(x *Binary) {
	if k.list[x] {
		return
	}
	k.list[x] = true
	if key := keyOf(x); len(k.alike[key]) < mostAlike {
		k.alike[key] = append(k.alike[key], x)
	}
}

// kept reports whether x decides something, or is computed as what does.
func (k *looks) kept(x *Binary) bool {
	if k.list[x] {
		return true
	}
	for _, y := range k.alike[keyOf(x)] {
		if alike(x, y) {
			return true
		}
	}
	return false
}

func keyOf(x *Binary) opKey { return opKey{x.Op, tagOf(x.X), tagOf(x.Y)} }

// tagOf is the same for expressions that are the same.
func tagOf(x Expr) any {
	switch x := x.(type) {
	case *Use:
		return x.Var
	case *Load:
		return x.Buf
	case *Float:
		return x.Val
	case *Unary:
		return x.Op
	case *Binary:
		return x.Op
	}
	return nil
}
