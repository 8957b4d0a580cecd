package idiom

import (
	"math/bits"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

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
	l      *pass.Context
	body   []ir.Stmt
	source *ir.Var // the index, and a constant c more
	c      int64   // at least 0
	vars   map[*ir.Var]linearity
	bufs   map[*ir.Buf]linearity
	fixed  map[*ir.Var]bool // what does not depend on the index
	inside map[*ir.Var]bool // what the body declares
	own    map[*ir.Buf]bool // the arrays of the body
	stores map[*ir.Buf]bool // arrays that it stores into
	set    map[*ir.Var]bool // variables that it assigns to
}

// bitLinearOf finds the linear functions of the bits of the index i; nil where
// none can be.
func bitLinearOf(l *pass.Context, body []ir.Stmt, i *ir.Var) *bitLinear {
	b := &bitLinear{l: l, body: body, source: i, vars: map[*ir.Var]linearity{}, bufs: map[*ir.Buf]linearity{},
		fixed: map[*ir.Var]bool{}, inside: map[*ir.Var]bool{}, own: map[*ir.Buf]bool{}, stores: map[*ir.Buf]bool{}, set: map[*ir.Var]bool{}}
	for _, s := range body {
		if d, ok := s.(*ir.Decl); ok && d.Init != nil {
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
func indexAndMore(x ir.Expr, i *ir.Var) (int64, bool) {
	if c, ok := x.(*ir.Convert); ok && c.To.Exact() {
		return indexAndMore(c.X, i)
	}
	if ir.IsUse(x, i) {
		return 0, true
	}
	sum, ok := x.(*ir.Binary)
	if !ok || sum.Op != ir.OpAdd {
		return 0, false
	}
	y, z := sum.X, sum.Y
	if ir.IsNumber(y) {
		y, z = z, y
	}
	c, ok := ir.IntOf(z)
	d, ok2 := indexAndMore(y, i)
	return c + d, ok && ok2 && c > -tableTrips && c < tableTrips
}

// collect assumes the best of what the body defines in straight code and loops
// over constant ranges, and nothing of the rest.
func (b *bitLinear) collect(block []ir.Stmt, straight bool) {
	best := func(v *ir.Var) {
		if known, ok := b.vars[v]; straight && v.Kind.Exact() && (!ok || known != 0) {
			b.vars[v] = linearBit
		} else {
			b.vars[v] = 0
		}
	}
	for _, s := range block {
		inner := straight
		switch s := s.(type) {
		case *ir.Decl:
			b.inside[s.Var] = true
			best(s.Var)
		case *ir.Assign:
			best(s.Var)
			b.set[s.Var] = true
			if !b.inside[s.Var] { // what an iteration leaves to the next one
				b.vars[s.Var] = 0
			}
		case *ir.Checked:
			b.vars[s.Var] = 0
			b.set[s.Var] = true
		case *ir.DeclBuf:
			b.own[s.Buf] = true
			n, ok := ir.IntOf(s.Count)
			if ok && n <= 1024 && straight && s.Buf.Elem.Exact() {
				b.bufs[s.Buf] = linearBit
			}
		case *ir.Store:
			b.stores[s.Buf] = true
			if !straight {
				b.bufs[s.Buf] = 0
			}
		case *ir.Copy:
			b.stores[s.Dst] = true
			b.bufs[s.Dst] = 0
		case *ir.For:
			b.inside[s.Var] = true
			inner = inner && ir.IsNumber(s.Lo) && ir.IsNumber(s.Hi)
			b.fixed[s.Var] = inner
		case *ir.Nest:
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				b.inside[d.Var] = true
				inner = inner && ir.IsNumber(d.Lo) && ir.IsNumber(d.Hi)
				b.fixed[d.Var] = inner
			}
			inner = inner && (s.Kind == ir.SegRed || s.Kind == ir.SegMap)
		case *ir.If, *ir.Loop:
			inner = false
		}
		for _, blk := range ir.Blocks(s) {
			b.collect(*blk, inner)
		}
	}
}

// isFixed reports whether x does not depend on the index.
func (b *bitLinear) isFixed(x ir.Expr) bool {
	switch x := x.(type) {
	case *ir.Use:
		return b.fixed[x.Var] || !b.inside[x.Var] && !b.set[x.Var]
	case *ir.Load:
		if b.own[x.Buf] || b.stores[x.Buf] {
			return false
		}
	}
	for _, y := range ir.Operands(x) {
		if !b.isFixed(y) {
			return false
		}
	}
	return true
}

// fix notes which variables do not depend on the index.
func (b *bitLinear) fix(block []ir.Stmt) {
	for _, s := range block {
		if d, ok := s.(*ir.Decl); ok && d.Init != nil && !b.set[d.Var] && b.isFixed(d.Init) {
			b.fixed[d.Var] = true
		}
		if f, ok := s.(*ir.For); ok && b.fixed[f.Var] {
			b.fix(f.Body)
		}
	}
}

// drop takes back what does not hold under the other assumptions, and reports
// whether there was any.
func (b *bitLinear) drop(block []ir.Stmt) bool {
	changed := false
	v := func(v *ir.Var, x ir.Expr) {
		if v == b.source {
			return
		}
		if now := b.vars[v] & b.of(x); now != b.vars[v] {
			b.vars[v], changed = now, true
		}
	}
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if s.Init != nil {
				v(s.Var, s.Init)
			} else {
				b.vars[s.Var] = 0
			}
		case *ir.Assign:
			v(s.Var, s.X)
		case *ir.Store:
			now := b.bufs[s.Buf] & b.of(s.X)
			if !b.isFixed(s.Index) {
				now = 0
			}
			if now != b.bufs[s.Buf] {
				b.bufs[s.Buf], changed = now, true
			}
		}
		for _, inner := range ir.Blocks(s) {
			changed = b.drop(*inner) || changed
		}
	}
	return changed
}

