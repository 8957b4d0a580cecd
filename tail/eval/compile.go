package eval

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// The evaluator first turns expressions into closures: variables become slots
// of a frame, ops become functions, and every last use of a variable becomes a
// move, so that update can write in place. The pass walks backwards, against
// the order of evaluation, with the set of slots that are read later.

// scope is the state of compiling one function.
type scope struct {
	m     *machine
	fn    *function // nil in main
	slots map[*tail.Var]int
	n     int // slots allotted
	base  int // slots below it are captured by the lambda under compilation
	live  slotSet
	depth int // nesting here, and the deepest so far
	nest  int
}

// usage says what becomes of an expression's value.
type usage uint8

const (
	useKept usage = iota // it is kept: in a variable, a result, a state
	useRead              // an op only reads it, and no sibling writes to it before
	useTail              // it is the function's result
)

// site is where an op is applied: what its implementation may need to know.
type site struct {
	*tail.Apply
	m *machine
}

// function is a compiled function of the program.
type function struct {
	fn     *tail.Func
	params []int // slots
	slots  int
	nest   int
	width  int // components of the result; -1 for an array
	body   code
	tuple  tupleCode
	pool   []*frame
}

func (m *machine) newScope() *scope {
	return &scope{m: m, slots: map[*tail.Var]int{}}
}

// main compiles and runs the main expression.
func (m *machine) main(e tail.Expr) []*array.Array {
	s := m.newScope()
	run := s.into(e, useKept)
	values := make([]value, width(e.Type()))
	run(&frame{slots: make([]value, s.n), m: m}, values)
	result := make([]*array.Array, len(values))
	for i, t := range flat(e.Type()) {
		result[i] = box(values[i], t)
	}
	return result
}

// flat returns the array types in t.
func flat(t tail.Type) []*tail.Array {
	switch t := t.(type) {
	case *tail.Array:
		return []*tail.Array{t}
	case *tail.TupleType:
		var all []*tail.Array
		for _, e := range t.Elems {
			all = append(all, flat(e)...)
		}
		return all
	}
	panic("internal error: a function is no value")
}

// function returns the compiled form of fn; while fn is being compiled, an
// unfinished one.
func (m *machine) function(fn *tail.Func) *function {
	if f := m.funcs[fn]; f != nil {
		return f
	}
	s, f := m.newScope(), &function{fn: fn, width: -1}
	m.funcs[fn] = f
	s.fn = f
	for _, p := range fn.Params {
		f.params = append(f.params, s.bind(p))
	}
	if t, ok := fn.Result.(*tail.TupleType); ok {
		f.width = width(t)
		f.tuple = s.meteredTupleCall(fn.Where, s.tuple(fn.Body, useTail))
	} else {
		f.body = s.meteredCall(fn.Where, s.expr(fn.Body, useTail))
	}
	f.slots, f.nest = s.n, s.nest+callNesting
	return f
}

// width returns the number of slots of a variable of type t.
func width(t tail.Type) int {
	if t, ok := t.(*tail.TupleType); ok {
		n := 0
		for _, e := range t.Elems {
			n += width(e)
		}
		return n
	}
	return 1
}

// bind allots the slots of a variable and returns the first.
func (s *scope) bind(v *tail.Var) int {
	at := s.n
	s.slots[v] = at
	s.n += width(v.Type)
	return at
}

func (s *scope) slot(v *tail.Var) int {
	at, ok := s.slots[v]
	if !ok {
		panic("internal error: variable " + v.Name + " is not bound")
	}
	return at
}

// enter and leave keep count of the nesting of expressions.
func (s *scope) enter() { s.depth++; s.nest = max(s.nest, s.depth) }
func (s *scope) leave() { s.depth-- }

// expr compiles an expression that is no tuple.
func (s *scope) expr(e tail.Expr, u usage) code {
	s.enter()
	defer s.leave()
	switch e := e.(type) {
	case *tail.Lit:
		return evalLit(e)
	case *tail.Ref:
		return s.ref(s.slot(e.Var), isScalar(e.Var.Type), u)
	case *tail.Vec:
		return s.vec(e)
	case *tail.Let:
		return s.let(e, u)
	case *tail.Apply:
		return s.apply(e)
	case *tail.Call:
		return s.call(e, u)
	case *tail.If:
		return s.cond(e, u)
	case *tail.Proj:
		return s.proj(e, u)
	}
	panic("internal error: the evaluator cannot run this expression")
}

func evalLit(e *tail.Lit) code {
	a := convertElem(e.Value, e.Ty.Elem)
	v := unbox(reshaped(a, a.Shape)) // there is no room behind it
	if v.arr != nil {
		v.bits = shared
	}
	return func(*frame) value { return v }
}

