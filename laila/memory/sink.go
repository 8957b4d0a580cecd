package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// sink has each branch of a conditional exchange an array for the one that it made, where
// all make one and the array is exchanged for it behind the conditional:
//
//	null b                          if c
//	if c                              alloc r: i64[n]
//	  alloc r: i64[n]                 swap s, r
//	  move b = r                      free r
//	else                            else
//	  alloc r_2: i64[m]               alloc r_2: i64[m]
//	  move b = r_2                    swap s, r_2
//	swap s, b                         free r_2
//	free b
//
// Requires: buffers that are declared once. Preserves: values, and the order of faults.
func sink(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	for at := len(block) - 1; at >= 0; at = min(at, len(block)) - 1 {
		x, ok := block[at].(*ir.Swap)
		if !ok || l.Fixed[x.A] && l.Fixed[x.B] {
			continue
		}
		for _, p := range [][2]*ir.Buf{{x.A, x.B}, {x.B, x.A}} {
			if rest := sunk(block, at, p[0], p[1]); rest != nil {
				block = rest
				break
			}
		}
	}
	for _, s := range block {
		for _, inner := range ir.SequentialBlocks(s) {
			*inner = sink(l, *inner)
		}
	}
	return block
}

// sunk returns a block without its statement number at, which exchanges an array for the
// result of a conditional, whose branches do it then; nil where they cannot.
func sunk(block []ir.Stmt, at int, old, result *ir.Buf) []ir.Stmt {
	var rest []ir.Stmt
	var branch *ir.If
	for i, s := range block {
		if d, ok := s.(*ir.DeclBuf); ok && d.Buf == result {
			if d.Count != nil || result.Stack > 0 || i > at {
				return nil
			}
			continue
		}
		if f, ok := s.(*ir.Free); i == at || ok && f.Buf == result && i > at {
			continue
		}
		rest = append(rest, s)
		switch {
		case mentions(s, result):
			x, ok := s.(*ir.If)
			if !ok || branch != nil || i > at {
				return nil
			}
			branch = x
		case branch != nil && i < at && mentions(s, old):
			return nil
		}
	}
	if branch == nil || len(rest) != len(block)-3 || !eachMove(branch, old, result, func(*[]ir.Stmt, int) {}) {
		return nil
	}
	eachMove(branch, old, result, func(block *[]ir.Stmt, i int) {
		made := (*block)[i].(*ir.Move).Src
		*block = slices.Replace(*block, i, i+1, ir.Stmt(&ir.Swap{A: old, B: made}), ir.Stmt(&ir.Free{Buf: made}))
	})
	return rest
}

// eachMove calls f for the statement of each branch that makes an array the result. It
// reports whether each branch has one, which moves an array of that branch and behind which
// nothing mentions the array that is to be exchanged for the result.
func eachMove(x *ir.If, old, result *ir.Buf, f func(block *[]ir.Stmt, i int)) bool {
	for _, block := range ir.Blocks(x) {
		i := slices.IndexFunc(*block, func(s ir.Stmt) bool { return mentions(s, result) })
		if i < 0 {
			return false
		}
		for _, s := range (*block)[i+1:] {
			if mentions(s, result) || mentions(s, old) {
				return false
			}
		}
		switch s := (*block)[i].(type) {
		case *ir.If:
			if !eachMove(s, old, result, f) {
				return false
			}
		case *ir.Move:
			if s.Dst != result || !slices.ContainsFunc((*block)[:i], func(d ir.Stmt) bool {
				made, ok := d.(*ir.DeclBuf)
				return ok && made.Buf == s.Src
			}) {
				return false
			}
			f(block, i)
		default:
			return false
		}
	}
	return true
}
