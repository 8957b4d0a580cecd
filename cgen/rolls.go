package cgen

import "github.com/tailor-lang/tailor/laila"

// rolls writes a loop that only fills an array with random numbers,
//
//	for i = 0 … n: (r) = rolld(); a[i] = r
//
// as one call of the run-time library, which draws them side by side, and on
// several threads. The numbers, and the state that they leave, are the same. It
// reports whether it did.
func (b *body) rolls(f *laila.For) bool {
	call, store := rollOf(f)
	if call == nil || b.device != nil {
		return false
	}
	count, most := b.expr(f.Hi), "0"
	if call.Fn == "rolli" {
		most = b.expr(call.Args[0].X)
	}
	b.noteSharing(&laila.Nest{Dims: []laila.Dim{{Var: f.Var, Lo: f.Lo, Hi: f.Hi}}}, b.opt.Target == OpenMP, "random numbers side by side")
	b.line("tl_roll_all(%s, %s, %s, %s);", b.bufName(store.Buf), elemTag(store.Buf.Elem), count, most)
	return true
}

// rollOf returns the call and the store of a loop that only draws numbers of one
// range and stores them in order.
func rollOf(f *laila.For) (*laila.Runtime, *laila.Store) {
	var call *laila.Runtime
	var store *laila.Store
	for _, s := range f.Body {
		switch s := s.(type) {
		case *laila.Comment:
		case *laila.Runtime:
			if call != nil || s.Fn != "rolld" && s.Fn != "rolli" {
				return nil, nil
			}
			call = s
		case *laila.Store:
			if call == nil || store != nil || !isUse(s.Index, f.Var) {
				return nil, nil
			}
			store = s
		default:
			return nil, nil
		}
	}
	if store == nil || !isZero(f.Lo) || !isUse(unconverted(store.X), call.Results[0].Scalar) {
		return nil, nil
	}
	switch store.Buf.Elem {
	case laila.F64:
		if call.Fn != "rolld" {
			return nil, nil
		}
	case laila.I8, laila.I16, laila.I32, laila.I64:
		if call.Fn != "rolli" || !simple(call.Args[0].X) || mentions(call.Args[0].X, map[*laila.Var]bool{f.Var: true}) {
			return nil, nil
		}
	default:
		return nil, nil
	}
	return call, store
}

// unconverted returns what a conversion is of.
func unconverted(x laila.Expr) laila.Expr {
	if c, ok := x.(*laila.Convert); ok {
		return unconverted(c.X)
	}
	return x
}
