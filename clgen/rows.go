package clgen

import (
	"maps"

	"github.com/tailor-lang/tailor/laila/ir"
)

// A map each of whose points is a reduction,
//
//	segmap i = 0 … n
//	  acc = 0
//	  segred j = 0 … m: acc = acc + a[i×m+j]
//	  b[i] = acc
//
// is a segmented reduction. On a GPU it has three shapes, of which FCL's foldRows, or rowsBy,
// chooses one by the number of segments and their length:
//
//	NAME          a work-item a segment: many segments, or short ones
//	NAME_group    a work-group a segment, with a tree in local memory
//	NAME_part,    several work-groups a segment, which leave partial results,
//	NAME_rows     and a work-group a segment, which joins these
//
// In the last two each statement before the last reduction is executed by all work-items of a
// group, and what is behind it, and stores, by one.

// rowReduce is what is known of the points of a segmented reduction.
type rowReduce struct {
	body  []ir.Stmt // with nests that the work-items of a group share
	nests []*ir.Nest
	sums  map[*ir.Var]*ir.Var // flags of checked sums by accumulator
}

// red returns the axes of the reductions, which have one space.
func (r *rowReduce) red() []ir.Dim { return r.nests[0].Red }

// divisible reports whether several work-groups can share a segment.
func (r *rowReduce) divisible() bool { return len(r.nests) == 1 && !r.nests[0].Rounds() }

// findRows notes that the points of a kernel are reductions.
func (pl *planner) findRows(k *kernel) {
	if pl.plan.Schedule != Groups || k.shape != mapShape || k.trap != nil || len(k.more) > 0 || k.across != nil || k.product != nil {
		return
	}
	r := rowsOf(k.body, dimVars(k.dims))
	if r == nil {
		return
	}
	if len(r.sums) > 0 && !repeatable(k.body, usesOf(k.body, dimVars(k.dims)...)) {
		return
	}
	k.rows, k.redo = r, k.redo || len(r.sums) > 0
}

// rowsOf takes apart the body of a segmented reduction, nil for other bodies.
func rowsOf(body []ir.Stmt, bound []*ir.Var) *rowReduce {
	r := &rowReduce{body: body, sums: map[*ir.Var]*ir.Var{}}
	inside := map[*ir.Var]bool{}
	for _, v := range bound {
		inside[v] = true
	}
	stored := map[*ir.Buf]bool{}
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Decl:
			inside[s.Var] = true
		case *ir.Comment, *ir.Assign:
		case *ir.If:
			if !scalars(s) {
				return nil
			}
		case *ir.Store:
			stored[s.Buf] = true
		case *ir.Nest:
			if !r.reduces(s) {
				return nil
			}
			for _, d := range s.Red {
				if outer(d.Lo, inside) || outer(d.Hi, inside) {
					return nil
				}
			}
		default:
			return nil
		}
	}
	if len(r.nests) == 0 {
		return nil
	}
	for _, n := range r.nests { // one space, so that the host knows their length
		if !ir.SameSpace(n.Red, r.red()) {
			return nil
		}
	}
	u := usesOf(body)
	for b := range stored {
		if u.read[b] && !readFirst(body, b) {
			return nil
		}
	}
	return r
}

// scalars reports whether a test does nothing but assign variables, from
// others.
func scalars(s *ir.If) bool {
	only := true
	ir.Walk([]ir.Stmt{s}, func(s ir.Stmt) {
		switch s.(type) {
		case *ir.Assign, *ir.Comment, *ir.Decl, *ir.If:
		default:
			only = false
		}
		exprs(s, func(x ir.Expr) { only = only && ir.IsLoadFree(x) })
	})
	return only
}

// readFirst reports whether an array that is stored to is read only before the
// nests of a body, at the index where it is stored.
func readFirst(body []ir.Stmt, b *ir.Buf) bool {
	index, nested := "", false
	ok := true
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Nest:
			nested = true
			ok = ok && !loads([]ir.Stmt{s}, b)
		case *ir.Store:
			ok = ok && (s.Buf != b || index == "" || nested && plainText(s.Index) == index)
			ok = ok && !loads([]ir.Stmt{s}, b)
		default:
			exprs(s, func(x ir.Expr) {
				if isLoad(x, b) {
					index = plainText(x.(*ir.Load).Index)
					ok = ok && !nested && index != ""
				}
			})
		}
	}
	return ok
}

// reduces adds a nest that the work-items of a group can share: its
// accumulators have neutral elements, and it stores nothing.
func (r *rowReduce) reduces(n *ir.Nest) bool {
	if n.Kind != ir.SegRed || len(n.Dims) > 0 || len(n.Red) == 0 || len(n.Accs) == 0 {
		return false
	}
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		if a.Neutral == nil || a.Combine == nil {
			return false
		}
		accs[a.Var] = true
	}
	flags := checkedSums(n)
	if flags == nil {
		return false
	}
	maps.Copy(r.sums, flags)
	for _, s := range n.Pre {
		if d, ok := s.(*ir.Decl); !ok || !accs[d.Var] {
			return false
		}
	}
	for _, s := range n.Post {
		if _, ok := s.(*ir.Assign); !ok {
			return false
		}
	}
	declared := map[*ir.Var]bool{}
	for _, s := range n.Pre {
		declared[s.(*ir.Decl).Var] = true
	}
	for v := range accs {
		if !declared[v] {
			return false
		}
	}
	u := usesOf(n.Body, dimVars(n.Red)...)
	if len(u.written) > len(u.local) {
		return false
	}
	for v := range u.assigned { // nothing but the accumulators and flags is carried
		if !u.inside[v] && !accs[v] && (v.Kind != ir.U8 || !onlyOred(n.Body, v)) {
			return false
		}
	}
	r.nests = append(r.nests, n)
	return true
}

// rereads reports whether one work-item stores to what all have read, so that barriers are for
// global memory, too.
func (k *kernel) rereads() bool {
	for b := range k.written {
		if k.read[b] {
			return true
		}
	}
	return false
}
