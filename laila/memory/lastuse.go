package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// spot is a statement with those that it stands in, outermost first.
type spot []within

// within is a place in a block, and what the block belongs to; nil for a function.
type within struct {
	block []ir.Stmt
	at    int
	in    ir.Stmt
}

// eachSpot calls visit with the statements of a block and those below them, but of what is nested in
// loops over elements.
func eachSpot(block []ir.Stmt, in ir.Stmt, around spot, visit func(s ir.Stmt, at spot)) {
	for i, s := range block {
		at := append(around[:len(around):len(around)], within{block, i, in})
		visit(s, at)
		for _, inner := range ir.SequentialBlocks(s) {
			eachSpot(*inner, s, at, visit)
		}
	}
}

// ends reports whether the elements of b are not used behind a statement: what comes there frees b,
// or exchanges it for an array that is freed. Nothing else may share its storage.
func (at spot) ends(b *ir.Buf) bool {
	for k := len(at) - 1; k >= 0; k-- {
		rest := at[k].block[at[k].at+1:]
		for i, s := range rest {
			if f, ok := s.(*ir.Free); ok && f.Buf == b {
				return true
			}
			if x, ok := s.(*ir.Swap); ok && (x.A == b) != (x.B == b) {
				other := x.A
				if other == b {
					other = x.B
				}
				return freedNext(rest[i+1:], other)
			}
			if mentions(s, b) || leavesLoop(s) {
				return false
			}
		}
		if _, branch := at[k].in.(*ir.If); !branch {
			return false
		}
	}
	return false
}

// freedNext reports whether the first of some statements that mentions b frees it.
func freedNext(block []ir.Stmt, b *ir.Buf) bool {
	for _, s := range block {
		if f, ok := s.(*ir.Free); ok && f.Buf == b {
			return true
		}
		if mentions(s, b) || leavesLoop(s) {
			return false
		}
	}
	return false
}

// leavesLoop reports whether a statement may end the loop around it, or the function.
func leavesLoop(s ir.Stmt) bool {
	switch s := s.(type) {
	case *ir.BreakIf, *ir.Return:
		return true
	case *ir.If:
		return slices.ContainsFunc(s.Then, leavesLoop) || slices.ContainsFunc(s.Else, leavesLoop)
	}
	return false
}

// storages are the arrays of a function whose storage has one name.
type storages struct {
	owned   map[*ir.Buf]bool // declared with storage, or results of calls
	aliased map[*ir.Buf]bool
}

func storagesOf(f *ir.Func) *storages {
	s := &storages{owned: map[*ir.Buf]bool{}, aliased: map[*ir.Buf]bool{}}
	ir.Walk(f.Body, func(x ir.Stmt) {
		switch x := x.(type) {
		case *ir.DeclBuf:
			s.owned[x.Buf] = x.Buf.Stack <= 0 && !x.Buf.Const
		case *ir.Call:
			s.results(x.Results)
		case *ir.Runtime:
			s.results(x.Results)
		case *ir.Alias:
			s.aliased[x.Dst], s.aliased[x.Src] = true, true
		}
	})
	return s
}

func (s *storages) results(all []ir.Array) {
	for _, r := range all {
		if r.Buf != nil {
			s.owned[r.Buf] = true
		}
	}
}

// gives reports whether b may give its storage away.
func (s *storages) gives(b *ir.Buf) bool { return b != nil && s.owned[b] && !s.aliased[b] }
