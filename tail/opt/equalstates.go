package opt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/tail"
)

// equalStates keeps the components of a loop's state once that are always equal: they are
// at first, and each step makes them in the same way from equal ones. A recursion that
// counts its calls has its depth twice, for instance.
//
// Requires: a state that is one tuple of arrays (flat). Preserves: what is computed, and its
// faults.
//
//	while(f,fn s:(int,int,bool) => (addi(1,#0(s)),addi(#1(s),1),…),(0,0,tt))
//
// becomes
//
//	let t:(int,bool) = while(…,fn t:(int,bool) => (addi(1,#0(t)),…),(0,tt)) in
//	(#0(t),#0(t),#1(t))
func (o *optimiser) equalStates(a *tail.Apply, ty *tail.TupleType) tail.Expr {
	first, ok := a.Args[2].(*tail.Tuple)
	step := a.Args[0]
	if a.Op == tail.OpWhile {
		step = a.Args[1]
	}
	f, isLam := step.(*tail.Lam)
	if !ok || !isLam || len(first.Elems) != len(ty.Elems) {
		return a
	}
	c := &stateClasses{state: f.Params[0], defs: map[*tail.Var]tail.Expr{}, of: make([]int, len(ty.Elems))}
	c.split(func(i int) string { return tail.LongType(ty.Elems[i]) })
	c.splitAs(first)
	var ends []*tail.Tuple
	eachTail(f.Body, func(e tail.Expr) {
		t, ok := e.(*tail.Tuple)
		isLam = isLam && ok
		ends = append(ends, t)
	})
	if !isLam {
		return a
	}
	tail.Walk(f.Body, c.note)
	for changed := true; changed; {
		changed = false
		for _, t := range ends {
			changed = c.splitAs(t) || changed
		}
	}
	return o.withClasses(a, ty, c.of)
}

// maxEqualDepth is how deep expressions are compared.
const maxEqualDepth = 8

// stateClasses are the components of a state that may be equal: of is by component the
// first one of its class.
type stateClasses struct {
	state *tail.Var
	defs  map[*tail.Var]tail.Expr // what the lets of a step bind
	of    []int
}

func (c *stateClasses) note(e tail.Expr) bool {
	if let, ok := e.(*tail.Let); ok {
		c.defs[let.Var] = let.Bind
	}
	return true
}

// split takes components apart whose texts differ; it reports whether there were any.
func (c *stateClasses) split(text func(i int) string) bool {
	first := map[string]int{}
	of := make([]int, len(c.of))
	for i := range of {
		key := strconv.Itoa(c.of[i]) + " " + text(i)
		if _, ok := first[key]; !ok {
			first[key] = i
		}
		of[i] = first[key]
	}
	changed := !slices.Equal(of, c.of)
	c.of = of
	return changed
}

// splitAs takes components apart that t does not make in the same way.
func (c *stateClasses) splitAs(t *tail.Tuple) bool {
	return c.split(func(i int) string { return c.text(t.Elems[i], maxEqualDepth) })
}

// text describes e so that expressions of one text have the same value, where components
// of one class have.
func (c *stateClasses) text(e tail.Expr, depth int) string {
	switch e := e.(type) {
	case *tail.Lit:
		if e.Value.Len() <= maxLiteral {
			return fmt.Sprintf("lit %v %v ", e.Value.Elem, e.Value.Shape) + tail.LitText(e.Value)
		}
	case *tail.Ref:
		if def, ok := c.defs[e.Var]; ok && depth > 0 {
			return c.text(def, depth-1)
		}
		return fmt.Sprintf("var %p", e.Var)
	case *tail.Proj:
		if r, ok := e.X.(*tail.Ref); ok && r.Var == c.state {
			return "state " + strconv.Itoa(c.of[e.I])
		}
	case *tail.Apply:
		if row := e.Op.Row(); depth > 0 && (row.Scalar && !row.Impure || e.Op == tail.OpTally) {
			return c.operation(e, depth-1)
		}
	}
	return fmt.Sprintf("%p", e)
}

// operation is the text of an operation on scalars, or of the number of major cells.
func (c *stateClasses) operation(e *tail.Apply, depth int) string {
	parts := make([]string, len(e.Args))
	for i, x := range e.Args {
		parts[i] = c.text(x, depth)
	}
	if e.Op.Row().Commut {
		slices.Sort(parts)
	}
	return fmt.Sprintf("%d(%s)", e.Op, strings.Join(parts, ","))
}

// withClasses is the loop a over one component of each class.
func (o *optimiser) withClasses(a *tail.Apply, ty *tail.TupleType, of []int) tail.Expr {
	less := &tail.TupleType{}
	at := map[int]int{} // the place of the first of a class
	for i, k := range of {
		if k == i {
			at[i] = len(less.Elems)
			less.Elems = append(less.Elems, ty.Elems[i])
		}
	}
	if len(less.Elems) == len(of) {
		return a
	}
	kept := func(e tail.Expr) tail.Expr {
		t := e.(*tail.Tuple)
		some := &tail.Tuple{At: t.At}
		for i, x := range t.Elems {
			if of[i] == i {
				some.Elems = append(some.Elems, x)
			}
		}
		return some
	}
	// in names the components of v for body, which has the state by its old variable.
	in := func(v, old *tail.Var, where tail.At, body tail.Expr) tail.Expr {
		t := &tail.Tuple{At: where, Shape: ty.Shape, Proto: ty.Proto, Item: ty.Item}
		var frames []letFrame
		for i, k := range of {
			if k == i {
				x := &tail.Proj{At: where, X: &tail.Ref{At: where, Var: v}, I: at[k]}
				frames = append(frames, letFrame{where, o.variable("x", less.Elems[at[k]]), x})
			}
			t.Elems = append(t.Elems, &tail.Ref{At: where, Var: frames[at[k]].v})
		}
		if old == nil {
			return rebuilt(frames, t)
		}
		return rebuilt(append(frames, letFrame{where, old, t}), body)
	}
	next := o.withState(a, less, kept, in)
	next.Args[2] = kept(a.Args[2])
	t := o.variable("t", less)
	return &tail.Let{At: a.At, Var: t, Bind: next, Body: in(t, nil, a.At, nil)}
}
