package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// An item that a function gives as a part of a vector that is there before, as {1↓⍵} and
// ⊃ of items, and ⊆ of lines, do, is not copied: what is stored of it is where it lies.
//
//	{1↓⍵}¨x   the elements of x, other offsets, and lengths that are less by 1

// lie says that a vector lies in another one; base is nil where it is empty, so that it
// lies anywhere. The function makes the pair of how many elements of base are before it and
// how many it has, which is 0 where nobody asks.
type lie struct {
	base tail.Expr
	pair func(counted bool) tail.Expr
}

// lies finds where the results of the function whose block is the current one lie in vectors
// of outside. The definitions of its variables are those of its lets, and of lets in them.
type lies struct {
	g     *infer
	s     site
	inner map[*tail.Var]tail.Expr
}

// enter notes the lets of the current block.
func (l *lies) enter() {
	for _, x := range l.g.lets {
		l.inner[x.v] = x.e
	}
}

// of is where e lies, nil where that is not known.
func (l *lies) of(e tail.Expr) *lie {
	switch e := e.(type) {
	case *tail.Ref:
		return l.ofVar(e)
	case *tail.Proj:
		if l.isOutside(e) {
			return l.whole(e)
		}
		if r, ok := e.X.(*tail.Ref); ok {
			if t, ok := l.inner[r.Var].(*tail.Tuple); ok {
				return l.of(t.Elems[e.I])
			}
		}
	case *tail.Let:
		l.inner[e.Var] = e.Bind
		if x := l.of(e.Body); x != nil {
			return &lie{x.base, func(counted bool) tail.Expr {
				return &tail.Let{At: e.At, Var: e.Var, Bind: e.Bind, Body: x.block(l.g, counted)}
			}}
		}
	case *tail.If:
		return l.ofIf(e)
	case *tail.Call:
		return l.ofCall(e)
	case *tail.Lit:
		if tail.IsRank(e.Ty, 1) && e.Value.Len() == 0 {
			return &lie{nil, func(bool) tail.Expr { return l.both(l.g.intLit(l.s, 0), l.g.intLit(l.s, 0)) }}
		}
	case *tail.Apply:
		x := l.ofPart(e)
		if x != nil && e.Op == tail.OpIndex && !l.g.isSafe(e) { // which may fault
			return &lie{x.base, func(counted bool) tail.Expr {
				l.g.effect(e)
				return x.pair(counted)
			}}
		}
		return x
	}
	return nil
}

// isOutside reports whether a component of a tuple is one of a variable of outside.
func (l *lies) isOutside(e *tail.Proj) bool {
	switch x := e.X.(type) {
	case *tail.Ref:
		_, inner := l.inner[x.Var]
		return !inner
	case *tail.Proj:
		return l.isOutside(x)
	}
	return false
}

// block is the pair in a block of its own.
func (x *lie) block(g *infer, counted bool) tail.Expr {
	return g.block(func() tail.Expr { return x.pair(counted) })
}

func (l *lies) both(from, count tail.Expr) tail.Expr {
	return &tail.Tuple{Elems: []tail.Expr{from, count}}
}

// whole is where a vector of outside lies in itself.
func (l *lies) whole(e tail.Expr) *lie {
	return &lie{e, func(bool) tail.Expr { return l.both(l.g.intLit(l.s, 0), l.g.op(tail.OpTally, l.s, e)) }}
}

// ofVar is where the value of a variable lies. One that guards choose is bound to the part
// that it is, so that they are evaluated once.
func (l *lies) ofVar(r *tail.Ref) *lie {
	e, inner := l.inner[r.Var]
	if !inner {
		return l.whole(r)
	}
	switch e.(type) {
	case nil:
		return nil
	case *tail.If, *tail.Let, *tail.Call:
		return l.rebound(r.Var, e)
	case *tail.Apply:
		return l.ofPart(e.(*tail.Apply))
	}
	return l.of(e)
}

// rebound makes a variable of the block the part at a place that is computed before it.
func (l *lies) rebound(v *tail.Var, e tail.Expr) *lie {
	g := l.g
	for i, x := range g.lets {
		if x.v != v {
			continue
		}
		found := l.of(e)
		if found == nil || found.base == nil {
			return nil
		}
		rest := append([]let{}, g.lets[i+1:]...)
		g.lets = g.lets[:i]
		place := g.name(found.pair(true))
		parts := g.components(place)
		l.enter()
		e := g.partAt(found.base, parts[0], parts[1], l.s)
		g.lets = append(append(g.lets, let{v, e}), rest...)
		g.known[v] = &bound{e: e}
		l.inner[v] = e
		return &lie{found.base, func(bool) tail.Expr { return place }}
	}
	return nil
}

