package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// lengthsFirst takes items apart whose lengths are known without their elements: the
// lengths are computed first, so that places are made for all elements at once, and the
// elements where they belong.
//
//	let z:([int]1, <int>n) = items(fn i:[int]0 => reverse(iota(index(v,i))),n) in …
//
// becomes
//
//	let l:<int>n = each(fn i:[int]0 => index(v,i),iota(n)) in
//	let e:[int]1 = segments(fn i:[int]0 => reverse(iota(index(v,i))),l) in …
//
// with e and l for the components of z. Faults of a length come before those of elements
// of items that stand before it. Where only the lengths are used, they alone are
// computed.
//
// Requires: nothing. Preserves: types, effects. Leaves lets of elements that nothing
// uses; run deadcode after.
func lengthsFirst(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		l := &itemLengths{optimiser: o}
		return l.expr(e)
	})
}

type itemLengths struct{ *optimiser }

func (l *itemLengths) expr(e tail.Expr) tail.Expr {
	return tail.Map(e, func(e tail.Expr) tail.Expr {
		if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpCells {
			return l.longest(a)
		}
		let, ok := e.(*tail.Let)
		if !ok {
			return e
		}
		items, ok := let.Bind.(*tail.Apply)
		if !ok || items.Op != tail.OpItems {
			return e
		}
		if _, ok := items.Args[0].(*tail.Lam).Body.Type().(*tail.Array); !ok {
			return l.componentsApart(let, items)
		}
		if x := l.apart(let, items); x != nil {
			return x
		}
		return e
	})
}

// apart is a let of items, with elements and lengths by themselves; nil where the
// lengths depend on elements, or where the items are used as a whole.
func (l *itemLengths) apart(let *tail.Let, items *tail.Apply) tail.Expr {
	f := items.Args[0].(*tail.Lam)
	elements, lengths, ok := projections(let.Body, let.Var)
	if !ok || lengths+elements == 0 || l.effects.Of(f)&analysis.Impures != 0 {
		return nil
	}
	at := tail.At{Where: items.Where}
	i := &tail.Var{Name: f.Params[0].Name, Type: tail.Scalar(array.Int)}
	body := tail.CopyWith(f.Body, map[*tail.Var]tail.Expr{f.Params[0]: &tail.Ref{At: at, Var: i}}, nil)
	size := (&sizer{at: at.Where}).of(body)
	if size == nil {
		if elements > 0 || !l.effects.Total(f) {
			return nil
		}
		size = mustApply(at.Where, tail.OpTally, body)
	}
	n := l.variable("n", tail.Scalar(array.Int))
	numbers := mustApply(at.Where, tail.OpIota, &tail.Ref{At: at, Var: n})
	counts := l.variable("lengths", nil)
	each := mustApply(at.Where, tail.OpEach, &tail.Lam{At: at, Params: []*tail.Var{i}, Body: size}, numbers)
	counts.Type = each.Type()
	all := l.variable("items", nil)
	segments := mustApply(at.Where, tail.OpSegments, f, &tail.Ref{At: at, Var: counts})
	segments.Blame = items.Blame
	all.Type = segments.Type()
	parts := []*tail.Var{all, counts}
	rest := tail.Map(let.Body, func(e tail.Expr) tail.Expr {
		if p, ok := e.(*tail.Proj); ok {
			if r, ok := p.X.(*tail.Ref); ok && r.Var == let.Var {
				return &tail.Ref{At: p.At, Var: parts[p.I]}
			}
		}
		return e
	})
	return &tail.Let{At: let.At, Var: n, Bind: items.Args[1],
		Body: &tail.Let{At: let.At, Var: counts, Bind: each,
			Body: &tail.Let{At: let.At, Var: all, Bind: segments, Body: rest}}}
}

