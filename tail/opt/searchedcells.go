package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// fewSearched is the longest known table that cells are looked up in one by one, as a
// few comparisons.
const fewSearched = 64

// lawCells looks all cells, or elements, up at once where a function does nothing with its
// cell but look its elements up in one array from outside, so that the run-time makes its
// table of that array once, and not for each cell.
//
//	cells[1](fn v:<int>8 => reduce(addi,0,indexof(d,v)),t)
//
// becomes
//
//	cells[1](fn p:<int>8 => reduce(addi,0,p),indexof(d,t))
//
// An element may have other uses:
//
//	each(fn v => addi(v,indexof(d,v)),t)    becomes    zipWith(fn v p => addi(v,p),t,indexof(d,t))
//
// Requires: simplified arguments. A function that calls itself stays, and one of cells that
// chooses: it may look up nothing.
func (s *simplifier) lawCells(e *tail.Apply) tail.Expr {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok || e.Op == tail.OpCells && e.Ks[0] == 0 || tail.RankOf(e.Args[1]) == 0 {
		return nil
	}
	v := f.Params[0]
	found, uses := soleSearch(f, v, e.Op == tail.OpEach)
	if found == nil {
		return nil
	}
	others := tail.Uses(f.Body)[v] != uses
	if others && (e.Op != tail.OpEach || !isAtom(e.Args[1]) || !analysis.SameExtents(tail.Extents(tail.TypeOf(e.Args[1])), tail.Extents(tail.TypeOf(e)))) {
		return nil
	}
	items, table := searchOperands(found)
	if n, known := tail.TypeOf(found.Args[table]).Extent(0).IsConst(); tail.RankOf(found.Args[table]) != 1 || known && n <= fewSearched {
		return nil
	}
	if n, known := elementCount(tail.TypeOf(e.Args[1])); known && n < fewFound {
		return nil
	}
	args := []tail.Expr{found.Args[0], found.Args[1]}
	args[items] = e.Args[1]
	if others {
		args[items] = tail.Copy(e.Args[1])
	}
	all, bad := tail.NewApply(found.Where, found.Op, found.Axis, found.Ks, args...)
	if bad != nil || !s.effects.Total(all) {
		return nil
	}
	p := s.variable("p", found.Ty)
	body := tail.Map(f.Body, func(x tail.Expr) tail.Expr {
		if isSearchOf(x, v) {
			return &tail.Ref{At: tail.At{Where: x.Span()}, Var: p}
		}
		return x
	})
	if others {
		g := &tail.Lam{At: f.At, Params: []*tail.Var{v, p}, Body: body}
		return &tail.Apply{At: e.At, Op: tail.OpZipWith, Args: []tail.Expr{g, e.Args[1], all}, Ty: e.Ty, Blame: e.Blame, Size: e.Size}
	}
	return e.WithArgs([]tail.Expr{&tail.Lam{At: f.At, Params: []*tail.Var{p}, Body: body}, all})
}

// searchOperands returns which arguments of a search are looked for, and where.
func searchOperands(e *tail.Apply) (items, table int) {
	if e.Op == tail.OpMember {
		return 0, 1
	}
	return 1, 0
}

// isSearchOf reports whether e looks the elements of v up.
func isSearchOf(e tail.Expr, v *tail.Var) bool {
	a, ok := e.(*tail.Apply)
	if !ok || a.Op != tail.OpIndexOf && a.Op != tail.OpMember {
		return false
	}
	items, _ := searchOperands(a)
	return tail.IsRef(a.Args[items], v)
}

// soleSearch returns the search for the elements of v in an array from outside of f, of
// which there may be several alike, and their number; nil where there are others, or
// where f calls, or chooses where it must not.
func soleSearch(f *tail.Lam, v *tail.Var, choosing bool) (found *tail.Apply, uses int) {
	free := tail.FreeVars(f)
	alike := true
	tail.Walk(f.Body, func(x tail.Expr) bool {
		switch x.(type) {
		case *tail.If:
			alike = alike && choosing
		case *tail.Call:
			alike = false
		}
		if !isSearchOf(x, v) {
			return alike
		}
		a := x.(*tail.Apply)
		_, table := searchOperands(a)
		r, ok := a.Args[table].(*tail.Ref)
		if !ok || !slices.Contains(free, r.Var) || found != nil && (found.Op != a.Op || !tail.IsRef(found.Args[table], r.Var)) {
			alike = false
			return false
		}
		found, uses = a, uses+1
		return true
	})
	if !alike {
		return nil, 0
	}
	return found, uses
}