// ofIf is where the result of branches lies that lie in one vector.
func (l *lies) ofIf(e *tail.If) *lie {
	then := l.of(e.Then)
	if then == nil {
		return nil
	}
	els := l.of(e.Else)
	if els == nil || then.base != nil && els.base != nil && !sameAtom(then.base, els.base) {
		return nil
	}
	base := then.base
	if base == nil {
		base = els.base
	}
	return &lie{base, func(counted bool) tail.Expr {
		n := tail.Scalar(array.Int)
		return &tail.If{At: e.At, Cond: e.Cond, Then: then.block(l.g, counted), Else: els.block(l.g, counted), Ty: &tail.TupleType{Elems: []tail.Type{n, n}}}
	}}
}

// maxLie is how large a function is whose body is looked at.
const maxLie = 60

// ofCall is where lies what a function of the program gives.
func (l *lies) ofCall(e *tail.Call) *lie {
	if x := l.inlined(e); x != nil {
		return l.of(x)
	}
	return nil
}

// inlined is the body of a function that is called and not large; else nil.
func (l *lies) inlined(e *tail.Call) tail.Expr {
	if e.Fn.Recursive || e.Fn.Body == nil || e.Fn.Body.Type() == nil || l.g.blamed != nil {
		return nil
	}
	n := 0
	tail.Walk(e.Fn.Body, func(tail.Expr) bool { n++; return n <= maxLie })
	if n > maxLie {
		return nil
	}
	vars := map[*tail.Var]tail.Expr{}
	for i, p := range e.Fn.Params {
		if !atomic(e.Args[i]) {
			return nil
		}
		vars[p] = e.Args[i]
	}
	return tail.CopyWith(e.Fn.Body, vars, nil)
}

// ofPart is where what ↑, ↓ and an index of neighbours give lies.
func (l *lies) ofPart(e *tail.Apply) *lie {
	if e.Op == tail.OpIndex && len(e.Args) == 2 {
		return l.ofRun(e)
	}
	if e.Op != tail.OpTake && e.Op != tail.OpDrop || !tail.IsRank(tail.TypeOf(e), 1) {
		return nil
	}
	g, s := l.g, l.s
	n, known := l.count(e.Args[0])
	if n == nil || e.Op == tail.OpTake && !e.Within() && (!known || g.value(n).Int(0) != 0) {
		return nil
	}
	x := l.of(e.Args[1])
	if x == nil {
		return nil
	}
	return &lie{x.base, func(counted bool) tail.Expr {
		parts := g.components(x.pair(e.Op == tail.OpDrop && (counted || !e.Within())))
		from, count := parts[0], parts[1]
		switch {
		case e.Op == tail.OpTake:
			return l.both(from, n)
		case !counted && e.Within():
			return l.both(l.sum(from, n), count)
		}
		after, left := n, n // how many are dropped before, and in all
		switch {
		case e.Within():
		case !known:
			left = g.name(g.op(tail.OpMinI, s, count, g.op(tail.OpMaxI, s, n, g.op(tail.OpNegI, s, count))))
			after = g.name(g.op(tail.OpMaxI, s, left, g.intLit(s, 0)))
			left = g.name(g.op(tail.OpAbsI, s, left))
		case g.value(n).Int(0) >= 0:
			after = g.name(g.op(tail.OpMinI, s, n, count))
			left = after
		default:
			after = g.intLit(s, 0)
			left = g.name(g.op(tail.OpMinI, s, g.intLit(s, -int(g.value(n).Int(0))), count))
		}
		return l.both(l.sum(from, after), g.name(g.op(tail.OpSubI, s, count, left)))
	}}
}

// ofRun is where x[i+⍳n] lies.
func (l *lies) ofRun(e *tail.Apply) *lie {
	if t, ok := e.Args[1].Type().(*tail.Array); !ok || !tail.IsRank(t, 1) {
		return nil
	}
	more, first, count := l.run(e.Args[1])
	if count == nil {
		return nil
	}
	x := l.of(e.Args[0])
	if x == nil || x.base == nil {
		return nil
	}
	return &lie{x.base, func(bool) tail.Expr {
		from := l.g.components(x.pair(false))[0]
		for _, n := range more {
			from = l.sum(from, n)
		}
		return l.both(l.sum(from, l.g.intLit(l.s, first-1)), l.g.name(count))
	}}
}

