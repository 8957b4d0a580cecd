package opt

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// maxLiteral is the length of the longest vector of known values that simplify
// writes as a constant. Shapes are shorter; the data of a program stays.
const maxLiteral = 8

// simplify works out types again, from what is now known of arguments, and
// applies the laws of the ops (laws*.go). Values that the types know become
// constants. Lets are flattened: one in an argument, or in what a let binds,
// moves in front. Variables that stand for variables and small constants are
// substituted.
//
// Requires: nothing. Preserves: sharing. Leaves dead lets; run deadcode after.
//
//	let v1:[3,2]int = reshape([3,2],iotaV(5)) in
//	let v8:<int>3 = catV(dropV(1,shape(v1)),[1,2]) in
//	reverse(reverse(reshape(v8,v1)))
//
// becomes
//
//	let v1:[3,2]int = reshape([3,2],iotaV(5)) in
//	reshape([2,1,2],v1)
func simplify(o *optimiser) {
	for _, f := range o.p.Funcs {
		s := newSimplifier(o)
		s.bound(f.Params...)
		f.Body = s.expr(f.Body)
		if ty := f.Body.Type(); !f.Recursive && tail.Consistent(ty, f.Result) {
			f.Result = tail.Meet(ty, f.Result)
		}
	}
	o.p.Main = newSimplifier(o).expr(o.p.Main)
}

// simplifier rewrites one function.
type simplifier struct {
	*optimiser
	subst map[*tail.Var]tail.Expr // variables that are replaced, by an atom
	defs  map[*tail.Var]tail.Expr // what lets bind
	// sizes are size variables that types of variables around bring in, with the sizes that
	// they turned out to be; themselves for others.
	sizes   map[string]tail.Size
	renamed int // of sizes, those that are others
}

func newSimplifier(o *optimiser) *simplifier {
	return &simplifier{optimiser: o, subst: map[*tail.Var]tail.Expr{}, defs: map[*tail.Var]tail.Expr{}, sizes: map[string]tail.Size{}}
}

// frame is a let without its body.
type letFrame struct {
	at   tail.At
	v    *tail.Var
	bind tail.Expr
}

// rebuilt puts lets around e.
func rebuilt(frames []letFrame, e tail.Expr) tail.Expr {
	if n := len(frames) - 1; n >= 0 {
		if r, ok := e.(*tail.Ref); ok && r.Var == frames[n].v && tail.Subtype(frames[n].bind.Type(), r.Var.Type) {
			frames, e = frames[:n], frames[n].bind
		}
	}
	for i := len(frames) - 1; i >= 0; i-- {
		e = &tail.Let{At: frames[i].at, Var: frames[i].v, Bind: frames[i].bind, Body: e}
	}
	return e
}

// unlet takes the lets off e.
func unlet(e tail.Expr, frames []letFrame) ([]letFrame, tail.Expr) {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			return frames, e
		}
		frames = append(frames, letFrame{let.At, let.Var, let.Bind})
		e = let.Body
	}
}

// letwise rewrites e: what a let binds by expr before what uses it, where named
// gives the lets to make of it, then the operands of what is left, and that by
// apply.
func letwise(e tail.Expr, expr func(tail.Expr) tail.Expr, named func(letFrame) []letFrame, apply func(*tail.Apply) tail.Expr) tail.Expr {
	var frames []letFrame
	for let, ok := e.(*tail.Let); ok; let, ok = e.(*tail.Let) {
		frames = append(frames, named(letFrame{let.At, let.Var, expr(let.Bind)})...)
		e = let.Body
	}
	e = tail.MapChildren(e, expr)
	if a, ok := e.(*tail.Apply); ok {
		e = apply(a)
	}
	for i := len(frames) - 1; i >= 0; i-- {
		e = &tail.Let{At: frames[i].at, Var: frames[i].v, Bind: frames[i].bind, Body: e}
	}
	return e
}

// isAtom reports whether e may be duplicated at no cost.
func isAtom(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Ref:
		return true
	case *tail.Lit:
		return e.Value.Rank() == 0 || e.Value.Rank() == 1 && e.Value.Len() <= maxLiteral
	case *tail.Apply:
		return e.Op == tail.OpAll
	}
	return false
}

