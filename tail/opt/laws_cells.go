package opt

import "github.com/tailor-lang/tailor/tail"

// sameCell returns what all elements of an array, or all its major cells, are, where e is one of
// them that is certainly there.
func (s *simplifier) sameCell(e *tail.Apply) tail.Expr {
	if !s.sure(e) {
		return nil
	}
	if filled := applied(s.defs, e.Args[0], tail.OpReshape); filled != nil && tail.RankOf(e) == 0 && tail.RankOf(filled.Args[1]) == 0 && isAtom(filled.Args[1]) {
		return tail.Copy(filled.Args[1])
	}
	made := applied(s.defs, e.Args[0], tail.OpEach)
	if made == nil {
		made = applied(s.defs, e.Args[0], tail.OpCells)
	}
	if made == nil {
		return nil
	}
	f, ok := made.Args[0].(*tail.Lam)
	if !ok || tail.RankOf(e) != tail.RankOf(f.Body) {
		return nil
	}
	switch x := f.Body.(type) {
	case *tail.Lit:
		return tail.Copy(x)
	case *tail.Vec:
		for _, y := range x.Elems {
			if _, ok := y.(*tail.Lit); !ok {
				return nil
			}
		}
		return tail.Copy(x)
	}
	return nil
}

// selected returns m/v where e is v[⍸m], or v[m/⍳≢v], which may have a name, as the numbers of the
// items that m keeps have.
func (s *simplifier) selected(e *tail.Apply) tail.Expr {
	v := e.Args[0]
	if len(e.Args) != 2 || tail.RankOf(v) != 1 || !isAtom(v) {
		return nil
	}
	if where, ok := e.Args[1].(*tail.Apply); ok && where.Op == tail.OpWhere {
		if tail.TypeOf(v).Extent(0).Equal(tail.TypeOf(where.Args[0]).Extent(0)) {
			return as(e, tail.OpCompress, 0, where.Args[0], v)
		}
		return nil
	}
	kept := applied(s.defs, e.Args[1], tail.OpCompress)
	if kept == nil || !isAtom(kept.Args[0]) || applied(s.defs, kept.Args[1], tail.OpIota) == nil {
		return nil
	}
	if m := kept.Args[0]; sameExtent(s.defs, m, v) && sameExtent(s.defs, m, kept.Args[1]) {
		return as(e, tail.OpCompress, 0, m, v)
	}
	return nil
}

// rowOfRavel returns row i of m for as many elements from there on in the ravel of m, as an item of
// the rows of a matrix is, where i is certainly a row.
//
//	take[1](c,drop[1](index(each(fn x => muli(c,x),each(fn y => addi(¯1,y),iotaV(n))),i),ravel(m)))
//	index(m,i,all())
func (s *simplifier) rowOfRavel(e *tail.Apply) tail.Expr {
	if e.Op != tail.OpTake || tail.RankOf(e.Args[0]) != 0 {
		return nil
	}
	rest := applied(s.defs, e.Args[1], tail.OpDrop)
	if rest == nil || tail.RankOf(rest.Args[0]) != 0 {
		return nil
	}
	ravel, start := applied(s.defs, rest.Args[1], tail.OpRavel), applied(s.defs, rest.Args[0], tail.OpIndex)
	if ravel == nil || start == nil || !s.reread(ravel.Args[0]) || tail.RankOf(ravel.Args[0]) != 2 || len(start.Args) != 2 || !isAtom(start.Args[1]) {
		return nil
	}
	m, i := ravel.Args[0], start.Args[1]
	width, known := tail.TypeOf(m).Extent(1).IsConst()
	if n, ok := tail.ConstInt(e.Args[0]); !known || !ok || n != width || !s.effects.Total(e.Args[0]) || !s.multiples(start.Args[0], width) {
		return nil
	}
	row := mustApply(e.Where, tail.OpIndex, tail.Copy(m), tail.Copy(i), mustApply(e.Where, tail.OpAll))
	if !s.sure(row) || !tail.Subtype(row.Type(), e.Ty) {
		return nil
	}
	row.Blame = e.Blame
	return row
}

// reread reports whether e is a variable, or its transposition.
func (s *simplifier) reread(e tail.Expr) bool {
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpTransp {
		e = a.Args[0]
	}
	_, ok := e.(*tail.Ref)
	return ok
}

// multiples reports whether e is 0 1 2 … multiplied by k.
func (s *simplifier) multiples(e tail.Expr, k int64) bool {
	times := applied(s.defs, e, tail.OpEach)
	if times == nil {
		return false
	}
	less := applied(s.defs, times.Args[1], tail.OpEach)
	return less != nil && applied(s.defs, less.Args[1], tail.OpIota) != nil && by(times.Args[0], tail.OpMulI, k) && by(less.Args[0], tail.OpAddI, -1)
}

// by reports whether a function is op with k on the left.
func by(f tail.Expr, op tail.Op, k int64) bool {
	lam, ok := f.(*tail.Lam)
	if !ok {
		return false
	}
	a, ok := lam.Body.(*tail.Apply)
	if !ok || a.Op != op {
		return false
	}
	n, known := tail.ConstInt(a.Args[0])
	return known && n == k && tail.IsRef(a.Args[1], lam.Params[0])
}
