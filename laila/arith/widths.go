package arith

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Widths computes integers of loops in 32 bits where their ranges allow:
// vector code does twice as much at a time, and has instructions for products
// and shifts that it lacks for 64 bits. Variables that are set once, and that
// no place in memory depends on, become narrower; sums, products and bits of
// what fits are computed modulo 2*32 from the start.
//
//	segmap i = 0 … 1000: var v: i64 = i + 1; a[i] = f64(i64(b[i]) ^ v)
//
// becomes
//
//	segmap i = 0 … 1000: var v: i32 = i32(i) + 1; a[i] = f64(b[i] ^ v)
//
// So do residues by 2*32: they are the low bits of what they are residues of, taken as
// a number without a sign.
//
//	var s: i64 = (i64(i) * 1664525 + c) rem 4294967296
//
// becomes
//
//	var s: i32 = i32(i) * 1664525 + i32(c)
//
// and i64(s) & 4294967295 where s is used.
//
// Requires: ranges of variables. Preserves: the kinds of buffers, parameters
// and accumulators.
func Widths(l *pass.Context, f *ir.Func) {
	n := &narrowing{l: l, places: map[*ir.Var]bool{}, set: map[*ir.Var]int{}, small: map[*ir.Var]*ir.Var{}, unsigned: map[*ir.Var]bool{}}
	n.scan(f.Body)
	n.scan(f.Body) // for what an iteration leaves to the next one
	for v := range n.set {
		n.set[v] /= 2
	}
	n.block(f.Body, false)
}

type narrowing struct {
	l      *pass.Context
	places map[*ir.Var]bool    // extents, and parts of indices and bounds
	set    map[*ir.Var]int     // how often a variable is set
	small  map[*ir.Var]*ir.Var // what stands for variables of 64 bits
	// unsigned are variables of 32 bits that stand for numbers from 0 to lowBits.
	unsigned map[*ir.Var]bool
}

// lowBits is the greatest number of 32 bits without a sign.
const lowBits = 1<<32 - 1

// scan notes the variables that are set more than once, or that decide on
// places.
func (n *narrowing) scan(block []ir.Stmt) {
	for i := len(block) - 1; i >= 0; i-- { // what a place depends on comes before it
		s := block[i]
		for _, inner := range ir.Blocks(s) {
			n.scan(*inner)
		}
		switch s := s.(type) {
		case *ir.Decl:
			n.set[s.Var]++
			if s.Init != nil {
				n.indices(s.Init)
				if n.places[s.Var] {
					n.value(s.Init)
				}
			} else {
				n.set[s.Var]++
			}
		case *ir.Assign:
			n.set[s.Var] += 2
			n.indices(s.X)
			if n.places[s.Var] {
				n.value(s.X)
			}
		case *ir.Store:
			n.indices(s.X)
			n.mark(s.Index)
		case *ir.Checked:
			n.set[s.Var] += 2
			n.mark(s.X)
			n.mark(s.Y)
		case *ir.If:
			n.indices(s.Cond)
		case *ir.Comment:
		default:
			n.other(s)
		}
	}
}

// other marks what a statement that is not straight code mentions.
func (n *narrowing) other(s ir.Stmt) {
	for _, x := range ir.Exprs(s) {
		if x != nil {
			n.mark(x)
		}
	}
	var args []ir.Array
	switch s := s.(type) {
	case *ir.Call:
		args = s.Args
	case *ir.Runtime:
		for _, a := range s.Args {
			if a.Array != nil {
				args = append(args, *a.Array)
			}
		}
	}
	for _, a := range args {
		if a.Scalar != nil { // the kind is that of the parameter
			n.set[a.Scalar] += 2
		}
	}
}

// value marks the variables of x, the value of one that decides on places: not those
// that are only compared, whose width is not that of the place.
func (n *narrowing) value(x ir.Expr) {
	switch y := x.(type) {
	case *ir.Use:
		n.places[y.Var] = true
	case *ir.Binary:
		if y.Op >= ir.OpLt {
			return
		}
	}
	for _, y := range ir.Operands(x) {
		if y != nil {
			n.value(y)
		}
	}
}