func (s *simplifier) expr(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Lit:
		return e
	case *tail.Ref:
		if x, ok := s.subst[e.Var]; ok {
			return x
		}
		return s.known(e)
	case *tail.Let:
		return s.lets(e)
	case *tail.Vec:
		return s.floated(e.Elems, func(es []tail.Expr) tail.Expr { return s.vec(e, es) })
	case *tail.Apply:
		return s.apply(e)
	case *tail.Lam:
		for _, p := range e.Params {
			p.Type = s.resized(p.Type)
		}
		defer s.bound(e.Params...)()
		return &tail.Lam{At: e.At, Params: e.Params, Body: s.expr(e.Body)}
	case *tail.Call:
		return s.floated(e.Args, func(args []tail.Expr) tail.Expr {
			ty := s.resized(e.Ty)
			if result := tail.ConstantPart(e.Fn.Result); tail.Consistent(ty, result) {
				ty = tail.Meet(ty, result)
			}
			return &tail.Call{At: e.At, Fn: e.Fn, Args: args, Ty: ty}
		})
	case *tail.If:
		return s.conditional(e)
	case *tail.Tuple:
		return s.floated(e.Elems, func(es []tail.Expr) tail.Expr { return &tail.Tuple{At: e.At, Elems: es} })
	case *tail.Proj:
		return s.projection(e)
	}
	panic("internal error: unknown expression")
}

func (s *simplifier) lets(e tail.Expr) tail.Expr {
	var frames []letFrame
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		var bind tail.Expr
		frames, bind = unlet(s.expr(let.Bind), frames)
		frames, bind = s.components(bind, frames)
		let.Var.Type = s.resized(let.Var.Type)
		defer s.learn(let.Var.Type, bind.Type())()
		if s.define(let.Var, bind) {
			frames = append(frames, letFrame{let.At, let.Var, bind})
		}
		e = let.Body
	}
	frames, e = unlet(s.expr(e), frames)
	if n := len(frames); n > 0 && allOf(e, frames[n-1].v) {
		frames, e = frames[:n-1], frames[n-1].bind
	}
	return rebuilt(frames, e)
}

// allOf reports whether e is a tuple of all components of v, and so v.
func allOf(e tail.Expr, v *tail.Var) bool {
	t, ok := e.(*tail.Tuple)
	if !ok || !tail.Equal(t.Type(), v.Type) {
		return false
	}
	for i, x := range t.Elems {
		p, ok := x.(*tail.Proj)
		if !ok || p.I != i || !tail.IsRef(p.X, v) {
			return false
		}
	}
	return true
}

// components gives names to the components of a tuple that a let binds, each of which is
// used by itself then:
//
//	let t = (reverse(x),tally(x)) in #0(t)   becomes   let n = tally(x) in let v = reverse(x) in v
//
// The same goes for a vector and the scalar at one of its ends. The last component is
// computed first.
func (s *simplifier) components(bind tail.Expr, frames []letFrame) ([]letFrame, tail.Expr) {
	switch t := bind.(type) {
	case *tail.Tuple:
		named := *t
		frames, named.Elems = s.atoms(t.Elems, frames)
		return frames, &named
	case *tail.Apply:
		if (t.Op == tail.OpCons || t.Op == tail.OpSnoc) && tail.RankOf(t) == 1 {
			named := *t
			frames, named.Args = s.atoms(t.Args, frames)
			return frames, &named
		}
	}
	return frames, bind
}

// atoms gives names to those of some expressions that are no atoms.
func (s *simplifier) atoms(es []tail.Expr, frames []letFrame) ([]letFrame, []tail.Expr) {
	es = slices.Clone(es)
	for i, x := range slices.Backward(es) {
		if frames, x = s.components(x, frames); !isAtom(x) {
			v := s.variable("v", x.Type())
			s.define(v, x)
			frames = append(frames, letFrame{tail.At{Where: x.Span()}, v, x})
			x = &tail.Ref{At: tail.At{Where: x.Span()}, Var: v}
		}
		es[i] = x
	}
	return frames, es
}

// define takes note of what v is bound to. It reports whether the let is
// still needed.
func (s *simplifier) define(v *tail.Var, bind tail.Expr) bool {
	v.Type = s.resized(v.Type)
	if ty := bind.Type(); tail.Consistent(v.Type, ty) {
		v.Type = tail.Meet(ty, v.Type)
	}
	if isAtom(bind) && tail.Subtype(bind.Type(), v.Type) {
		s.subst[v] = bind
		return false
	}
	s.defs[v] = bind
	return true
}

