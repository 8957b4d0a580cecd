package laila

import "math/bits"

// linearity says what is known of an integer as a function of the bits of an
// index.
type linearity uint8

const (
	isLinear  linearity = 1 << iota // the function is linear
	isNatural                       // and not negative for an argument that is not
	isBit                           // and 0 or 1
)

const linearBit = isLinear | isNatural | isBit

// bitLinear is what is known of the body of a nest.
type bitLinear struct {
	l      *lowerer
	body   []Stmt
	source *Var  // the index, and a constant c more
	c      int64 // at least 0
	vars   map[*Var]linearity
	bufs   map[*Buf]linearity
	fixed  map[*Var]bool // what does not depend on the index
	inside map[*Var]bool // what the body declares
	own    map[*Buf]bool // the arrays of the body
	stores map[*Buf]bool // arrays that it stores into
	set    map[*Var]bool // variables that it assigns to
}

// bitLinear finds the linear functions of the bits of the index i; nil where
// none can be.
func (l *lowerer) bitLinear(body []Stmt, i *Var) *bitLinear {
	b := &bitLinear{l: l, body: body, source: i, vars: map[*Var]linearity{}, bufs: map[*Buf]linearity{},
		fixed: map[*Var]bool{}, inside: map[*Var]bool{}, own: map[*Buf]bool{}, stores: map[*Buf]bool{}, set: map[*Var]bool{}}
	for _, s := range body {
		if d, ok := s.(*Decl); ok && d.Init != nil {
			if c, ok := indexAndMore(d.Init, i); ok && c >= 0 && c < tableTrips {
				b.source, b.c = d.Var, c
				break
			}
		}
	}
	b.inside[i] = true
	b.collect(body, true)
	if b.set[b.source] || b.source != i && b.vars[b.source] == 0 {
		return nil
	}
	b.vars[b.source] = isLinear | isNatural
	b.fix(body)
	for b.drop(body) {
	}
	return b
}

// indexAndMore returns c where x is i + c.
func indexAndMore(x Expr, i *Var) (int64, bool) {
	if c, ok := x.(*Convert); ok && c.To.exact() {
		return indexAndMore(c.X, i)
	}
	if isUse(x, i) {
		return 0, true
	}
	sum, ok := x.(*Binary)
	if !ok || sum.Op != Add {
		return 0, false
	}
	y, z := sum.X, sum.Y
	if isNumber(y) {
		y, z = z, y
	}
	c, ok := intOf(z)
	d, ok2 := indexAndMore(y, i)
	return c + d, ok && ok2 && c > -tableTrips && c < tableTrips
}

// collect assumes the best of what the body defines in straight code and loops
// over constant ranges, and nothing of the rest.
func (b *bitLinear) collect(block []Stmt, straight bool) {
	best := func(v *Var) {
		if known, ok := b.vars[v]; straight && v.Kind.exact() && (!ok || known != 0) {
			b.vars[v] = linearBit
		} else {
			b.vars[v] = 0
		}
	}
	for _, s := range block {
		inner := straight
		switch s := s.(type) {
		case *Decl:
			b.inside[s.Var] = true
			best(s.Var)
		case *Assign:
			best(s.Var)
			b.set[s.Var] = true
			if !b.inside[s.Var] { // what an iteration leaves to the next one
				b.vars[s.Var] = 0
			}
		case *Checked:
			b.vars[s.Var] = 0
			b.set[s.Var] = true
		case *DeclBuf:
			b.own[s.Buf] = true
			n, ok := constantCount(s.Count)
			if ok && n <= 1024 && straight && s.Buf.Elem.exact() {
				b.bufs[s.Buf] = linearBit
			}
		case *Store:
			b.stores[s.Buf] = true
			if !straight {
				b.bufs[s.Buf] = 0
			}
		case *Copy:
			b.stores[s.Dst] = true
			b.bufs[s.Dst] = 0
		case *For:
			b.inside[s.Var] = true
			inner = inner && isNumber(s.Lo) && isNumber(s.Hi)
			b.fixed[s.Var] = inner
		case *Nest:
			for _, d := range append(append([]Dim{}, s.Dims...), s.Red...) {
				b.inside[d.Var] = true
				inner = inner && isNumber(d.Lo) && isNumber(d.Hi)
				b.fixed[d.Var] = inner
			}
			inner = inner && (s.Kind == SegRed || s.Kind == SegMap)
		case *If, *Loop:
			inner = false
		}
		for _, blk := range Blocks(s) {
			b.collect(*blk, inner)
		}
	}
}