// mark notes the variables of x as what decides on places.
func (n *narrowing) mark(x ir.Expr) {
	if u, ok := x.(*ir.Use); ok {
		n.places[u.Var] = true
	}
	for _, y := range ir.Operands(x) {
		if y != nil {
			n.mark(y)
		}
	}
}

// indices marks the indices in x.
func (n *narrowing) indices(x ir.Expr) {
	if ld, ok := x.(*ir.Load); ok {
		n.mark(ld.Index)
		return
	}
	for _, y := range ir.Operands(x) {
		n.indices(y)
	}
}

// block narrows straight code inside of nests.
func (n *narrowing) block(block []ir.Stmt, inside bool) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Nest:
			n.block(s.Pre, len(s.Dims) > 0)
			n.block(s.Body, true)
			n.block(s.Post, len(s.Dims) > 0)
			continue
		case *ir.Decl:
			if s.Init == nil {
				continue
			}
			s.Init = n.expr(s.Init)
			if inside && n.narrows(s.Var) {
				v := n.l.NewVar(s.Var.Name, ir.I32)
				n.l.Ranges[v] = n.l.RangeOf(s.Var.Use())
				n.small[s.Var] = v
				s.Var, s.Init = v, ir.ConvertTo(ir.I32, n.to32(s.Init))
			} else if low := lowOf(s.Init); inside && low != nil && n.once(s.Var) {
				v := n.l.NewVar(s.Var.Name, ir.I32)
				n.small[s.Var], n.unsigned[v] = v, true
				s.Var, s.Init = v, low
			}
			continue
		}
		for _, inner := range ir.Blocks(s) {
			n.block(*inner, inside)
		}
		if inside || len(n.small) > 0 {
			n.stmt(s)
		}
	}
}

// narrows reports whether v may have 32 bits.
func (n *narrowing) narrows(v *ir.Var) bool { return n.once(v) && fits32(n.l.RangeOf(v.Use())) }

// once reports whether v is an integer that is set once, and no place depends on it.
func (n *narrowing) once(v *ir.Var) bool {
	return v.Kind == ir.I64 && n.set[v] == 1 && !n.places[v]
}

// lowOf is the number of 32 bits that x is without its sign; nil where it is another.
func lowOf(x ir.Expr) ir.Expr {
	if b, ok := x.(*ir.Binary); ok && b.Op == ir.OpAnd && ir.IsInt(b.Y, lowBits) {
		if c, ok := b.X.(*ir.Convert); ok && c.To == ir.I64 && c.X.Kind() == ir.I32 {
			return c.X
		}
	}
	return nil
}

// withoutSign is the number of which x, of 32 bits, has the bits.
func withoutSign(x ir.Expr) ir.Expr {
	return ir.OpAnd.Of(&ir.Convert{To: ir.I64, X: x}, ir.Integer(lowBits))
}

// residue is y where it is the low 32 bits of what is computed from others; nil for others.
func (n *narrowing) residue(y *ir.Binary) ir.Expr {
	switch {
	case y.Op == ir.OpRem && ir.IsInt(y.Y, lowBits+1) && n.l.RangeOf(y.X).Lo >= 0:
	case y.Op == ir.OpAnd && ir.IsInt(y.Y, lowBits):
	default:
		return nil
	}
	x, ok := y.X.(*ir.Binary)
	if !ok || x.Kind() != ir.I64 {
		return nil
	}
	switch x.Op {
	case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpXor:
		return withoutSign(n.low32(n.expr(x)))
	}
	return nil
}

func fits32(r facts.Interval) bool { return r.Within(-1<<31, 1<<31-1) }

func (n *narrowing) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Assign:
		s.X = n.expr(s.X)
	case *ir.Store:
		s.X = n.expr(s.X)
	case *ir.If:
		s.Cond = n.expr(s.Cond)
	}
}