// bound notes the size variables that the types of variables bring in, until the function
// that it returns is called.
func (s *simplifier) bound(vars ...*tail.Var) (undo func()) {
	undo = func() {}
	for _, v := range vars {
		before, here := undo, s.learn(v.Type, v.Type)
		undo = func() { here(); before() }
	}
	return undo
}

// learn notes the size variables that the type of a variable brings in, and what they are
// according to the type of what the variable is bound to, until the function that it returns
// is called.
//
//	let a:<int>m = reshape([tally(u)],0) in
//	let b:<int>n = a in power(fn x:<int>n => …,k,b)
//
// becomes
//
//	let a:<int>m = reshape([tally(u)],0) in power(fn x:<int>m => …,k,a)
func (s *simplifier) learn(ty, given tail.Type) (undo func()) {
	found := map[string]tail.Size{}
	if tail.Consistent(ty, given) {
		matchTypes(ty, given, found)
	}
	var names []string
	renamed := s.renamed
	eachSize(ty, func(size tail.Size) {
		for _, t := range size.Terms {
			if _, known := s.sizes[t.Var]; known {
				continue
			}
			own := tail.VarSize(t.Var)
			is, ok := found[t.Var]
			if !ok {
				is = own
			}
			if !is.Equal(own) {
				s.renamed++
			}
			s.sizes[t.Var] = is
			names = append(names, t.Var)
		}
	})
	return func() {
		for _, name := range names {
			delete(s.sizes, name)
		}
		s.renamed = renamed
	}
}

// resized is a type with sizes that turned out to be others.
func (s *simplifier) resized(ty tail.Type) tail.Type {
	if s.renamed == 0 || ty == nil {
		return ty
	}
	return tail.SubstSizes(ty, s.sizes)
}

// floated simplifies es, moves lets out of them where the order of evaluation
// allows it, and returns what build makes of the rest.
func (s *simplifier) floated(es []tail.Expr, build func([]tail.Expr) tail.Expr) tail.Expr {
	done := make([]tail.Expr, len(es))
	first := len(es) // the leftmost that begins with a let
	for i := len(es) - 1; i >= 0; i-- {
		done[i] = s.expr(es[i])
		if _, isLet := done[i].(*tail.Let); isLet {
			first = i
		}
	}
	if first == len(es) {
		return build(done)
	}
	var frames []letFrame
	clear := true // what is evaluated before element i, lets apart, is total
	for i := len(done) - 1; i >= first; i-- {
		inner, rest := unlet(done[i], nil)
		if clear || s.allTotal(inner) {
			frames = append(frames, inner...)
			done[i] = rest
		}
		if i > first {
			clear = clear && s.effects.Total(done[i])
		}
	}
	var e tail.Expr
	frames, e = unlet(build(done), frames)
	return rebuilt(frames, e)
}

func (s *simplifier) allTotal(frames []letFrame) bool {
	for _, f := range frames {
		if !s.effects.Total(f.bind) {
			return false
		}
	}
	return true
}

func (s *simplifier) vec(e *tail.Vec, es []tail.Expr) tail.Expr {
	lits := true
	for _, x := range es {
		_, ok := x.(*tail.Lit)
		lits = lits && ok
	}
	if lits {
		return tail.NewLit(e.Where, tail.LitVector(es))
	}
	given := tail.NewVec(e.Where, es...)
	if ty := s.resized(e.Ty); tail.Consistent(given.Ty, ty) {
		given.Ty = tail.Meet(given.Ty, ty).(*tail.Array)
	}
	return s.known(given)
}

func (s *simplifier) conditional(e *tail.If) tail.Expr {
	cond := s.expr(e.Cond)
	frames, cond := unlet(cond, nil)
	if n, ok := tail.TypeOf(cond).Value(0).IsConst(); ok && s.effects.Total(cond) {
		branch := e.Then
		if n == 0 {
			branch = e.Else
		}
		frames, branch = unlet(s.expr(branch), frames)
		return rebuilt(frames, branch)
	}
	then, other := s.expr(e.Then), s.expr(e.Else)
	if r, ok := then.(*tail.Ref); ok && tail.IsRef(other, r.Var) && s.effects.Total(cond) {
		return rebuilt(frames, then)
	}
	ty := s.resized(e.Ty)
	if join, ok := tail.Join(then.Type(), other.Type()); ok && tail.Consistent(join, ty) {
		ty = tail.Meet(join, ty)
	}
	return rebuilt(frames, &tail.If{At: e.At, Cond: cond, Then: then, Else: other, Ty: ty})
}