// run is of a vector of numbers of which each is greater by 1 than the one before what the
// first is the sum of, and how many there are; of others, no count.
func (l *lies) run(e tail.Expr) (more []tail.Expr, first int, count tail.Expr) {
	switch e := e.(type) {
	case *tail.Ref:
		if x := l.definition(e.Var); x != nil {
			return l.run(x)
		}
	case *tail.Lit:
		for i := range e.Value.Len() {
			if e.Value.Elem != array.Int || e.Value.Int(i) != e.Value.Int(0)+int64(i) {
				return nil, 0, nil
			}
		}
		if e.Value.Len() > 0 {
			return nil, int(e.Value.Int(0)), l.g.intLit(l.s, e.Value.Len())
		}
	case *tail.Apply:
		switch {
		case e.Op == tail.OpIota && atomic(e.Args[0]):
			return nil, 1, e.Args[0]
		case e.Op == tail.OpIota:
			return nil, 1, l.g.op(tail.OpTally, l.s, e)
		case e.Op == tail.OpEach:
			more, first, count = l.run(e.Args[1])
			lam := e.Args[0].(*tail.Lam)
			a, ok := lam.Body.(*tail.Apply)
			if count == nil || !ok || a.Op != tail.OpAddI {
				return nil, 0, nil
			}
			n := a.Args[0]
			if tail.IsRef(n, lam.Params[0]) {
				n = a.Args[1]
			} else if !tail.IsRef(a.Args[1], lam.Params[0]) {
				return nil, 0, nil
			}
			if k, ok := tail.ConstInt(n); ok {
				return more, first + int(k), count
			}
			if r, ok := n.(*tail.Ref); ok && r.Var != lam.Params[0] {
				return append(more, n), first, count
			}
		}
	}
	return nil, 0, nil
}

// definition is what a variable is bound to, if that is known.
func (l *lies) definition(v *tail.Var) tail.Expr {
	if e, inner := l.inner[v]; inner {
		return e
	}
	if b := l.g.known[v]; b != nil {
		return b.e
	}
	return nil
}

// sum is where the part begins of which some more elements are before it.
func (l *lies) sum(from, more tail.Expr) tail.Expr {
	if n, ok := tail.ConstInt(from); ok && n == 0 {
		return more
	}
	if n, ok := tail.ConstInt(more); ok && n == 0 {
		return from
	}
	return l.g.name(l.g.op(tail.OpAddI, l.s, from, more))
}

// count is the scalar that the left argument of ↑ or ↓ is, nil where that is not plain, and
// whether it is known.
func (l *lies) count(e tail.Expr) (tail.Expr, bool) {
	t := tail.TypeOf(e)
	if a := l.g.value(e); a != nil && a.Len() == 1 && a.Elem == array.Int {
		return l.g.intLit(l.s, int(a.Int(0))), true
	}
	if t.Elem != array.Int {
		return nil, false
	}
	switch e := e.(type) {
	case *tail.Vec:
		if len(e.Elems) == 1 && atomic(e.Elems[0]) {
			return e.Elems[0], false
		}
	case *tail.Ref:
		if tail.IsRank(t, 0) {
			return e, false
		}
		if d := l.inner[e.Var]; d != nil {
			return l.count(d)
		}
	}
	return nil, false
}

// sameAtom reports whether two atoms are the same variable, or component of one.
func sameAtom(x, y tail.Expr) bool {
	switch x := x.(type) {
	case *tail.Ref:
		r, ok := y.(*tail.Ref)
		return ok && r.Var == x.Var
	case *tail.Proj:
		p, ok := y.(*tail.Proj)
		return ok && p.I == x.I && sameAtom(x.X, p.X)
	}
	return false
}

// partAt is the part of a vector from an offset on.
func (g *infer) partAt(y, from, length tail.Expr, s site) tail.Expr {
	within := []int{1}
	rest := g.name(g.opWith(tail.OpDrop, s, 0, within, from, y))
	return g.opWith(tail.OpTake, s, 0, within, length, rest)
}

// placed are the results that f gives for the elements of a vector, gathered, with the pairs
// of where they lie for vectors that lie in others. The vectors of the results are in these
// others, in order, or nil.
func (g *infer) placed(y tail.Expr, f change, s site) (all tail.Expr, bases []tail.Expr) {
	tight := false
	all = g.gathered(y, func(x tail.Expr) tail.Expr {
		e := f(x)
		if IsRagged(e.Type()) {
			e = g.name(e)
		}
		l := &lies{g: g, s: s, inner: map[*tail.Var]tail.Expr{}}
		l.enter()
		tight = IsRagged(e.Type()) && l.areGathered(g.components(e))
		e, bases = l.places(e, e.Type())
		return e
	}, s)
	if r, ok := all.(*tail.Ref); ok && tight {
		g.tight[r.Var] = true
	}
	return all, bases
}