// expr returns x with the variables that have become narrower.
func (n *narrowing) expr(x ir.Expr) ir.Expr {
	switch y := x.(type) {
	case *ir.Use:
		if v := n.small[y.Var]; v != nil && n.unsigned[v] {
			return withoutSign(v.Use())
		} else if v != nil {
			return &ir.Convert{To: ir.I64, X: v.Use()}
		}
		return x
	case *ir.Load, *ir.Int, *ir.Float:
		return x
	case *ir.Convert:
		if y.X.Kind() == ir.I64 && y.To != ir.F64 || y.To == ir.F64 && y.X.Kind() == ir.I64 {
			z := n.expr(y.X)
			if z == y.X && (y.To == ir.F64 || !chooses(z)) {
				return x
			}
			if fits32(n.l.RangeOf(z)) {
				return ir.ConvertTo(y.To, n.to32(z))
			}
			return ir.ConvertTo(y.To, z)
		}
	case *ir.Binary:
		if z := n.residue(y); z != nil {
			return z
		}
		if y.X.Kind() == ir.I64 && y.Op >= ir.OpLt {
			a, b := n.expr(y.X), n.expr(y.Y)
			if a == y.X && b == y.Y {
				return x
			}
			if fits32(n.l.RangeOf(a)) && fits32(n.l.RangeOf(b)) {
				a, b = n.to32(a), n.to32(b)
			}
			return y.Op.Of(a, b)
		}
	}
	changed := false
	y := ir.MapOperands(x, func(z ir.Expr) ir.Expr {
		w := n.expr(z)
		changed = changed || w != z
		return w
	})
	if !changed {
		return x
	}
	return y
}

// chooses reports whether integers of 64 bits are compared in x, or divided, but not for
// an index: compilers do not find out that fewer bits do.
func chooses(x ir.Expr) bool {
	switch y := x.(type) {
	case *ir.Load:
		return false
	case *ir.Select:
		return x.Kind() == ir.I64
	case *ir.Binary:
		switch y.Op {
		case ir.OpMin, ir.OpMax, ir.OpQuo, ir.OpRem:
			return x.Kind() == ir.I64
		}
	}
	return slices.ContainsFunc(ir.Operands(x), func(y ir.Expr) bool { return y != nil && chooses(y) })
}

// to32 returns x, an integer that fits 32 bits, computed in as many.
func (n *narrowing) to32(x ir.Expr) ir.Expr {
	if x.Kind() == ir.I32 {
		return x
	}
	switch y := x.(type) {
	case *ir.Convert:
		if y.X.Kind() != ir.F64 || y.To == ir.I64 {
			return ir.ConvertTo(ir.I32, y.X)
		}
	case *ir.Unary:
		if y.Op == ir.OpNeg || y.Op == ir.OpBitNot {
			return y.Op.Of(n.low32(y.X))
		}
		if y.Op == ir.OpAbs && fits32(n.l.RangeOf(y.X)) {
			return y.Op.Of(n.to32(y.X))
		}
	case *ir.Binary:
		switch y.Op {
		case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpAnd, ir.OpOr, ir.OpXor:
			return y.Op.Of(n.low32(y.X), n.low32(y.Y))
		case ir.OpShr:
			if by, ok := ir.IntOf(y.Y); ok && fits32(n.l.RangeOf(y.X)) { // all bits are the sign from 31 on
				return y.Op.Of(n.to32(y.X), ir.ConvertTo(ir.I32, ir.Integer(min(by, 31))))
			}
		case ir.OpQuo, ir.OpRem, ir.OpMin, ir.OpMax:
			if fits32(n.l.RangeOf(y.X)) && fits32(n.l.RangeOf(y.Y)) {
				return y.Op.Of(n.to32(y.X), n.to32(y.Y))
			}
		}
	case *ir.Select:
		if fits32(n.l.RangeOf(y.Then)) && fits32(n.l.RangeOf(y.Else)) {
			return &ir.Select{Cond: y.Cond, Then: n.to32(y.Then), Else: n.to32(y.Else)}
		}
	}
	return ir.ConvertTo(ir.I32, x)
}

// low32 returns the low 32 bits of x.
func (n *narrowing) low32(x ir.Expr) ir.Expr {
	if x.Kind() != ir.I64 {
		return ir.ConvertTo(ir.I32, x)
	}
	if low := lowOf(x); low != nil {
		return low
	}
	if y, ok := x.(*ir.Binary); ok {
		switch y.Op {
		case ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpAnd, ir.OpOr, ir.OpXor:
			return y.Op.Of(n.low32(y.X), n.low32(y.Y))
		}
	}
	if fits32(n.l.RangeOf(x)) {
		return n.to32(x)
	}
	return ir.ConvertTo(ir.I32, x)
}