func (s *simplifier) projection(e *tail.Proj) tail.Expr {
	frames, x := unlet(s.expr(e.X), nil)
	from := x
	if r, ok := x.(*tail.Ref); ok {
		from = s.defs[r.Var]
	}
	tuple, ok := from.(*tail.Tuple)
	switch {
	case ok && isAtom(tuple.Elems[e.I]) && s.othersTotal(tuple.Elems, e.I):
		return rebuilt(frames, tuple.Elems[e.I])
	case ok && from == x && s.othersTotal(tuple.Elems, e.I):
		return rebuilt(frames, tuple.Elems[e.I])
	}
	if from != x {
		if same := inBranches(from, e.I); same != nil {
			return rebuilt(frames, same)
		}
	}
	p := &tail.Proj{At: e.At, X: x, I: e.I}
	if other := s.sharedLengths(p); other != nil {
		return rebuilt(frames, other)
	}
	if all := s.gatheredAgain(p); all != nil {
		return rebuilt(frames, all)
	}
	return rebuilt(frames, p)
}

// inBranches returns the variable that is component i of e, a condition, in each of its
// branches; nil where there is none.
func inBranches(e tail.Expr, i int) tail.Expr {
	switch e := e.(type) {
	case *tail.Tuple:
		if r, ok := e.Elems[i].(*tail.Ref); ok {
			return r
		}
	case *tail.If:
		r, ok := inBranches(e.Then, i).(*tail.Ref)
		if other := inBranches(e.Else, i); ok && other != nil && tail.IsRef(other, r.Var) {
			return r
		}
	}
	return nil
}

// gatheredAgain returns, where p is a component of items of which each is the element of a
// vector with the number of the item, and there are as many, that vector; else nil.
//
//	let z = items(fn i => … (index(b,i),…),tally(b)) in #0(z)
//
// becomes
//
//	let z = … in b
func (s *simplifier) gatheredAgain(p *tail.Proj) tail.Expr {
	var path []int
	var x tail.Expr = p
	for {
		if r, ok := x.(*tail.Ref); ok {
			x = s.defs[r.Var]
		}
		p, ok := x.(*tail.Proj)
		if !ok {
			break
		}
		path, x = append(path, p.I), p.X
	}
	items := applied(s.defs, x, tail.OpItems)
	if items == nil {
		return nil
	}
	lam := items.Args[0].(*tail.Lam)
	_, item := unlet(lam.Body, nil)
	for i := len(path) - 1; i >= 0; i-- {
		tuple, ok := item.(*tail.Tuple)
		if !ok {
			return nil
		}
		item = tuple.Elems[path[i]]
	}
	index := applied(s.defs, item, tail.OpIndex)
	if index == nil || len(index.Args) != 2 || !tail.IsRef(index.Args[1], lam.Params[0]) {
		return nil
	}
	v, ok := index.Args[0].(*tail.Ref)
	if !ok || !s.tallies(items.Args[1], v) || bindsVar(lam.Body, v.Var) {
		return nil
	}
	return v
}

// tallies reports whether n is how many elements a vector has.
func (s *simplifier) tallies(n, v tail.Expr) bool {
	if have := tail.TypeOf(v).Extent(0); have.Known() && have.Equal(tail.TypeOf(n).Value(0)) {
		return true
	}
	tally := applied(s.defs, n, tail.OpTally)
	return tally != nil && sameExtent(s.defs, tally.Args[0], v)
}

// bindsVar reports whether e binds v.
func bindsVar(e tail.Expr, v *tail.Var) bool {
	found := false
	tail.Walk(e, func(e tail.Expr) bool {
		let, ok := e.(*tail.Let)
		found = found || ok && let.Var == v
		return !found
	})
	return found
}

// sharedLengths returns, where p is the lengths of a component of items, the lengths of
// the first component of them that has as many elements in each item; else nil.
//
//	let z = items(fn i => let b = … in (w,b,each(f,b)),n) in #1(#2(z))
//
// becomes
//
//	let z = … in #1(#1(z))
func (s *simplifier) sharedLengths(p *tail.Proj) tail.Expr {
	x := p.X
	if r, ok := x.(*tail.Ref); ok {
		x = s.defs[r.Var]
	}
	part, ok := x.(*tail.Proj)
	if !ok || p.I != 1 {
		return nil
	}
	items := applied(s.defs, part.X, tail.OpItems)
	if items == nil {
		return nil
	}
	for j := range part.I {
		if sameLengths(s.defs, items.Args[0].(*tail.Lam).Body, j, part.I) {
			return &tail.Proj{At: p.At, X: &tail.Proj{At: part.At, X: part.X, I: j}, I: 1}
		}
	}
	return nil
}

