package returns

import (
	"math"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// maxLeaves bounds the paths through guards that are told apart.
const maxLeaves = 64

// leaf interprets an expression whose value is the result: each branch of a guard
// is a path of its own.
func (f *finder) leaf(e tail.Expr) {
	for {
		l, ok := e.(*tail.Let)
		if !ok {
			break
		}
		f.values[l.Var] = f.value(l.Bind)
		e = l.Body
	}
	if len(f.result.Leaves) < maxLeaves {
		switch e := e.(type) {
		case *tail.If:
			f.branches(e, f.leaf)
			return
		case *tail.Call:
			if f.inlined(e) {
				f.within(e, f.leaf)
				return
			}
		}
	}
	v := f.value(e)
	if !f.unreachable() {
		f.result.Leaves = append(f.result.Leaves, Leaf{Value: v, own: f.own, facts: append([]tail.Size{}, f.facts...)})
	}
}

// branches interprets those branches of a guard that can be reached, each with
// what the condition says. It returns the condition.
func (f *finder) branches(e *tail.If, then func(tail.Expr)) (cond *Value) {
	cond = f.value(e.Cond)
	mark := len(f.facts)
	f.deep++
	defer func() { f.deep-- }()
	for i, branch := range []tail.Expr{e.Then, e.Else} {
		says := cond.yes
		if i == 1 {
			says = cond.no
		}
		if n, ok := cond.Array().Value(0).IsConst(); ok && (n == 0) == (i == 0) {
			continue
		}
		for _, s := range says {
			f.fact(s)
		}
		if !f.unreachable() {
			then(branch)
		}
		f.facts = f.facts[:mark]
	}
	return cond
}

// value interprets an expression.
func (f *finder) value(e tail.Expr) *Value {
	if f.left--; f.left < 0 {
		f.tooLarge(e)
		return f.fresh(e.Type())
	}
	switch e := e.(type) {
	case *tail.Lit:
		return f.literal(e)
	case *tail.Ref:
		if v := f.values[e.Var]; v != nil {
			return v
		}
		v := f.fresh(e.Var.Type)
		f.values[e.Var] = v
		return v
	case *tail.Let:
		f.values[e.Var] = f.value(e.Bind)
		return f.value(e.Body)
	case *tail.Vec:
		return f.vector(e)
	case *tail.Tuple:
		v := &Value{Type: e.Type(), items: make([]*Value, len(e.Elems))}
		for i := len(e.Elems) - 1; i >= 0; i-- {
			v.items[i] = f.value(e.Elems[i])
		}
		return v
	case *tail.Proj:
		if x := f.value(e.X); e.I < len(x.items) {
			return x.items[e.I]
		}
		return f.fresh(e.Type())
	case *tail.If:
		return f.joined(e)
	case *tail.Call:
		return f.call(e)
	case *tail.Apply:
		return f.apply(e)
	}
	return f.fresh(e.Type())
}

// tooLarge notes that not everything was looked at.
func (f *finder) tooLarge(e tail.Expr) {
	if f.left == -1 {
		f.result.Open = append(f.result.Open, Open{Fault: tail.FaultTooLarge, At: e.Span()})
	}
}

func (f *finder) literal(e *tail.Lit) *Value {
	v := f.fresh(e.Ty)
	if n := len(e.Value.Ints); n > 0 && e.Value.Elem == array.Int {
		low, high := e.Value.Ints[0], e.Value.Ints[0]
		for _, k := range e.Value.Ints {
			low, high = min(low, k), max(high, k)
		}
		v.Low, v.High = bounded(low), bounded(high)
	}
	if n := len(e.Value.Doubles); n > 0 && e.Value.Elem == array.Double {
		if n == 1 && e.Value.Rank() == 0 {
			v.ratio = literalRatio(e.Value.Doubles[0])
		}
		low, high := slices.Min(e.Value.Doubles), slices.Max(e.Value.Doubles)
		if low > -maxNumber && high < maxNumber {
			v.Low, v.High = constant(int64(math.Floor(low))), constant(int64(math.Ceil(high)))
		}
	}
	return v
}

// bounded is a constant that can be computed with, else Any.
func bounded(n int64) tail.Size { return plus(constant(n), constant(0)) }

// vector is the value of a vector of scalars.
func (f *finder) vector(e *tail.Vec) *Value {
	values := make([]tail.Size, len(e.Elems))
	t := *f.shaped(e.Ty)
	v := &Value{Type: &t, Low: tail.AnySize, High: tail.AnySize}
	for i := len(e.Elems) - 1; i >= 0; i-- {
		x := f.value(e.Elems[i])
		values[i] = x.Array().Value(0)
		if i == len(e.Elems)-1 {
			v.Low, v.High = x.Low, x.High
		} else {
			v.Low, v.High = f.lesser(v.Low, x.Low), f.greater(v.High, x.High)
		}
	}
	if t.Values = nil; len(values) <= tail.MaxValues && (t.Elem == array.Int || t.Elem == array.Bool) {
		t.Values = values
	}
	return v
}

// joined is the value of a guard whose branches are not told apart.
func (f *finder) joined(e *tail.If) *Value {
	var all []*Value
	cond := f.branches(e, func(b tail.Expr) { all = append(all, f.value(b)) })
	if len(all) == 0 {
		return f.fresh(e.Type())
	}
	if len(all) == 2 && isZero(all[1]) {
		v := *f.either(all[0], all[1])
		v.ifZero, v.zero = cond.ifNo, cond
		return &v
	}
	v := all[0]
	for _, w := range all[1:] {
		v = f.either(v, w)
	}
	return v
}

// isZero reports whether a value is the number 0.
func isZero(v *Value) bool {
	t, ok := v.Type.(*tail.Array)
	return ok && t.Dims() == 0 && t.Value(0).Equal(constant(0))
}

// either is what two values have in common.
func (f *finder) either(v, w *Value) *Value {
	if v.items != nil && len(v.items) == len(w.items) {
		r := &Value{Type: v.Type}
		for i := range v.items {
			r.items = append(r.items, f.either(v.items[i], w.items[i]))
		}
		return r
	}
	t, ok := v.Type.(*tail.Array)
	u, both := w.Type.(*tail.Array)
	if !ok || !both || !t.Rank.Equal(u.Rank) {
		return f.fresh(v.Type)
	}
	r := *t
	r.Values = nil
	r.Extents = make([]tail.Size, t.Dims())
	for i := range r.Extents {
		r.Extents[i] = f.eitherSize(t.Extent(i), u.Extent(i), f.size)
	}
	if t.Dims() == 0 {
		r.Extents = nil
	}
	z := &Value{Type: &r, Low: f.lesser(v.Low, w.Low), High: f.greater(v.High, w.High)}
	if t.Dims() == 0 && t.Value(0).Known() && u.Value(0).Known() {
		r.Values = []tail.Size{f.eitherSize(t.Value(0), u.Value(0), f.number)}
	}
	f.bound(z)
	return z
}

func (f *finder) eitherSize(a, b tail.Size, other func() tail.Size) tail.Size {
	if f.same(a, b) {
		return a
	}
	x := other()
	f.atLeast(x, f.lesser(a, b))
	f.atLeast(f.greater(a, b), x)
	return x
}

// call is the value of a call: that of the function's body, where the function
// is not recursive.
func (f *finder) call(e *tail.Call) *Value {
	switch {
	case isStub(e.Fn):
		return f.operand(e)
	case f.inlined(e):
		var v *Value
		f.within(e, func(body tail.Expr) { v = f.value(body) })
		return v
	}
	return f.recursive(e)
}

// isStub reports whether a function stands for an unknown operand.
func isStub(fn *tail.Func) bool {
	t, ok := fn.Body.(*tail.Tuple)
	if !ok || len(t.Elems) > 0 {
		return false
	}
	_, result := fn.Result.(*tail.Array)
	return result
}

func (f *finder) inlined(e *tail.Call) bool {
	return !isStub(e.Fn) && !e.Fn.Recursive && !f.active[e.Fn] && e.Fn.Body != nil
}

// within interprets the body of a function for the arguments of a call.
func (f *finder) within(e *tail.Call, body func(tail.Expr)) {
	args := f.arguments(e.Args)
	sizes := f.sizes
	f.sizes = f.matched(e.Fn, args)
	f.active[e.Fn] = true
	for i, p := range e.Fn.Params {
		f.values[p] = args[i]
	}
	body(e.Fn.Body)
	f.sizes = sizes
	delete(f.active, e.Fn)
}

func (f *finder) arguments(all []tail.Expr) []*Value {
	args := make([]*Value, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		if _, ok := all[i].(*tail.Lam); !ok {
			args[i] = f.value(all[i])
		}
	}
	return args
}

// matched returns the values that a function's size variables have in a call.
func (f *finder) matched(fn *tail.Func, args []*Value) map[string]tail.Size {
	sizes := map[string]tail.Size{}
	match := func(formal, actual tail.Size) {
		if len(formal.Terms) == 1 && formal.Terms[0].Coef == 1 && actual.Known() {
			if _, ok := sizes[formal.Terms[0].Var]; !ok {
				sizes[formal.Terms[0].Var] = minus(actual, constant(formal.Const))
			}
		}
	}
	var each func(t tail.Type, v *Value)
	each = func(t tail.Type, v *Value) {
		switch t := t.(type) {
		case *tail.TupleType:
			for i := range t.Elems {
				if i < len(v.items) {
					each(t.Elems[i], v.items[i])
				}
			}
		case *tail.Array:
			a, ok := v.Type.(*tail.Array)
			if !ok || !a.Rank.Equal(t.Rank) {
				return
			}
			for i := range t.Dims() {
				match(t.Extent(i), a.Extent(i))
			}
			for i := range t.Values {
				match(t.Values[i], a.Value(i))
			}
		}
	}
	for i, p := range fn.Params {
		each(p.Type, args[i])
	}
	return sizes
}

// operand is the value of a call of an unknown operand, of which the annotation
// says what it takes.
func (f *finder) operand(e *tail.Call) *Value {
	args := f.arguments(e.Args)
	defer func(quiet bool) { f.quiet = quiet }(f.quiet)
	f.quiet = false
	for i, p := range e.Fn.Params {
		t, ok := p.Type.(*tail.Array)
		a, both := args[i].Type.(*tail.Array)
		if !ok || !both || !t.Rank.Equal(a.Rank) {
			continue
		}
		var goals []tail.Size
		for k := range t.Dims() {
			if want := t.Extent(k); want.Known() {
				goals = append(goals, f.equal(a.Extent(k), want)...)
			}
		}
		f.need(tail.FaultAnnotation, e.Where, goals)
	}
	return f.fresh(e.Fn.Result)
}

// equal returns the goals that two sizes are equal.
func (f *finder) equal(a, b tail.Size) []tail.Size {
	return []tail.Size{minus(a, b), minus(b, a)}
}

// recursive is the value of a call of a recursive function, of which only the
// type is known; its body is looked at once, for unknown arguments.
func (f *finder) recursive(e *tail.Call) *Value {
	args := f.arguments(e.Args)
	for _, c := range f.assumed {
		if goals := f.inductive(c.Goals, args); goals != nil {
			f.need(c.Fault, e.Where, goals)
		}
	}
	f.bodyOnce(e.Fn)
	sizes := f.sizes
	says, _ := e.Ty.(*tail.Array)
	if says != nil {
		says = f.partly(says)
	}
	f.sizes = f.matched(e.Fn, args)
	result, ok := e.Fn.Result.(*tail.Array)
	if !ok || says == nil || !says.Rank.Equal(result.Rank) {
		v := f.fresh(f.placeless(e.Ty))
		f.sizes = sizes
		return v
	}
	t := *f.partly(result)
	t.Extents = make([]tail.Size, t.Dims())
	for i := range t.Extents {
		if t.Extents[i] = f.subst(result.Extent(i)); !f.settled(t.Extents[i]) {
			t.Extents[i] = says.Extent(i)
		}
	}
	f.sizes = nil
	v := f.fresh(&t)
	f.sizes = sizes
	return v
}

// settled reports whether a size mentions no size variable of a function.
func (f *finder) settled(s tail.Size) bool {
	if s.Any {
		return false
	}
	for _, t := range s.Terms {
		if !f.own[t.Var] && made(t.Var) == 0 {
			return false
		}
	}
	return true
}

// partly puts sizes into a type and leaves out those that are not known.
func (f *finder) partly(t *tail.Array) *tail.Array {
	r := t.Plain()
	if n, ok := t.Rank.IsConst(); ok && n > 0 {
		r.Extents = make([]tail.Size, n)
		for i := range r.Extents {
			if r.Extents[i] = f.subst(t.Extent(i)); !f.settled(r.Extents[i]) {
				r.Extents[i] = tail.AnySize
			}
		}
	}
	return r
}

// placeless is a type without sizes.
func (f *finder) placeless(t tail.Type) tail.Type {
	switch t := t.(type) {
	case *tail.TupleType:
		r := &tail.TupleType{Shape: t.Shape}
		for _, e := range t.Elems {
			r.Elems = append(r.Elems, f.placeless(e))
		}
		return r
	case *tail.Array:
		return t.Plain()
	}
	return t
}

// bodyOnce looks for faults in the body of a recursive function.
func (f *finder) bodyOnce(fn *tail.Func) {
	if f.checked[fn] || fn.Body == nil {
		return
	}
	f.checked[fn] = true
	sizes, facts := f.sizes, f.facts
	f.sizes, f.facts = map[string]tail.Size{}, nil
	f.active[fn] = true
	f.deep++
	args := make([]*Value, len(fn.Params))
	for i, p := range fn.Params {
		f.generic(p.Type)
		f.values[p] = f.fresh(p.Type)
		args[i] = f.values[p]
	}
	for _, c := range f.assumed {
		for _, g := range f.inductive(c.Goals, args) {
			f.fact(g)
		}
	}
	f.value(fn.Body)
	f.deep--
	delete(f.active, fn)
	f.sizes, f.facts = sizes, facts
}

// generic gives the size variables of a parameter new names.
func (f *finder) generic(t tail.Type) {
	switch t := t.(type) {
	case *tail.TupleType:
		for _, e := range t.Elems {
			f.generic(e)
		}
	case *tail.Array:
		for _, s := range append(append([]tail.Size{}, t.Extents...), t.Values...) {
			for _, x := range s.Terms {
				if _, ok := f.sizes[x.Var]; !ok {
					f.sizes[x.Var] = f.size()
				}
			}
		}
	}
}

// inductive returns goals about the parameters as goals about the arguments of a
// recursive function: unknown ones for arguments of which not enough is known, none
// for arguments of other ranks.
func (f *finder) inductive(goals []tail.Size, args []*Value) []tail.Size {
	if len(args) != len(f.params) {
		return nil
	}
	of := map[string]tail.Size{}
	for i, p := range f.params {
		x, ok1 := p.Type.(*tail.Array)
		y, ok2 := args[i].Type.(*tail.Array)
		if !ok1 || !ok2 || !x.Rank.Equal(y.Rank) || x.Elem != y.Elem {
			return nil
		}
		for k := range x.Dims() {
			stands(of, x.Extent(k), y.Extent(k))
		}
		stands(of, p.Low, args[i].Low)
		stands(of, p.High, args[i].High)
	}
	all := make([]tail.Size, len(goals))
	for i, g := range goals {
		for _, t := range g.Terms {
			if _, ok := of[t.Var]; !ok {
				g = tail.AnySize
			}
		}
		all[i] = g.Subst(of)
	}
	return all
}

// stands gives the variable of a size, or the two of a number, a value with which it
// is another size.
func stands(of map[string]tail.Size, s, is tail.Size) {
	switch {
	case len(s.Terms) == 1 && s.Terms[0].Coef == 1 && made(s.Terms[0].Var) == 0:
		if _, ok := of[s.Terms[0].Var]; !ok {
			of[s.Terms[0].Var] = minus(is, constant(s.Const))
		}
	case len(s.Terms) == 2 && s.Const == 0:
		for _, t := range s.Terms {
			if base, ok := strings.CutSuffix(t.Var, plusMark); ok && t.Coef == 1 {
				of[t.Var], of[base+minusMark] = is, constant(0)
			}
		}
	}
}