// convertElem returns a with elements of type e, to which they can be
// converted exactly.
func convertElem(a *array.Array, e array.Elem) *array.Array {
	if a.Elem == e {
		return a
	}
	r := array.New(e, a.Shape...)
	for i, n := 0, a.Len(); i < n; i++ {
		switch e {
		case array.Complex:
			r.Complexes[i] = complex(a.Double(i), 0)
		case array.Double:
			r.Doubles[i] = a.Double(i)
		default:
			r.Ints[i] = a.Int(i)
		}
	}
	return r
}

// ref compiles the use of a slot.
func (s *scope) ref(at int, scalar bool, u usage) code {
	if scalar {
		return func(fr *frame) value { return fr.slots[at] }
	}
	last := at >= s.base && !s.live.has(at)
	s.live.add(at)
	switch {
	case last:
		return func(fr *frame) value {
			v := fr.slots[at]
			fr.slots[at] = value{}
			return v
		}
	case u == useRead:
		return func(fr *frame) value { return value{word{bits: shared}, fr.slots[at].arr} }
	}
	return func(fr *frame) value {
		fr.slots[at].bits |= shared
		return fr.slots[at]
	}
}

// vec compiles a vector of scalars.
func (s *scope) vec(e *tail.Vec) code {
	elems := make([]code, len(e.Elems))
	for i, x := range e.Elems {
		elems[i] = s.expr(x, useKept)
	}
	t := e.Ty.Elem
	return func(fr *frame) value {
		a := array.New(t, len(elems))
		for i := len(elems) - 1; i >= 0; i-- {
			putBits(a, i, elems[i](fr).word)
		}
		return value{arr: a}
	}
}

// step is one binding of a chain of lets.
type letStep struct {
	at    int
	code  code
	tuple tupleCode
	width int
}

func (st *letStep) run(fr *frame) {
	if st.tuple != nil {
		st.tuple(fr, fr.slots[st.at:st.at+st.width])
		return
	}
	fr.slots[st.at] = st.code(fr)
}

func runSteps(fr *frame, steps []letStep) {
	for i := range steps {
		steps[i].run(fr)
	}
}

// lets compiles the bindings of a chain of lets after its last body has been
// compiled by last.
func (s *scope) lets(e *tail.Let, last func(body tail.Expr)) []letStep {
	var chain []*tail.Let
	var body tail.Expr = e
	for {
		l, ok := body.(*tail.Let)
		if !ok {
			break
		}
		chain = append(chain, l)
		s.bind(l.Var)
		body = l.Body
	}
	last(body)
	steps := make([]letStep, len(chain))
	for i := len(chain) - 1; i >= 0; i-- {
		l := chain[i]
		at, w := s.slots[l.Var], width(l.Var.Type)
		for j := at; j < at+w; j++ {
			s.live.remove(j)
		}
		steps[i] = letStep{at: at, width: w}
		if _, ok := l.Var.Type.(*tail.TupleType); ok {
			steps[i].tuple = s.tuple(l.Bind, useKept)
		} else {
			steps[i].code = s.expr(l.Bind, useKept)
		}
	}
	s.metered(chain, steps)
	return steps
}

func (s *scope) let(e *tail.Let, u usage) code {
	var body code
	steps := s.lets(e, func(x tail.Expr) { body = s.expr(x, notRead(u)) })
	return s.meteredChain(func(fr *frame) value {
		runSteps(fr, steps)
		return body(fr)
	})
}

// notRead is the use of a part of an expression that is read: a reference in
// it may not simply be lent.
func notRead(u usage) usage {
	if u == useRead {
		return useKept
	}
	return u
}

func (s *scope) cond(e *tail.If, u usage) code {
	after := s.live.clone()
	yes := s.expr(e.Then, notRead(u))
	before := s.live
	s.live = after
	no := s.expr(e.Else, notRead(u))
	s.live.merge(before)
	cond := s.expr(e.Cond, useKept)
	return func(fr *frame) value {
		if cond(fr).bits&1 != 0 {
			return yes(fr)
		}
		return no(fr)
	}
}

// component returns the offset and type of component i of a tuple.
func component(t *tail.TupleType, i int) (int, tail.Type) {
	at := 0
	for _, e := range t.Elems[:i] {
		at += width(e)
	}
	return at, t.Elems[i]
}

// projected finds the slot that a chain of projections of a variable names.
func (s *scope) projected(e tail.Expr) (at int, ok bool) {
	switch e := e.(type) {
	case *tail.Ref:
		return s.slot(e.Var), true
	case *tail.Proj:
		if at, ok := s.projected(e.X); ok {
			off, _ := component(e.X.Type().(*tail.TupleType), e.I)
			return at + off, true
		}
	}
	return 0, false
}

func (s *scope) proj(e *tail.Proj, u usage) code {
	if at, ok := s.projected(e); ok {
		return s.ref(at, isScalar(e.Type()), u)
	}
	t := e.X.Type().(*tail.TupleType)
	off, _ := component(t, e.I)
	n, c := width(t), s.tuple(e.X, useKept)
	return func(fr *frame) value {
		dst := make([]value, n)
		c(fr, dst)
		return dst[off]
	}
}