// areGathered reports whether the elements of a ragged vector, whose parts these are, are
// those of its items, one behind the other, and no others.
func (l *lies) areGathered(parts []tail.Expr) bool {
	elements, ok1 := parts[0].(*tail.Proj)
	lengths, ok2 := parts[2].(*tail.Proj)
	if !ok1 || !ok2 || elements.I != 0 || lengths.I != 1 || !sameAtom(elements.X, lengths.X) {
		return false
	}
	r, ok := elements.X.(*tail.Ref)
	if !ok {
		return false
	}
	a, ok := l.definition(r.Var).(*tail.Apply)
	return ok && a.Op == tail.OpItems && l.areOwn(parts)
}

// places is an item with the pairs of where they lie in place of vectors that lie in others,
// and these, with nil for other vectors.
func (l *lies) places(e tail.Expr, t tail.Type) (tail.Expr, []tail.Expr) {
	if t, ok := t.(*tail.TupleType); ok {
		return l.placesIn(e, t)
	}
	if tail.RankOf(e) == 0 {
		return e, nil
	}
	if x := l.of(e); x != nil && x.base != nil {
		return x.pair(true), []tail.Expr{x.base}
	}
	return e, []tail.Expr{nil}
}

// placesIn is places of a tuple. In branches its vectors lie in the same ones, or are copied:
// a nested vector has no elements then but those of its items.
func (l *lies) placesIn(e tail.Expr, t *tail.TupleType) (tail.Expr, []tail.Expr) {
	switch e := l.moved(e).(type) {
	case *tail.Let:
		l.inner[e.Var] = e.Bind
		var bases []tail.Expr
		body := l.g.block(func() (z tail.Expr) { z, bases = l.places(e.Body, t); return z })
		return &tail.Let{At: e.At, Var: e.Var, Bind: e.Bind, Body: body}, bases
	case *tail.If:
		var bases, others []tail.Expr
		then := l.g.block(func() (z tail.Expr) { z, bases = l.places(e.Then, t); return z })
		els := l.g.block(func() (z tail.Expr) { z, others = l.places(e.Else, t); return z })
		same := slices.EqualFunc(bases, others, func(x, y tail.Expr) bool { return x == nil && y == nil || sameAtom(x, y) })
		if ty, ok := joinTypes(then.Type(), els.Type()); ok && same {
			return &tail.If{At: e.At, Cond: e.Cond, Then: then, Else: els, Ty: ty}, bases
		}
		return l.ownedIf(e, t), make([]tail.Expr, len(bases))
	case *tail.Call:
		if x := l.inlined(e); x != nil {
			z, bases := l.placesIn(x, t)
			if hasRagged(t) || slices.ContainsFunc(bases, func(x tail.Expr) bool { return x != nil }) {
				return z, bases
			}
		}
		return l.owned(e, t), make([]tail.Expr, vectorsIn(t))
	case *tail.Ref:
		if x, inner := l.inner[e.Var]; inner {
			if _, ok := x.(*tail.Tuple); !ok {
				return l.owned(e, t), make([]tail.Expr, vectorsIn(t))
			}
		}
	}
	z := &tail.Tuple{At: tail.At{Where: e.Span()}}
	var bases []tail.Expr
	parts := l.g.components(e)
	l.enter()
	if IsRagged(t) && !l.areOwn(parts) {
		if x := l.of(parts[0]); x == nil || x.base == nil {
			z := &tail.Tuple{At: z.At, Elems: parts, Shape: t.Shape, Proto: t.Proto, Item: t.Item}
			parts = l.g.components(l.g.compacted(z, l.s))
			l.enter()
		}
	}
	for i, part := range parts {
		place, in := l.places(part, t.Elems[i])
		z.Elems, bases = append(z.Elems, l.g.name(place)), append(bases, in...)
	}
	return z, bases
}

