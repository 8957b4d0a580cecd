package gradual

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// doubtful reports whether the result of p's entry may hold integers that became doubles
// for no arithmetic: in the branches of a guard, in the state of a loop. There the
// interpreter has either, as it comes. What arithmetic gives are doubles for both.
//
//	power(fn s => addd(s,0.5), 3, i2d(n))    doubles for certain
//	power(fn s => addd(s,0.5), k, i2d(n))    an integer where k is 0
func doubtful(p *tail.Program) bool {
	d := &doubts{vars: map[*tail.Var]mark{}, results: map[*tail.Func]mark{}}
	for range mostRounds {
		d.changed = false
		d.walked = map[*tail.Func]bool{}
		if d.call(p.Entry).any() {
			return true
		}
		if !d.changed {
			return false
		}
	}
	return true
}

// mostRounds bounds how often functions that call themselves are looked at.
const mostRounds = 8

// mark says of an array whether it may hold such integers, and of a tuple which
// components may.
type mark struct {
	is bool
	of []mark
}

func (m mark) any() bool { return m.is || slices.ContainsFunc(m.of, mark.any) }

// component returns the mark of a component of a tuple.
func (m mark) component(i int) mark {
	if i < len(m.of) {
		return m.of[i]
	}
	return mark{is: m.is}
}

// join returns the mark of a value that is one of two.
func join(a, b mark) mark {
	r := mark{is: a.is || b.is}
	for i := range max(len(a.of), len(b.of)) {
		r.of = append(r.of, join(a.component(i), b.component(i)))
	}
	return r
}

func equal(a, b mark) bool { return a.is == b.is && slices.EqualFunc(a.of, b.of, equal) }

// doubts is the state of one analysis.
type doubts struct {
	vars    map[*tail.Var]mark
	results map[*tail.Func]mark
	walked  map[*tail.Func]bool // in this round
	changed bool
}

// call returns the mark of a function's result.
func (d *doubts) call(f *tail.Func) mark {
	if !d.walked[f] {
		d.walked[f] = true
		r := join(d.results[f], d.mark(f.Body))
		d.changed = d.changed || !equal(r, d.results[f])
		d.results[f] = r
	}
	return d.results[f]
}

// bind joins the mark of a parameter.
func (d *doubts) bind(v *tail.Var, m mark) {
	r := join(d.vars[v], m)
	d.changed = d.changed || !equal(r, d.vars[v])
	d.vars[v] = r
}

// mark returns the mark of an expression.
func (d *doubts) mark(e tail.Expr) mark {
	m := d.value(e)
	if t, ok := e.Type().(*tail.Array); ok && t.Elem != array.Double && t.Elem != array.Complex {
		return mark{}
	}
	return m
}

func (d *doubts) value(e tail.Expr) mark {
	switch e := e.(type) {
	case *tail.Ref:
		return d.vars[e.Var]
	case *tail.Lit: // one of whole numbers was written as integers
		return mark{is: e.Value.Elem == array.Double && !slices.ContainsFunc(e.Value.Doubles, func(x float64) bool { return x != math.Trunc(x) })}
	case *tail.Vec:
		return d.joined(e.Elems)
	case *tail.Let:
		d.vars[e.Var] = d.mark(e.Bind)
		return d.mark(e.Body)
	case *tail.If:
		return join(d.mark(e.Then), d.mark(e.Else))
	case *tail.Tuple:
		r := mark{}
		for _, x := range e.Elems {
			r.of = append(r.of, d.mark(x))
		}
		return r
	case *tail.Proj:
		return d.mark(e.X).component(e.I)
	case *tail.Call:
		for i, a := range e.Args {
			d.bind(e.Fn.Params[i], d.mark(a))
		}
		return d.call(e.Fn)
	case *tail.Apply:
		return d.apply(e)
	}
	return mark{}
}

// merged returns the mark of an array that is made of others.
func (d *doubts) merged(parts []tail.Expr) mark {
	r := mark{}
	for _, x := range parts {
		if _, ok := x.(*tail.Lam); !ok {
			r.is = d.mark(x).any() || r.is
		}
	}
	return r
}

// joined is merged for parts that become one array: where one of them is sure to have doubles, the
// others become doubles.
func (d *doubts) joined(parts []tail.Expr) mark {
	for _, x := range parts {
		if t, ok := x.Type().(*tail.Array); ok && t.Elem == array.Double && hasElements(t) && !d.mark(x).is {
			return mark{}
		}
	}
	return d.merged(parts)
}

// hasElements reports whether arrays of a type are known to have elements.
func hasElements(t *tail.Array) bool {
	for i := range t.Dims() {
		if n, known := t.Extent(i).IsConst(); !known || n <= 0 {
			return false
		}
	}
	return true
}

func (d *doubts) apply(e *tail.Apply) mark {
	switch {
	case toDouble[e.Op]:
		return mark{is: true}
	case e.Op.Row().Scalar, folds[e.Op]:
		return mark{}
	case e.Op == tail.OpCat, e.Op == tail.OpCons, e.Op == tail.OpSnoc, e.Op == tail.OpLaminate:
		return d.joined(e.Args)
	case e.Op == tail.OpPower:
		init := d.mark(e.Args[2])
		r := d.steps(e.Args[0].(*tail.Lam), init)
		if n, ok := e.Args[1].(*tail.Lit); ok && n.Value.Elem == array.Int && n.Value.Ints[0] > 0 {
			return r
		}
		return join(init, r)
	case e.Op == tail.OpWhile:
		init := d.mark(e.Args[2])
		return join(init, d.steps(e.Args[1].(*tail.Lam), init))
	}
	args := d.merged(e.Args)
	for _, a := range e.Args {
		l, ok := a.(*tail.Lam)
		if !ok {
			continue
		}
		for _, p := range l.Params {
			d.vars[p] = args
		}
		if of := d.mark(l.Body); e.Op == tail.OpEach || e.Op == tail.OpZipWith {
			return of
		} else if of.any() {
			args.is = true
		}
	}
	return args
}

// steps returns the mark of what one step or more give.
func (d *doubts) steps(step *tail.Lam, init mark) mark {
	state := init
	for {
		d.vars[step.Params[0]] = state
		r := d.mark(step.Body)
		next := join(state, r)
		if equal(next, state) {
			return r
		}
		state = next
	}
}

// toDouble are the coercions of integers, and of doubles, to wider numbers, and folds
// the ops that do arithmetic on all elements.
var (
	toDouble = map[tail.Op]bool{tail.OpI2D: true, tail.OpB2D: true, tail.OpD2Z: true}
	folds    = map[tail.Op]bool{tail.OpReduce: true, tail.OpScan: true, tail.OpInner: true, tail.OpChain: true}
)