// longest is cells that are vectors with lengths that are known without the elements, with
// that of the longest computed first.
//
//	cells[0](fn i:[int]0 => iota(index(v,i)),x)
//
// becomes
//
//	let l:[int]0 = reduce(maxi,0,each(fn i:[int]0 => index(v,i),x)) in
//	cells[0](fn i:[int]0 => take(l,iota(index(v,i))),x)
func (l *itemLengths) longest(cells *tail.Apply) tail.Expr {
	f, x := cells.Args[0].(*tail.Lam), cells.Args[1]
	ty := tail.TypeOf(cells)
	if ty.Dims() != 2 || !tail.IsRank(tail.TypeOf(x), 1) || l.effects.Of(f)&analysis.Impures != 0 {
		return cells
	}
	if _, known := ty.Extent(1).IsConst(); known {
		return cells
	}
	i := &tail.Var{Name: f.Params[0].Name, Type: f.Params[0].Type}
	at := tail.At{Where: cells.Where}
	body := tail.CopyWith(f.Body, map[*tail.Var]tail.Expr{f.Params[0]: &tail.Ref{At: at, Var: i}}, nil)
	size := (&sizer{at: at.Where}).of(body)
	if size == nil || tail.Uses(size)[i] == 0 {
		return cells
	}
	all := l.variable("v", x.Type())
	x = &tail.Ref{At: at, Var: all}
	each := mustApply(at.Where, tail.OpEach, &tail.Lam{At: at, Params: []*tail.Var{i}, Body: size}, x)
	var most tail.Expr = mustApply(at.Where, tail.OpReduce, tail.NewOpLam(at.Where, tail.OpMaxI), tail.NewInt(at.Where, 0), each)
	if l.effects.Total(f) { // no cells have the extents that the result for a fill element has
		fill := tail.CopyWith(size, map[*tail.Var]tail.Expr{i: tail.NewLit(at.Where, array.New(tail.TypeOf(x).Elem))}, nil)
		none := mustApply(at.Where, tail.OpEqI, tail.NewInt(at.Where, 0), mustApply(at.Where, tail.OpTally, x))
		most = &tail.If{At: at, Cond: none, Then: fill, Else: most, Ty: tail.Scalar(array.Int)}
	}
	v := l.variable("l", tail.Scalar(array.Int))
	frames, last := unlet(f.Body, nil)
	padded := &tail.Lam{At: f.At, Params: f.Params, Body: rebuilt(frames, mustApply(at.Where, tail.OpTake, &tail.Ref{At: at, Var: v}, last))}
	return &tail.Let{At: at, Var: all, Bind: cells.Args[1],
		Body: &tail.Let{At: at, Var: v, Bind: most, Body: cells.WithArgs([]tail.Expr{padded, x})}}
}

// maxScalars is how large the function of a scalar is that is applied for that alone.
const maxScalars = 24

