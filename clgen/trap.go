package clgen

import "github.com/tailor-lang/tailor/laila/ir"

// A nest whose body has arrays of few elements or faults becomes a kernel, too:
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

// repeatable reports whether the host can execute statements again after the
// device: what they write is not read.
func (u *uses) repeatable() bool {
	for b := range u.written {
		if u.read[b] && !u.local[b] {
			return false
		}
	}
	return true
}

// trapped gives a kernel with faults its trap; nil where it cannot be
// repeated.
func (k *kernel) trapped(u *uses, faults bool) *kernel {
	if k == nil || (faults || k.redo) && !u.repeatable() {
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

// trapped returns the name of the trap that a statement may raise, else "".
func (t *kernelText) trapped(s ir.Stmt) string {
	if t.trap == nil || !ir.Has[*ir.Fail]([]ir.Stmt{s}) {
		return ""
	}
	return t.v(t.trap)
}

func (t *kernelText) fail(s *ir.Fail) {
	t.line("%s = 1; /* %s */", t.v(t.trap), commentText(s.Fault.Row().Template))
}