// othersTotal reports whether all es but number i are total.
func (s *simplifier) othersTotal(es []tail.Expr, i int) bool {
	for k, x := range es {
		if k != i && !s.effects.Total(x) {
			return false
		}
	}
	return true
}

func (s *simplifier) apply(e *tail.Apply) tail.Expr {
	// Cells are known better than the function's parameters were.
	order := e.Args
	if e.Op == tail.OpCells || e.Op == tail.OpCells2 {
		return s.cells(e)
	}
	return s.floated(order, func(args []tail.Expr) tail.Expr { return s.lawful(e.WithArgs(args)) })
}

// cells simplifies the arrays first, so that the parameters have the types
// of their cells when the function is simplified.
func (s *simplifier) cells(e *tail.Apply) tail.Expr {
	lam := e.Args[0].(*tail.Lam)
	return s.floated(e.Args[1:], func(arrays []tail.Expr) tail.Expr {
		for i, x := range arrays {
			ty := tail.TypeOf(x)
			at := ty.Dims() - e.Ks[i]
			cell := tail.Shaped(ty.Elem, tail.Extents(ty)[at:]...)
			if p := lam.Params[i]; tail.Consistent(p.Type, cell) {
				p.Type = tail.Meet(p.Type, cell)
			}
		}
		f := s.expr(lam)
		return s.lawful(e.WithArgs(append([]tail.Expr{f}, arrays...)))
	})
}

// lawful gives e its type and applies laws until none fits.
func (s *simplifier) lawful(e *tail.Apply) tail.Expr {
	e.Ty = s.resized(e.Ty)
	for range 16 {
		retype(e)
		if x := s.known(e); x != tail.Expr(e) {
			return x
		}
		next := s.law(e)
		if next == nil {
			break
		}
		again, ok := next.(*tail.Apply)
		if !ok {
			return next
		}
		e = again
	}
	return e
}

// retype gives e the type that its arguments give it together with what was
// known before.
func retype(e *tail.Apply) {
	given, bad := tail.NewApply(e.Where, e.Op, e.Axis, e.Ks, e.Args...)
	switch {
	case bad != nil:
	case e.Ty == nil:
		e.Ty = given.Ty
	case tail.Consistent(given.Ty, e.Ty):
		e.Ty = tail.Meet(given.Ty, e.Ty)
	}
}

// known returns the constant of e's value where the type knows it and e does
// nothing else, otherwise e.
func (s *simplifier) known(e tail.Expr) tail.Expr {
	ty, ok := e.Type().(*tail.Array)
	if !ok || ty.Elem != array.Int && ty.Elem != array.Bool {
		return e
	}
	values, ok := tail.Constants(ty)
	if !ok || tail.IsRank(ty, 0) && len(values) != 1 || !s.effects.Dropped(e) {
		return e
	}
	if a, ok := e.(*tail.Apply); ok && (a.Op == tail.OpIota || len(values) > maxLiteral && a.Op == tail.OpReshape) {
		return e
	}
	if len(values) > maxLiteral {
		if allEqual(values) {
			return s.repeated(e.Span(), ty, values)
		}
		return e
	}
	return tail.NewLit(e.Span(), constantArray(ty, values))
}

// repeated returns a vector of equal values as a reshaped scalar.
func (s *simplifier) repeated(at diag.Span, ty *tail.Array, values []int64) tail.Expr {
	n := tail.NewLit(at, array.VectorInt([]int64{int64(len(values))}))
	e, bad := tail.NewApply(at, tail.OpReshape, 0, nil, n, tail.NewLit(at, constantArray(tail.Scalar(ty.Elem), values[:1])))
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	return e
}

func allEqual(values []int64) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

// constantArray returns the scalar or vector of the given type and values.
func constantArray(ty *tail.Array, values []int64) *array.Array {
	shape := []int{len(values)}
	if tail.IsRank(ty, 0) {
		shape = []int{}
	}
	a := array.New(ty.Elem, shape...)
	for i, v := range values {
		if ty.Elem == array.Bool {
			a.Bools[i] = byte(v)
		} else {
			a.Ints[i] = v
		}
	}
	return a
}