// of says what x is. Anything that is not linear is 0.
func (b *bitLinear) of(x ir.Expr) linearity {
	if !x.Kind().Exact() {
		return 0
	}
	switch x := x.(type) {
	case *ir.Int:
		if x.Val == 0 {
			return linearBit
		}
	case *ir.Use:
		return b.vars[x.Var].linear()
	case *ir.Load:
		if b.isFixed(x.Index) {
			return b.bufs[x.Buf].linear()
		}
	case *ir.Convert:
		f := b.of(x.X)
		if r, k := allBits(b.l.RangeOf(x.X)), facts.RangeOfKind(x.To); f&isBit == 0 && ir.Width(x.To) < ir.Width(x.X.Kind()) && !r.Within(0, k.Hi) {
			f &^= isNatural
		}
		return f
	case *ir.Unary:
		if x.Op == ir.OpNeg && b.of(x.X)&isBit != 0 {
			return isLinear
		}
	case *ir.Binary:
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

func (b *bitLinear) ofBinary(x *ir.Binary) linearity {
	f, g := b.of(x.X), b.of(x.Y)
	switch x.Op {
	case ir.OpXor:
		return (f & g).linear()
	case ir.OpNe:
		if f&g&isBit != 0 {
			return linearBit
		}
	case ir.OpAnd, ir.OpMul:
		p := x.Y
		if f == 0 {
			f, p = g, x.X
		}
		if f == 0 || !b.isFixed(p) {
			return 0
		}
		r := b.l.RangeOf(p)
		switch {
		case x.Op == ir.OpMul && f&isBit == 0:
			return 0
		case x.Op == ir.OpMul && r.Within(0, 1), x.Op == ir.OpAnd && f&isNatural != 0 && r.Within(0, 1):
			return linearBit
		case r.Lo >= 0:
			return isLinear | isNatural
		}
		return isLinear
	case ir.OpShr:
		if f != 0 && b.isFixed(x.Y) {
			return f
		}
	case ir.OpQuo, ir.OpRem:
		n, ok := ir.IntOf(x.Y)
		if !ok || n <= 0 || bits.OnesCount64(uint64(n)) != 1 || f&isNatural == 0 {
			return 0
		}
		if x.Op == ir.OpRem && n == 2 {
			return linearBit
		}
		return f
	}
	return 0
}
