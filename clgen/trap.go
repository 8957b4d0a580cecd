package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/tail"
)

// A nest whose body has arrays of few elements, faults, or searches in short
// vectors becomes a kernel, too:
//
//	segmap i = 0 … n
//	  alloc w: f64[18]
//	  if k > 5: fail INDEX ERROR …
//	  …
//
// The array is private to the work-item. Where a point meets a fault it raises
// a trap and does nothing more; the host then repeats the nest in order and
// reports the first fault. Nests can be repeated where nothing that they write
// is read before.

// privateLimit is how many elements an array of a work-item has at most.
const privateLimit = 1024

// itemCan reports whether a work-item can execute statements, and whether they
// have faults.
func itemCan(list []laila.Stmt) (can, faults bool) {
	can = true
	local := map[*laila.Buf]bool{}
	laila.Walk(list, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Decl, *laila.Assign, *laila.Checked, *laila.Store, *laila.Copy, *laila.For, *laila.Nest,
			*laila.Loop, *laila.BreakIf, *laila.If, *laila.Comment:
		case *laila.DeclBuf:
			local[s.Buf] = true
			can = can && privateSize(s) > 0
		case *laila.Free:
			can = can && (local[s.Buf] || s.Buf.Stack > 0)
		case *laila.Fail:
			faults = true
		case *laila.Runtime:
			can = can && searches(s)
		default:
			can = false
		}
	})
	return can, faults
}

// privateSize returns how many elements a work-item keeps for a buffer, 0
// where there are too many.
func privateSize(s *laila.DeclBuf) int64 {
	if s.Buf.Stack > 0 {
		return s.Buf.Stack
	}
	if c, ok := s.Count.(*laila.Int); ok && c.Val <= privateLimit {
		return max(c.Val, 1)
	}
	return 0
}

// searches reports whether a run-time function is ⍳ or ∊ of one item in a
// vector, which kernels do by comparing.
func searches(s *laila.Runtime) bool {
	if s.Fn != "indexof" && s.Fn != "member" || len(s.Args) != 3 || len(s.Results) != 1 || s.Results[0].Buf != nil {
		return false
	}
	in, of := searchOperands(s)
	_, known := s.Args[2].X.(*laila.Int)
	return known && in.Array != nil && in.Array.Buf != nil && len(in.Array.Dims) == 1 &&
		(of.Array == nil && of.X != nil || of.Array != nil && of.Array.Buf == nil)
}

// searchOperands returns the vector that is searched and what is looked for.
func searchOperands(s *laila.Runtime) (in, of laila.RuntimeArg) {
	if s.Fn == "member" {
		return s.Args[1], s.Args[0]
	}
	return s.Args[0], s.Args[1]
}

// itemOf returns the scalar that an argument is.
func itemOf(a laila.RuntimeArg) laila.Expr {
	if a.Array != nil {
		return &laila.Use{Var: a.Array.Scalar}
	}
	return a.X
}

// repeatable reports whether the host can execute statements again after the
// device: what they write is not read, or written first at every point.
func repeatable(body []laila.Stmt, u *uses) bool {
	for b := range u.written {
		if u.read[b] && !u.local[b] && !storedFirst(body, b) {
			return false
		}
	}
	return true
}

// storedFirst reports whether the first statement that mentions b stores to
// it, and all stores and loads have the same index.
func storedFirst(body []laila.Stmt, b *laila.Buf) bool {
	index, same, first := "", true, false
	note := func(x laila.Expr) {
		t := indexText(x, nil)
		same = same && t != "" && (index == "" || t == index)
		index = t
	}
	names := aliases(body)
	resolve := func(x laila.Expr) laila.Expr {
		for {
			u, ok := x.(*laila.Use)
			if !ok || names[u.Var] == nil {
				return x
			}
			x = names[u.Var]
		}
	}
	for _, s := range body {
		st, isStore := s.(*laila.Store)
		mentioned := false
		laila.Walk([]laila.Stmt{s}, func(s laila.Stmt) {
			if c, ok := s.(*laila.Copy); ok && (c.Dst == b || c.Src == b) {
				same = false
			}
			if st, ok := s.(*laila.Store); ok && st.Buf == b {
				mentioned = true
				note(resolve(st.Index))
			}
			stmtExprs(s, func(x laila.Expr) {
				laila.WalkExpr(x, func(x laila.Expr) {
					if l, ok := x.(*laila.Load); ok && l.Buf == b {
						mentioned = true
						note(resolve(l.Index))
					}
				})
			})
		})
		if mentioned && !first {
			if !isStore || st.Buf != b || loads(st.X, b) || loads(st.Index, b) {
				return false
			}
			first = true
		}
	}
	return same
}

