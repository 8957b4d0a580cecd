package laila

import (
	"slices"
	"strconv"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// liveness says when variables are last used, so that dead arrays can be
// changed in place and arrays used once can stay delayed.
type liveness struct {
	uses      map[*tail.Var]int
	shapes    map[*tail.Var]int    // how many of the uses read the shape only
	deep      map[*tail.Var]bool   // used in a function that is applied repeatedly
	last      map[*tail.Ref]bool   // no use of the variable follows
	times     map[tail.Expr]moment // when applications, calls and conditionals are evaluated
	used      map[*tail.Var][]int  // times of the uses, in order
	parts     map[part][]int       // the same of the components of variables that are tuples, and of theirs
	deepParts map[part]bool
	whole     map[*tail.Var]bool // used not only by components
	depth     map[*tail.Var]int
	nests     map[*tail.Let]bool // answers of oneNest
	now       int
}

// part is a component of a variable, or of one of its components: path has the
// numbers of the components on the way to it.
type part struct {
	v    *tail.Var
	path string
}

// component returns component i of a part.
func (p part) component(i int) part { return part{p.v, p.path + strconv.Itoa(i) + " "} }

// componentOf returns the part of a variable that e is.
func componentOf(e tail.Expr) (p part, ok bool) {
	switch e := e.(type) {
	case *tail.Ref:
		return part{v: e.Var}, true
	case *tail.Proj:
		p, ok = componentOf(e.X)
		return p.component(e.I), ok
	}
	return part{}, false
}

// moment is a time in the order of evaluation, with the branches that are not
// taken when it comes.
type moment struct {
	time  int
	other *otherwise
}

// otherwise is the time of the Else of an If, of what is in its Then; outer is
// that of an If of whose Then this one is part.
type otherwise struct {
	from, to int // uses with from < time ≤ to are in Else
	outer    *otherwise
}

// follows reports whether one of the times comes after m on a path that does.
func (m moment) follows(times []int) bool {
	i, _ := slices.BinarySearch(times, m.time+1)
	for o := m.other; i < len(times); o = o.outer {
		if o == nil || times[i] <= o.from {
			return true
		}
		skipped, _ := slices.BinarySearch(times[i:], o.to+1)
		i += skipped
	}
	return false
}

// after reports whether a value of v that reads buf is used after a moment.
func (l *liveness) after(v *tail.Var, val *value, buf *ir.Buf, now moment) bool {
	if !l.deep[v] && !now.follows(l.used[v]) {
		return false
	}
	if val.tup == nil || l.whole[v] {
		return reads(val, buf)
	}
	return l.componentsAfter(part{v: v}, val, buf, now)
}

// componentsAfter is after for the components of a part, whose value is a tuple.
func (l *liveness) componentsAfter(p part, val *value, buf *ir.Buf, now moment) bool {
	for i, t := range val.tup {
		q := p.component(i)
		if (l.deepParts[q] || now.follows(l.parts[q])) && reads(t, buf) || l.componentsAfter(q, t, buf, now) {
			return true
		}
	}
	return false
}

// analyse walks the function or program body e with its parameters.
func analyse(live *liveness, params []*tail.Var, e tail.Expr) {
	for _, p := range params {
		live.depth[p] = 0
	}
	w := &livenessWalk{liveness: live}
	w.bindings(e, 0)
	w.seen = map[*tail.Var]bool{}
	w.backward(e, 0)
}

func newLiveness() *liveness {
	return &liveness{uses: map[*tail.Var]int{}, shapes: map[*tail.Var]int{}, deep: map[*tail.Var]bool{}, last: map[*tail.Ref]bool{},
		times: map[tail.Expr]moment{}, used: map[*tail.Var][]int{}, parts: map[part][]int{}, deepParts: map[part]bool{}, whole: map[*tail.Var]bool{}, depth: map[*tail.Var]int{}, nests: map[*tail.Let]bool{}}
}

type livenessWalk struct {
	*liveness
	seen  map[*tail.Var]bool
	added []*tail.Var
	other *otherwise // of the Ifs of whose Then the walk is in
}

// bindings records depths, uses and times, in order of evaluation.
func (w *livenessWalk) bindings(e tail.Expr, depth int) {
	switch e := e.(type) {
	case *tail.Ref:
		w.whole[e.Var] = true
		w.use(e.Var, depth)
	case *tail.Vec:
		w.bindingsAll(e.Elems, depth)
	case *tail.Let:
		w.bindings(e.Bind, depth)
		w.depth[e.Var] = depth
		w.bindings(e.Body, depth)
	case *tail.Apply:
		w.bindingsAll(e.Args, depth)
		if shapeOps[e.Op] {
			if r, ok := e.Args[0].(*tail.Ref); ok {
				w.shapes[r.Var]++
			}
		}
		w.now++
		w.times[e] = moment{w.now, w.other}
	case *tail.Lam:
		for _, p := range e.Params {
			w.depth[p] = depth + 1
		}
		w.bindings(e.Body, depth+1)
	case *tail.Call:
		w.bindingsAll(e.Args, depth)
		w.now++
		w.times[e] = moment{w.now, w.other}
	case *tail.If:
		w.bindings(e.Cond, depth)
		o := &otherwise{outer: w.other}
		w.other = o
		w.bindings(e.Then, depth)
		w.other, o.from = o.outer, w.now
		w.bindings(e.Else, depth)
		o.to = w.now
		w.now++
		w.times[e] = moment{w.now, w.other}
	case *tail.Tuple:
		w.bindingsAll(e.Elems, depth)
	case *tail.Proj:
		p, ok := componentOf(e)
		if !ok {
			w.bindings(e.X, depth)
			return
		}
		w.use(p.v, depth)
		w.parts[p] = append(w.parts[p], w.now)
		w.deepParts[p] = w.deepParts[p] || depth > w.depth[p.v]
	}
}

// shapeOps are the ops that read the shape of their argument, and no element.
var shapeOps = map[tail.Op]bool{tail.OpShape: true, tail.OpTally: true, tail.OpCount: true}

// use records a use of v.
func (w *livenessWalk) use(v *tail.Var, depth int) {
	w.now++
	w.uses[v]++
	w.deep[v] = w.deep[v] || depth > w.depth[v]
	w.used[v] = append(w.used[v], w.now)
}

func (w *livenessWalk) bindingsAll(es []tail.Expr, depth int) {
	for i := len(es) - 1; i >= 0; i-- {
		w.bindings(es[i], depth)
	}
}

// backward finds last uses, against the order of evaluation.
func (w *livenessWalk) backward(e tail.Expr, depth int) {
	switch e := e.(type) {
	case *tail.Ref:
		if !w.seen[e.Var] {
			w.seen[e.Var] = true
			w.added = append(w.added, e.Var)
			w.last[e] = depth == w.depth[e.Var]
		}
	case *tail.Vec:
		w.backwardAll(e.Elems, depth)
	case *tail.Let:
		w.backward(e.Body, depth)
		w.backward(e.Bind, depth)
	case *tail.Apply:
		w.backwardAll(e.Args, depth)
	case *tail.Lam:
		w.backward(e.Body, depth+1)
	case *tail.Call:
		w.backwardAll(e.Args, depth)
	case *tail.If:
		mark := len(w.added)
		w.backward(e.Then, depth)
		then := append([]*tail.Var{}, w.added[mark:]...)
		for _, v := range then {
			delete(w.seen, v)
		}
		w.added = w.added[:mark]
		w.backward(e.Else, depth)
		for _, v := range then {
			if !w.seen[v] {
				w.seen[v] = true
				w.added = append(w.added, v)
			}
		}
		w.backward(e.Cond, depth)
	case *tail.Tuple:
		w.backwardAll(e.Elems, depth)
	case *tail.Proj:
		w.backward(e.X, depth)
	}
}

func (w *livenessWalk) backwardAll(es []tail.Expr, depth int) {
	for _, e := range es {
		w.backward(e, depth)
	}
}