func isNumber(x Expr) bool {
	_, ok := intOf(x)
	return ok
}

// isFixed reports whether x does not depend on the index.
func (b *bitLinear) isFixed(x Expr) bool {
	switch x := x.(type) {
	case *Use:
		return b.fixed[x.Var] || !b.inside[x.Var] && !b.set[x.Var]
	case *Load:
		if b.own[x.Buf] || b.stores[x.Buf] {
			return false
		}
	}
	for _, y := range Operands(x) {
		if !b.isFixed(y) {
			return false
		}
	}
	return true
}

// fix notes which variables do not depend on the index.
func (b *bitLinear) fix(block []Stmt) {
	for _, s := range block {
		if d, ok := s.(*Decl); ok && d.Init != nil && !b.set[d.Var] && b.isFixed(d.Init) {
			b.fixed[d.Var] = true
		}
		if f, ok := s.(*For); ok && b.fixed[f.Var] {
			b.fix(f.Body)
		}
	}
}

// drop takes back what does not hold under the other assumptions, and reports
// whether there was any.
func (b *bitLinear) drop(block []Stmt) bool {
	changed := false
	v := func(v *Var, x Expr) {
		if v == b.source {
			return
		}
		if now := b.vars[v] & b.of(x); now != b.vars[v] {
			b.vars[v], changed = now, true
		}
	}
	for _, s := range block {
		switch s := s.(type) {
		case *Decl:
			if s.Init != nil {
				v(s.Var, s.Init)
			} else {
				b.vars[s.Var] = 0
			}
		case *Assign:
			v(s.Var, s.X)
		case *Store:
			now := b.bufs[s.Buf] & b.of(s.X)
			if !b.isFixed(s.Index) {
				now = 0
			}
			if now != b.bufs[s.Buf] {
				b.bufs[s.Buf], changed = now, true
			}
		}
		for _, inner := range Blocks(s) {
			changed = b.drop(*inner) || changed
		}
	}
	return changed
}

// of says what x is. Anything that is not linear is 0.
func (b *bitLinear) of(x Expr) linearity {
	if !x.Kind().exact() {
		return 0
	}
	switch x := x.(type) {
	case *Int:
		if x.Val == 0 {
			return linearBit
		}
	case *Use:
		return b.vars[x.Var].linear()
	case *Load:
		if b.isFixed(x.Index) {
			return b.bufs[x.Buf].linear()
		}
	case *Convert:
		f := b.of(x.X)
		if r, k := allBits(b.l.rangeOf(x.X)), rangeOfKind(x.To); f&isBit == 0 && width(x.To) < width(x.X.Kind()) && !r.within(0, k.hi) {
			f &^= isNatural
		}
		return f
	case *Unary:
		if x.Op == Neg && b.of(x.X)&isBit != 0 {
			return isLinear
		}
	case *Binary:
		return b.ofBinary(x)
	}
	return 0
}

// linear returns f where it says that something is linear, else 0.
func (f linearity) linear() linearity {
	if f&isLinear == 0 {
		return 0
	}
	return f
}

func (b *bitLinear) ofBinary(x *Binary) linearity {
	f, g := b.of(x.X), b.of(x.Y)
	switch x.Op {
	case Xor:
		return (f & g).linear()
	case Ne:
		if f&g&isBit != 0 {
			return linearBit
		}
	case And, Mul:
		p := x.Y
		if f == 0 {
			f, p = g, x.X
		}
		if f == 0 || !b.isFixed(p) {
			return 0
		}
		r := b.l.rangeOf(p)
		switch {
		case x.Op == Mul && f&isBit == 0:
			return 0
		case x.Op == Mul && r.within(0, 1), x.Op == And && f&isNatural != 0 && r.within(0, 1):
			return linearBit
		case r.lo >= 0:
			return isLinear | isNatural
		}
		return isLinear
	case Shr:
		if f != 0 && b.isFixed(x.Y) {
			return f
		}
	case Quo, Rem:
		n, ok := intOf(x.Y)
		if !ok || n <= 0 || bits.OnesCount64(uint64(n)) != 1 || f&isNatural == 0 {
			return 0
		}
		if x.Op == Rem && n == 2 {
			return linearBit
		}
		return f
	}
	return 0
}
