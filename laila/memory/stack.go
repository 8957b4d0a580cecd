package memory

import "github.com/tailor-lang/tailor/laila/ir"

// Stacked keeps arrays of few elements, whose number is known, in the stack
// frame when nothing else ever refers to their storage: the state of a small
// loop inside of a parallel one needs no allocation.
//
//	alloc s: f64[18]; …; free s
//
// becomes
//
//	stack s: f64[18]; …
func Stacked(f *ir.Func) {
	held := map[*ir.Buf]bool{}
	for _, r := range f.Results {
		held[r.Buf] = true
	}
	ShareStorage(f.Body, held)
	f.Body = onStack(f.Body, held)
}

// ShareStorage notes the buffers whose storage changes hands.
func ShareStorage(block []ir.Stmt, held map[*ir.Buf]bool) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Move:
			held[s.Dst], held[s.Src] = true, true
		case *ir.Swap:
			held[s.A], held[s.B] = true, true
		case *ir.Alias:
			held[s.Dst], held[s.Src] = true, true
		case *ir.Call:
			for _, r := range s.Results {
				held[r.Buf] = true
			}
		case *ir.Runtime:
			for _, r := range s.Results {
				held[r.Buf] = true
			}
		}
		for _, inner := range ir.Blocks(s) {
			ShareStorage(*inner, held)
		}
	}
}

func onStack(block []ir.Stmt, held map[*ir.Buf]bool) []ir.Stmt {
	freed := map[*ir.Buf]bool{}
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = onStack(*inner, held)
		}
		if f, ok := s.(*ir.Free); ok {
			freed[f.Buf] = true
		}
	}
	made := map[*ir.Buf]bool{}
	var out []ir.Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *ir.DeclBuf:
			b := s.Buf
			if n, ok := ir.IntOf(s.Count); ok && n > 0 && n <= ir.StackLimit && b.Stack == 0 && !b.Const && freed[b] && !held[b] {
				b.Stack, made[b] = n, true
			}
		case *ir.Free:
			if made[s.Buf] {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
