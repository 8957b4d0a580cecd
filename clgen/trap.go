package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
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
func itemCan(list []ir.Stmt) (can, faults bool) {
	can = true
	local := map[*ir.Buf]bool{}
	ir.Walk(list, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl, *ir.Assign, *ir.Checked, *ir.Store, *ir.Copy, *ir.For, *ir.Nest,
			*ir.Loop, *ir.BreakIf, *ir.If, *ir.Comment:
		case *ir.DeclBuf:
			local[s.Buf] = true
			can = can && privateSize(s) > 0
		case *ir.Free:
			can = can && (local[s.Buf] || s.Buf.Stack > 0)
		case *ir.Fail:
			faults = true
		case *ir.Runtime:
			can = can && searches(s)
		default:
			can = false
		}
	})
	return can, faults
}

// privateSize returns how many elements a work-item keeps for a buffer, 0
// where there are too many.
func privateSize(s *ir.DeclBuf) int64 {
	if s.Buf.Stack > 0 {
		return s.Buf.Stack
	}
	if c, ok := s.Count.(*ir.Int); ok && c.Val <= privateLimit {
		return max(c.Val, 1)
	}
	return 0
}

// searches reports whether a run-time function is ⍳ or ∊ of one item in a
// vector, which kernels do by comparing.
func searches(s *ir.Runtime) bool {
	if s.Fn != "indexof" && s.Fn != "member" || len(s.Args) != 3 || len(s.Results) != 1 || s.Results[0].Buf != nil {
		return false
	}
	in, of := searchOperands(s)
	_, known := s.Args[2].X.(*ir.Int)
	return known && in.Array != nil && in.Array.Buf != nil && len(in.Array.Dims) == 1 &&
		(of.Array == nil && of.X != nil || of.Array != nil && of.Array.Buf == nil)
}

// searchOperands returns the vector that is searched and what is looked for.
func searchOperands(s *ir.Runtime) (in, of ir.RuntimeArg) {
	if s.Fn == "member" {
		return s.Args[1], s.Args[0]
	}
	return s.Args[0], s.Args[1]
}

// itemOf returns the scalar that an argument is.
func itemOf(a ir.RuntimeArg) ir.Expr {
	if a.Array != nil {
		return a.Array.Scalar.Use()
	}
	return a.X
}

// repeatable reports whether the host can execute statements again after the
// device: what they write is not read, or written first at every point.
func repeatable(body []ir.Stmt, u *uses) bool {
	for b := range u.written {
		if u.read[b] && !u.local[b] && !storedFirst(body, b) {
			return false
		}
	}
	return true
}

// storedFirst reports whether the first statement that mentions b stores to
// it, and all stores and loads have the same index.
func storedFirst(body []ir.Stmt, b *ir.Buf) bool {
	index, same, first := "", true, false
	note := func(x ir.Expr) {
		t := indexText(x, nil)
		same = same && t != "" && (index == "" || t == index)
		index = t
	}
	names := aliases(body)
	resolve := func(x ir.Expr) ir.Expr {
		for {
			u, ok := x.(*ir.Use)
			if !ok || names[u.Var] == nil {
				return x
			}
			x = names[u.Var]
		}
	}
	for _, s := range body {
		st, isStore := s.(*ir.Store)
		mentioned := false
		ir.Walk([]ir.Stmt{s}, func(s ir.Stmt) {
			if c, ok := s.(*ir.Copy); ok && (c.Dst == b || c.Src == b) {
				same = false
			}
			if st, ok := s.(*ir.Store); ok && st.Buf == b {
				mentioned = true
				note(resolve(st.Index))
			}
			exprs(s, func(x ir.Expr) {
				if isLoad(x, b) {
					mentioned = true
					note(resolve(x.(*ir.Load).Index))
				}
			})
		})
		if mentioned && !first {
			if !isStore || st.Buf != b || loads([]ir.Stmt{s}, b) {
				return false
			}
			first = true
		}
	}
	return same
}

// aliases are the variables of a body that are declared as others, and never
// assigned.
func aliases(body []ir.Stmt) map[*ir.Var]ir.Expr {
	names := map[*ir.Var]ir.Expr{}
	for _, s := range body {
		if d, ok := s.(*ir.Decl); ok {
			if _, ok := d.Init.(*ir.Use); ok {
				names[d.Var] = d.Init
			}
		}
	}
	ir.Walk(body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			delete(names, s.Var)
		case *ir.Checked:
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
		k.trap = &ir.Var{Name: "trapped", Kind: ir.U8}
		k.flags = append(k.flags, k.trap)
		k.redo = true
	}
	return k
}

// OpenCL C.

// fails reports whether a statement may raise the trap.
func fails(s ir.Stmt) bool {
	found := false
	ir.Walk([]ir.Stmt{s}, func(s ir.Stmt) {
		if _, ok := s.(*ir.Fail); ok {
			found = true
		}
	})
	return found
}

// trapped returns the name of the trap that a statement may raise, else "".
func (t *kernelText) trapped(s ir.Stmt) string {
	if t.trap == nil || !fails(s) {
		return ""
	}
	return t.v(t.trap)
}

func (t *kernelText) fail(s *ir.Fail) {
	t.line("%s = 1; /* %s */", t.v(t.trap), commentText(faultName(s.Fault)))
}

func faultName(f tail.Fault) string { return f.Row().Template }

// search writes ⍳ or ∊ of an item in a vector.
func (t *kernelText) search(s *ir.Runtime) {
	in, of := searchOperands(s)
	x, r := itemOf(of), s.Results[0].Scalar
	exact := s.Args[2].X.(*ir.Int).Val != 0
	item, n, at := t.fresh("sought"), t.fresh("extent"), t.fresh("place")
	kind, equal := "long", "%s == %s"
	if x.Kind() == ir.F64 || in.Array.Buf.Elem == ir.F64 {
		kind = "double"
		if !exact {
			equal = "tl_eqd(%s, %s)"
		}
	}
	element := fmt.Sprintf("(%s)%s[%s]", kind, t.buf(in.Array.Buf), at)
	value := t.expr(x)
	if complexItem, complexVector := x.Kind() == ir.C64, in.Array.Buf.Elem == ir.C64; complexItem || complexVector {
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