// componentsApart is a let of items that are tuples, of which all components but one are
// scalars that are found without loops, with an each for every scalar.
//
//	let z = items(fn i => (iota(i),subi(i,1),9),n) in … #0(#0(z)) … #1(z) …
//
// becomes
//
//	let v = n in
//	let x = each(fn i => subi(i,1),iota(v)) in
//	let w = items(fn i => iota(i),v) in … #0(w) … x …
func (l *itemLengths) componentsApart(let *tail.Let, items *tail.Apply) tail.Expr {
	f := items.Args[0].(*tail.Lam)
	frames, item := unlet(f.Body, nil)
	tuple, ok := item.(*tail.Tuple)
	if !ok || l.effects.Of(f)&analysis.Impures != 0 || tail.Uses(let.Body)[let.Var] != parts(let.Body, let.Var) {
		return let
	}
	rest := -1 // the component that is none of those scalars
	for k, e := range tuple.Elems {
		t, ok := e.Type().(*tail.Array)
		switch {
		case !ok:
			return let
		case tail.IsRank(t, 0) && isSmall(rebuilt(needed(frames, e), e)):
		case rest >= 0:
			return let
		default:
			rest = k
		}
	}
	at := tail.At{Where: items.Where}
	count := l.variable("n", tail.Scalar(array.Int))
	pruned := rest >= 0 || l.effects.Total(f) // else all have what may fault
	if !pruned && !isSmall(f.Body) {
		return let
	}
	component := func(k int) *tail.Lam {
		i := &tail.Var{Name: f.Params[0].Name, Type: tail.Scalar(array.Int)}
		e := tuple.Elems[k]
		kept := frames
		if k != rest && pruned {
			kept = needed(frames, e)
		}
		body := tail.CopyWith(rebuilt(kept, e), map[*tail.Var]tail.Expr{f.Params[0]: &tail.Ref{At: at, Var: i}}, nil)
		return &tail.Lam{At: at, Params: []*tail.Var{i}, Body: body}
	}
	made := make([]*tail.Let, len(tuple.Elems))
	body := tail.Map(let.Body, func(e tail.Expr) tail.Expr {
		p, ok := e.(*tail.Proj)
		if !ok || !tail.IsRef(p.X, let.Var) {
			return e
		}
		if made[p.I] == nil {
			var bind *tail.Apply
			if f := component(p.I); tail.RankOf(f.Body) == 0 {
				bind = mustApply(at.Where, tail.OpEach, f, mustApply(at.Where, tail.OpIota, &tail.Ref{At: at, Var: count}))
			} else {
				bind = mustApply(at.Where, tail.OpItems, f, &tail.Ref{At: at, Var: count})
			}
			bind.Blame = items.Blame
			made[p.I] = &tail.Let{At: let.At, Var: l.variable(let.Var.Name, bind.Type()), Bind: bind}
		}
		return &tail.Ref{At: p.At, Var: made[p.I].Var}
	})
	if rest >= 0 && made[rest] == nil && !l.effects.Total(f) {
		return let
	}
	for k, x := range made {
		if x != nil {
			x.Body = body
			body = x
			if items := x.Bind.(*tail.Apply); k == rest && items.Op == tail.OpItems {
				if apart := l.apart(x, items); apart != nil {
					body = apart
				}
			}
		}
	}
	return &tail.Let{At: let.At, Var: count, Bind: items.Args[1], Body: body}
}

// isSmall reports whether e has no loops and no calls, and few operations.
func isSmall(e tail.Expr) bool {
	size := 0
	tail.Walk(e, func(e tail.Expr) bool {
		_, loops := e.(*tail.Lam)
		_, calls := e.(*tail.Call)
		if size++; loops || calls {
			size = maxScalars + 1
		}
		return true
	})
	return size <= maxScalars
}

// needed returns the frames that e is computed from.
func needed(frames []letFrame, e tail.Expr) []letFrame {
	var out []letFrame
	uses := tail.Uses(e)
	for _, f := range slices.Backward(frames) {
		if uses[f.v] == 0 {
			continue
		}
		out = append(out, f)
		for v, n := range tail.Uses(f.bind) {
			uses[v] += n
		}
	}
	slices.Reverse(out)
	return out
}

// parts counts where e mentions components of v.
func parts(e tail.Expr, v *tail.Var) int {
	n := 0
	tail.Walk(e, func(e tail.Expr) bool {
		p, ok := e.(*tail.Proj)
		if ok && tail.IsRef(p.X, v) {
			n++
		}
		return true
	})
	return n
}

// projections counts the uses of the two components of v, and reports whether there are
// no others.
func projections(e tail.Expr, v *tail.Var) (first, second int, ok bool) {
	all := 0
	tail.Walk(e, func(e tail.Expr) bool {
		switch e := e.(type) {
		case *tail.Proj:
			if r, is := e.X.(*tail.Ref); is && r.Var == v {
				if e.I == 0 {
					first++
				} else {
					second++
				}
			}
		case *tail.Ref:
			if e.Var == v {
				all++
			}
		}
		return true
	})
	return first, second, all == first+second
}