func loads(x laila.Expr, b *laila.Buf) bool {
	found := false
	laila.WalkExpr(x, func(x laila.Expr) {
		if l, ok := x.(*laila.Load); ok && l.Buf == b {
			found = true
		}
	})
	return found
}

// aliases are the variables of a body that are declared as others, and never
// assigned.
func aliases(body []laila.Stmt) map[*laila.Var]laila.Expr {
	names := map[*laila.Var]laila.Expr{}
	for _, s := range body {
		if d, ok := s.(*laila.Decl); ok {
			if _, ok := d.Init.(*laila.Use); ok {
				names[d.Var] = d.Init
			}
		}
	}
	laila.Walk(body, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Assign:
			delete(names, s.Var)
		case *laila.Checked:
			delete(names, s.Var)
		}
	})
	return names
}

// trapped gives a kernel with faults its trap; nil where it cannot be
// repeated.
func (k *kernel) trapped(u *uses, faults bool) *kernel {
	if k == nil || (faults || k.redo) && !repeatable(k.body, u) {
		return nil
	}
	if faults {
		k.trap = &laila.Var{Name: "trapped", Kind: laila.U8}
		k.flags = append(k.flags, k.trap)
		k.redo = true
	}
	return k
}

// OpenCL C.

// fails reports whether a statement may raise the trap.
func fails(s laila.Stmt) bool {
	found := false
	laila.Walk([]laila.Stmt{s}, func(s laila.Stmt) {
		if _, ok := s.(*laila.Fail); ok {
			found = true
		}
	})
	return found
}

// trapped returns the name of the trap that a statement may raise, else "".
func (t *kernelText) trapped(s laila.Stmt) string {
	if t.trap == nil || !fails(s) {
		return ""
	}
	return t.v(t.trap)
}

func (t *kernelText) fail(s *laila.Fail) {
	t.line("%s = 1; /* %s */", t.v(t.trap), commentText(faultName(s.Fault)))
}

func faultName(f tail.Fault) string { return f.Row().Template }

// search writes ⍳ or ∊ of an item in a vector.
func (t *kernelText) search(s *laila.Runtime) {
	in, of := searchOperands(s)
	x, r := itemOf(of), s.Results[0].Scalar
	exact := s.Args[2].X.(*laila.Int).Val != 0
	item, n, at := t.fresh("sought"), t.fresh("extent"), t.fresh("place")
	kind, equal := "long", "%s == %s"
	if x.Kind() == laila.F64 || in.Array.Buf.Elem == laila.F64 {
		kind = "double"
		if !exact {
			equal = "tl_eqd(%s, %s)"
		}
	}
	element := fmt.Sprintf("(%s)%s[%s]", kind, t.buf(in.Array.Buf), at)
	value := t.expr(x)
	if complexItem, complexVector := x.Kind() == laila.C64, in.Array.Buf.Elem == laila.C64; complexItem || complexVector {
		kind, equal = "tl_c64", "tl_eqz(%s, %s)"
		if exact {
			equal = "tl_samez(%s, %s)"
		}
		if !complexItem {
			value = "tl_d2z(" + value + ")"
		}
		if complexVector {
			element = fmt.Sprintf("%s[%s]", t.buf(in.Array.Buf), at)
		} else {
			element = "tl_d2z(" + element + ")"
		}
	}
	t.line("const %s %s = %s;", kind, item, value)
	t.line("const long %s = %s;", n, t.expr(in.Array.Dims[0]))
	t.line("long %s = 0;", at)
	t.line("while (%s < %s && !(%s)) %s++;", at, n, fmt.Sprintf(equal, element, item), at)
	if s.Fn == "member" {
		t.line("%s %s = %s < %s;", cltype(r.Kind), t.declare(r), at, n)
	} else {
		t.line("%s %s = %s + 1;", cltype(r.Kind), t.declare(r), at)
	}
}
