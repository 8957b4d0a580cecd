package memory

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// place is where a statement is: its number in the order of the text, and that of the last
// one within it, its block, and the statement whose block that is, nil for the body of the
// function.
type place struct {
	stmt       ir.Stmt
	order, end int
	block      *[]ir.Stmt
	parent     *place
}

// within reports whether p is q, or in a block of it.
func (p *place) within(q *place) bool { return q.order <= p.order && p.order <= q.end }

// use is what a statement does with a buffer.
type use uint8

const (
	noUse use = iota
	declares
	frees
	loads
	stores
	passes // gives it to a function, which reads it
	hands  // lets another name have its storage, or gets it from elsewhere
)

// access is a use of a buffer at a place.
type access struct {
	at *place
	do use
}

// accesses are all uses of the buffers of a function, in the order of the text.
type accesses struct {
	of       map[*ir.Buf][]access
	copies   []*place              // of statements that copy arrays
	swaps    []*place              // of those that exchange them
	ahead    map[ir.Stmt][]ir.Stmt // what statements are to have before them
	leaves   []*place              // of statements that leave a loop or the function
	declared map[*ir.Var]*place
	assigned map[*ir.Var][]*place
	once     map[*ir.Var]ir.Expr
	changed  map[*ir.Var]bool
	count    int
	body     []ir.Stmt
}

// accessesOf surveys a function.
func accessesOf(f *ir.Func) *accesses {
	a := &accesses{body: f.Body, of: map[*ir.Buf][]access{}, ahead: map[ir.Stmt][]ir.Stmt{}, declared: map[*ir.Var]*place{}, assigned: map[*ir.Var][]*place{}}
	a.once, a.changed = flow.DefinedOnce(f)
	start := &place{}
	for _, p := range f.Params {
		if p.Buf != nil {
			a.of[p.Buf] = append(a.of[p.Buf], access{start, hands})
		}
		if p.Scalar != nil {
			a.declared[p.Scalar] = start
		}
		a.extents(p.Dims, start)
	}
	a.walk(&f.Body, nil)
	end := &place{order: a.count + 1}
	for _, r := range f.Results {
		if r.Buf != nil {
			a.of[r.Buf] = append(a.of[r.Buf], access{end, hands})
		}
	}
	return a
}

func (a *accesses) walk(block *[]ir.Stmt, parent *place) {
	for _, s := range *block {
		a.count++
		p := &place{stmt: s, order: a.count, block: block, parent: parent}
		a.note(p)
		for _, inner := range ir.Blocks(s) {
			a.walk(inner, p)
		}
		p.end = a.count
	}
}

// note notes what the statement at p does itself.
func (a *accesses) note(p *place) {
	for _, x := range ir.Exprs(p.stmt) {
		if x != nil {
			ir.EachLoad(x, func(b *ir.Buf) { a.add(b, p, loads) })
		}
	}
	switch s := p.stmt.(type) {
	case *ir.Decl:
		a.declared[s.Var] = p
	case *ir.Assign:
		a.assign(p, s.Var)
	case *ir.Checked:
		a.assign(p, s.Var, s.Flag)
	case *ir.For:
		a.declared[s.Var] = p
	case *ir.Filter:
		a.declared[s.Var] = p
		a.assign(p, s.Count)
		a.add(s.Dst, p, stores)
	case *ir.Nest:
		for _, d := range slices.Concat(s.Dims, s.Red) {
			a.declared[d.Var] = p
		}
		if copied(s) != nil || rotates(s) != nil {
			a.copies = append(a.copies, p)
		}
	case *ir.DeclBuf:
		a.add(s.Buf, p, declares)
	case *ir.Free:
		a.add(s.Buf, p, frees)
	case *ir.Store:
		a.add(s.Buf, p, stores)
	case *ir.Copy:
		a.copies = append(a.copies, p)
		a.add(s.Src, p, loads)
		a.add(s.Dst, p, stores)
	case *ir.Micro:
		a.add(s.A, p, loads)
		a.add(s.B, p, loads)
		a.add(s.C, p, stores)
	case *ir.Call:
		a.passed(p, s.Args)
		a.made(p, s.Results)
	case *ir.Runtime:
		for _, x := range s.Args {
			if x.Array != nil {
				a.passed(p, []ir.Array{*x.Array})
			}
		}
		a.made(p, s.Results)
	case *ir.BreakIf, *ir.Return:
		a.leaves = append(a.leaves, p)
	case *ir.Swap:
		a.swaps = append(a.swaps, p)
		a.add(s.A, p, hands)
		a.add(s.B, p, hands)
	default:
		ir.Buffers(s, func(b *ir.Buf) { a.add(b, p, hands) })
	}
}

