package clgen

import (
	"maps"
	"slices"

	"github.com/tailor-lang/tailor/laila/ir"
)

// A map each of whose points is a reduction,
//
//	segmap i = 0 … n
//	  acc = 0
//	  segred j = 0 … m: acc = acc + a[i×m+j]
//	  b[i] = acc
//
// is a segmented reduction. On a GPU it has four shapes, of which FCL's foldRows, foldRowsOrdered or
// rowsBy chooses one by the number of segments and their length:
//
//	NAME          a work-item a segment: many segments, or short ones
//	NAME_slice    several segments a work-group
//	NAME_group    a work-group a segment, with a tree in local memory
//	NAME_part,    several work-groups a segment, which leave partial results,
//	NAME_rows     and a work-group a segment, which joins these
//
// In these each statement before the last reduction is executed by all work-items of a
// segment, and what is behind it, and stores, by one.

// rowReduce is what is known of the points of a segmented reduction.
type rowReduce struct {
	body  []ir.Stmt // with nests that the work-items of a group share
	nests []*ir.Nest
	sums  map[*ir.Var]*ir.Var // flags of checked sums by accumulator
}

// red returns the axes of the reductions, which have one space.
func (r *rowReduce) red() []ir.Dim { return r.nests[0].Red }

// single reports whether all that work-items share of a segment is one reduction.
func (r *rowReduce) single() bool {
	return len(r.nests) == 1 && !slices.ContainsFunc(r.body[:slices.Index(r.body, ir.Stmt(r.nests[0]))], func(s ir.Stmt) bool {
		_, store := s.(*ir.Store)
		return store
	})
}

// divisible reports whether several work-groups can share a segment.
func (r *rowReduce) divisible() bool { return r.single() && !r.nests[0].Rounds() }

// findRows notes that the points of a kernel are reductions.
func (pl *planner) findRows(k *kernel) {
	if pl.plan.Schedule != Groups || k.shape != mapShape || k.trap != nil || len(k.more) > 0 || k.across != nil || k.product != nil {
		return
	}
	r := rowsOf(k.body, dimVars(k.dims))
	if r == nil {
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
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Decl:
			inside[s.Var] = true
		case *ir.Comment, *ir.Assign, *ir.Store:
		case *ir.If:
			if !scalars(s) {
				return nil
			}
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
	if !usesOf(body).repeatable() { // what one work-item stores the others do not read
		return nil
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

// reduces adds a nest that the work-items of a group can share: it folds, and stores nothing.
func (r *rowReduce) reduces(n *ir.Nest) bool {
	flags := folds(n)
	if flags == nil || len(n.Dims) > 0 || len(n.Pre) != len(n.Accs) {
		return false
	}
	u := usesOf(n.Body, dimVars(n.Red)...)
	if len(u.written) > len(u.local) {
		return false
	}
	maps.Copy(r.sums, flags)
	r.nests = append(r.nests, n)
	return true
}
