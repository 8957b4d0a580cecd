package opt

import "github.com/tailor-lang/tailor/tail"

// evenItems keeps items of equally many elements as the rows of a matrix, where the type
// of an item says how many these are and items are read one by one.
//
//	let l:<int>n = each(fn i:[int]0 => 2,iotaV(n)) in
//	let e:[int]1 = segments(fn i:[int]0 => [i,muli(i,i)],l) in
//	let s:<int>n = dropV(¯1,consV(0,scan(addi,l))) in
//	… take[1](index(l,j),drop[1](index(s,j),e)) …
//
// becomes
//
//	let e:[n,2]int = cells[0](fn i:[int]0 => [i,muli(i,i)],iota(tally(l))) in
//	… index(e,j,all()) …
//
// Requires: nothing. Preserves: types, effects. Leaves lets of places that nothing uses;
// run deadcode after.
func evenItems(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		d := &delays{wholes: wholes{defs: definitions(e)}, optimiser: o, reads: map[*tail.Var]*itemReads{}}
		d.find(e, 0)
		rows := map[*tail.Var]*tail.Var{}
		for v, r := range d.reads {
			t := tail.TypeOf(r.made.Args[0].(*tail.Lam).Body)
			if n, known := t.Extent(0).IsConst(); !known || n == 0 || r.items == 0 || r.items < r.refs {
				delete(d.reads, v)
			}
		}
		if len(d.reads) == 0 {
			return e
		}
		for v, r := range d.reads {
			rows[v] = d.variable(v.Name, d.rows(r).Type())
		}
		return tail.Map(e, func(e tail.Expr) tail.Expr {
			switch e := e.(type) {
			case *tail.Let:
				if s, ok := e.Bind.(*tail.Apply); ok && rows[e.Var] != nil {
					return &tail.Let{At: e.At, Var: rows[e.Var], Bind: d.rows(&itemReads{made: s}), Body: e.Body}
				}
				if d.begins(e.Bind) {
					return e.Body
				}
			case *tail.Apply:
				if r, i := d.item(e); r != nil {
					all := d.wholes.made(e.Args[1], tail.OpDrop).Args[1].(*tail.Ref)
					m := &tail.Ref{At: all.At, Var: rows[all.Var]}
					read := mustApply(e.Where, tail.OpIndex, m, tail.Copy(i), mustApply(e.Where, tail.OpAll))
					read.Blame = e.Blame
					return read
				}
			}
			return e
		})
	})
}

// rows are the items as a matrix.
func (d *delays) rows(r *itemReads) *tail.Apply {
	at := r.made.Where
	numbers := mustApply(at, tail.OpIota, mustApply(at, tail.OpTally, tail.Copy(r.made.Args[1])))
	cells, bad := tail.NewApply(at, tail.OpCells, 0, []int{0}, tail.Copy(r.made.Args[0]), numbers)
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	cells.Blame = r.made.Blame
	return cells
}