func (a *accesses) passed(p *place, args []ir.Array) {
	for _, x := range args {
		if x.Buf != nil {
			a.add(x.Buf, p, passes)
		}
	}
}

func (a *accesses) made(p *place, results []ir.Array) {
	for _, r := range results {
		if r.Scalar != nil {
			a.declared[r.Scalar] = p
		}
		a.extents(r.Dims, p)
		if r.Buf != nil {
			a.add(r.Buf, p, hands)
		}
	}
}

// extents notes the variables that extents are.
func (a *accesses) extents(dims []ir.Expr, p *place) {
	for _, d := range dims {
		if u, ok := d.(*ir.Use); ok {
			a.declared[u.Var] = p
		}
	}
}

func (a *accesses) assign(p *place, vars ...*ir.Var) {
	for _, v := range vars {
		a.assigned[v] = append(a.assigned[v], p)
	}
}

func (a *accesses) add(b *ir.Buf, p *place, do use) { a.of[b] = append(a.of[b], access{p, do}) }

// declaration returns the one statement that declares b, with storage of its own.
func (a *accesses) declaration(b *ir.Buf) (*place, *ir.DeclBuf) {
	var at *place
	for _, x := range a.of[b] {
		if x.do != declares {
			continue
		}
		if at != nil {
			return nil, nil
		}
		at = x.at
	}
	if at == nil || b.Const {
		return nil, nil
	}
	d := at.stmt.(*ir.DeclBuf)
	if d.Count == nil {
		return nil, nil
	}
	return at, d
}

// value writes x in terms of variables that are not set once to a value.
func (a *accesses) value(x ir.Expr) ir.Expr { return a.valueTo(x, 8) }

func (a *accesses) valueTo(x ir.Expr, depth int) ir.Expr {
	if u, ok := x.(*ir.Use); ok {
		if init := a.once[u.Var]; init != nil && depth > 0 && ir.IsLoadFree(init) {
			return a.valueTo(init, depth-1)
		}
		return x
	}
	return ir.MapOperands(x, func(y ir.Expr) ir.Expr { return a.valueTo(y, depth) })
}

// steadyAt reports whether the variables of x are declared before a place, and not set
// again.
func (a *accesses) steadyAt(x ir.Expr, p *place) bool {
	ok := ir.IsLoadFree(x)
	ir.EachUse(x, func(v *ir.Var) {
		d := a.declared[v]
		ok = ok && !a.changed[v] && d != nil && d.order < p.order
	})
	return ok
}

// countsAlone reports whether the counter of a filter begins with 0, and nothing else
// uses it.
func (a *accesses) countsAlone(p *place, s *ir.Filter) bool {
	at := a.declared[s.Count]
	if at == nil || at.block != p.block || at.order > p.order || len(a.assigned[s.Count]) != 1 {
		return false
	}
	d, ok := at.stmt.(*ir.Decl)
	if !ok || d.Init == nil || !ir.IsInt(d.Init, 0) {
		return false
	}
	uses := 0
	ir.Walk(a.body, func(x ir.Stmt) {
		for _, y := range ir.Exprs(x) {
			ir.EachUse(y, func(v *ir.Var) {
				if v == s.Count {
					uses++
				}
			})
		}
	})
	return uses == 1 // by the filter
}
