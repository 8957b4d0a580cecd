package arith

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Factors leaves out products of doubles by 0, 1 and ¯1 and terms that are 0, where these
// come from constants and the elements of constant arrays:
//
//	acc = tl_fma(f64(c[0]), x, acc)     with c = 0 1 ¯1
//	acc = tl_fma(f64(c[1]), y, acc)     acc = y + acc
//	acc = tl_fma(f64(c[2]), z, acc)     acc = acc - z
//
// Requires: doubles that are finite: infinities are noted where they arise, and the program
// with tests runs then; files and callers may give others. Preserves: values, but for the
// sign of 0.
func Factors(l *pass.Context, f *ir.Func) {
	if l.Out.Entry != nil || readsDoubles(l.Out) {
		return
	}
	s := &coefficients{consts: map[*ir.Buf]*ir.Const{}, known: map[*ir.Var]float64{}}
	_, s.changed = flow.DefinedOnce(f)
	for _, c := range l.Out.Consts {
		s.consts[c.Buf] = c
	}
	ir.Walk(f.Body, func(x ir.Stmt) {
		ir.MapExprs(x, s.without)
		if d, ok := x.(*ir.Decl); ok && d.Init != nil && !s.changed[d.Var] {
			if v, ok := s.constant(d.Init); ok {
				s.known[d.Var] = v
			}
		}
	})
}

// readsDoubles reports whether a program reads files in which doubles may be infinite or NaN.
func readsDoubles(p *ir.Program) bool {
	found := false
	for _, f := range p.Functions() {
		ir.Walk(f.Body, func(s ir.Stmt) {
			r, ok := s.(*ir.Runtime)
			found = found || ok && r.Fn == "readnpy"
		})
	}
	return found
}

// coefficients has the constant arrays of a program and the constant variables of a function.
type coefficients struct {
	consts  map[*ir.Buf]*ir.Const
	known   map[*ir.Var]float64
	changed map[*ir.Var]bool
}

// constant returns the double that x always is.
func (s *coefficients) constant(x ir.Expr) (float64, bool) {
	switch x := x.(type) {
	case *ir.Float:
		return x.Val, true
	case *ir.Int:
		return float64(x.Val), true
	case *ir.Use:
		v, ok := s.known[x.Var]
		return v, ok
	case *ir.Convert:
		if x.To == ir.F64 || x.To == ir.I32 || x.To == ir.I64 {
			v, ok := s.constant(x.X)
			return v, ok && v >= -1 && v <= 1
		}
	case *ir.Load:
		c := s.consts[x.Buf]
		i, ok := ir.IntOf(x.Index)
		switch {
		case c == nil || !ok || i < 0:
		case c.Buf.Elem == ir.F64 && i < int64(len(c.Floats)):
			return c.Floats[i], true
		case c.Buf.Elem.Exact() && i < int64(len(c.Ints)):
			return float64(c.Ints[i]), true
		}
	}
	return 0, false
}

// without returns x without a factor or a term that changes nothing.
func (s *coefficients) without(x ir.Expr) ir.Expr {
	if x.Kind() != ir.F64 {
		return x
	}
	switch x := x.(type) {
	case *ir.Binary:
		switch x.Op {
		case ir.OpMul:
			if y := s.product(x.X, x.Y); y != nil {
				return y
			}
		case ir.OpAdd:
			if s.isZero(x.X) {
				return x.Y
			} else if s.isZero(x.Y) {
				return x.X
			}
		case ir.OpSub:
			if s.isZero(x.X) {
				return ir.OpNeg.Of(x.Y)
			} else if s.isZero(x.Y) {
				return x.X
			}
		}
	case *ir.Math:
		if x.Fn != "tl_fma" {
			break
		}
		switch y := s.product(x.Args[0], x.Args[1]).(type) {
		case nil:
		case *ir.Unary:
			if y.Op == ir.OpNeg {
				return s.without(ir.OpSub.Of(x.Args[2], y.X))
			}
			return s.without(ir.OpAdd.Of(y, x.Args[2]))
		default:
			return s.without(ir.OpAdd.Of(y, x.Args[2]))
		}
	}
	return x
}

func (s *coefficients) isZero(x ir.Expr) bool {
	v, ok := s.constant(x)
	return ok && v == 0
}

// product returns x×y where one of them is 0, 1 or ¯1, nil elsewhere.
func (s *coefficients) product(x, y ir.Expr) ir.Expr {
	for range 2 {
		if v, ok := s.constant(x); ok {
			switch v {
			case 0:
				return &ir.Float{}
			case 1:
				return y
			case -1:
				return ir.OpNeg.Of(y)
			}
		}
		x, y = y, x
	}
	return nil
}