// moved is what e is bound to where that is a conditional that nothing else uses, so that what
// is done with e can be done in its branches; else e.
func (l *lies) moved(e tail.Expr) tail.Expr {
	r, ok := e.(*tail.Ref)
	if t, strand := e.(*tail.Tuple); strand {
		r, ok = wholeOf(t.Elems)
	}
	if !ok || r == nil {
		return e
	}
	g := l.g
	for i, x := range g.lets {
		if x.v != r.Var {
			continue
		}
		switch x.e.(type) {
		case *tail.If, *tail.Call:
		default:
			return e
		}
		for _, later := range g.lets[i+1:] {
			if tail.Mentions(later.e, x.v) || analysis.Visible(later.e, g.isSafe) {
				return e
			}
		}
		g.lets = slices.Delete(g.lets, i, i+1)
		return x.e
	}
	return e
}

// wholeOf is the variable whose components, all of them and in order, some expressions are.
func wholeOf(parts []tail.Expr) (*tail.Ref, bool) {
	var whole *tail.Ref
	for i, e := range parts {
		p, ok := e.(*tail.Proj)
		if !ok || p.I != i {
			return nil, false
		}
		r, ok := p.X.(*tail.Ref)
		if !ok || whole != nil && r.Var != whole.Var {
			return nil, false
		}
		whole = r
	}
	return whole, whole != nil && len(whole.Var.Type.(*tail.TupleType).Elems) == len(parts)
}

// owned is an item of a type whose nested vectors have no elements but those of their items.
func (l *lies) owned(e tail.Expr, t tail.Type) tail.Expr {
	if !hasRagged(t) {
		return e
	}
	switch e := l.moved(e).(type) {
	case *tail.Call:
		if x := l.inlined(e); x != nil {
			return l.owned(x, t)
		}
	case *tail.Let:
		l.inner[e.Var] = e.Bind
		body := l.g.block(func() tail.Expr { return l.owned(e.Body, t) })
		return &tail.Let{At: e.At, Var: e.Var, Bind: e.Bind, Body: body}
	case *tail.If:
		return l.ownedIf(e, t)
	}
	parts := l.g.components(e)
	l.enter()
	tuple := t.(*tail.TupleType)
	z := &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: parts, Shape: tuple.Shape, Proto: tuple.Proto, Item: tuple.Item}
	switch {
	case IsRagged(t) && !l.areOwn(parts):
		return l.g.compacted(z, l.s)
	case IsRagged(t):
		return z
	}
	z.Elems = nil
	for i, part := range parts {
		z.Elems = append(z.Elems, l.owned(part, tuple.Elems[i]))
	}
	return z
}

// ownedIf is owned of a conditional.
func (l *lies) ownedIf(e *tail.If, t tail.Type) tail.Expr {
	then := l.g.block(func() tail.Expr { return l.owned(e.Then, t) })
	els := l.g.block(func() tail.Expr { return l.owned(e.Else, t) })
	ty, ok := joinTypes(then.Type(), els.Type())
	if !ok {
		return e
	}
	return &tail.If{At: e.At, Cond: e.Cond, Then: then, Else: els, Ty: ty}
}

// hasRagged reports whether a type is that of a ragged vector, or has one in it.
func hasRagged(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	return ok && (IsRagged(t) || slices.ContainsFunc(tuple.Elems, hasRagged))
}

// areOwn reports whether the offsets of a ragged vector, whose parts these are, are the
// running sums of its lengths, as they are where no items were chosen or turned.
func (l *lies) areOwn(parts []tail.Expr) bool {
	e := parts[1]
	for _, op := range []tail.Op{tail.OpDrop, tail.OpCons, tail.OpScan} {
		if r, ok := e.(*tail.Ref); ok {
			e = l.definition(r.Var)
		}
		a, ok := e.(*tail.Apply)
		if !ok || a.Op != op {
			return false
		}
		e = a.Args[len(a.Args)-1]
	}
	if r, ok := e.(*tail.Ref); ok && !sameAtom(e, parts[2]) {
		e = l.definition(r.Var)
	}
	return e != nil && sameAtom(e, parts[2])
}

// vectorsIn is how many arrays of rank 1 and more items of a type have.
func vectorsIn(t tail.Type) int {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case ok:
		n := 0
		for _, e := range tuple.Elems {
			n += vectorsIn(e)
		}
		return n
	case t.(*tail.Array).Dims() > 0:
		return 1
	}
	return 0
}

// partsOf are the elements, offsets and lengths of vectors that were placed, of which base
// holds those that lie in another one.
func (g *infer) partsOf(all, base tail.Expr, s site) []tail.Expr {
	parts := g.components(all)
	if base != nil {
		return []tail.Expr{base, parts[0], parts[1]}
	}
	offsets := g.name(g.fromPrelude(g.preludeClosure("offsets"), nil, parts[1], s))
	return []tail.Expr{parts[0], offsets, parts[1]}
}
