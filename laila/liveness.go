package laila

import "github.com/tailor-lang/tailor/tail"

// liveness says when variables are last used, so that dead arrays can be
// changed in place and arrays used once can stay delayed.
type liveness struct {
	uses  map[*tail.Var]int
	deep  map[*tail.Var]bool // used in a function that is applied repeatedly
	last  map[*tail.Ref]bool // no use of the variable follows
	times map[tail.Expr]int  // order of evaluation of updates
	final map[*tail.Var]int  // time of the last use; never ends when deep
	parts map[part]int       // the same of the components of variables that are tuples
	whole map[*tail.Var]bool // used not only by components
	depth map[*tail.Var]int
	nests map[*tail.Let]bool // answers of oneNest
	now   int
}

// part is a component of a variable.
type part struct {
	v *tail.Var
	i int
}

// forever is the time of the last use of what is used repeatedly.
const forever = 1 << 60

// after reports whether a value of v that reads buf is used after a time.
func (l *liveness) after(v *tail.Var, val *value, buf *Buf, now int) bool {
	if l.final[v] <= now {
		return false
	}
	if val.tup == nil || l.whole[v] {
		return reads(val, buf)
	}
	for i, t := range val.tup {
		if l.parts[part{v, i}] > now && reads(t, buf) {
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
	return &liveness{uses: map[*tail.Var]int{}, deep: map[*tail.Var]bool{}, last: map[*tail.Ref]bool{},
		times: map[tail.Expr]int{}, final: map[*tail.Var]int{}, parts: map[part]int{}, whole: map[*tail.Var]bool{}, depth: map[*tail.Var]int{}, nests: map[*tail.Let]bool{}}
}

type livenessWalk struct {
	*liveness
	seen  map[*tail.Var]bool
	added []*tail.Var
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
		w.now++
		w.times[e] = w.now
	case *tail.Lam:
		for _, p := range e.Params {
			w.depth[p] = depth + 1
		}
		w.bindings(e.Body, depth+1)
	case *tail.Call:
		w.bindingsAll(e.Args, depth)
	case *tail.If:
		w.bindings(e.Cond, depth)
		w.bindings(e.Then, depth)
		w.bindings(e.Else, depth)
	case *tail.Tuple:
		w.bindingsAll(e.Elems, depth)
	case *tail.Proj:
		r, ok := e.X.(*tail.Ref)
		if !ok {
			w.bindings(e.X, depth)
			return
		}
		t := w.use(r.Var, depth)
		p := part{r.Var, e.I}
		w.parts[p] = max(w.parts[p], t)
	}
}

// use records a use of v and returns its time.
func (w *livenessWalk) use(v *tail.Var, depth int) int {
	w.now++
	w.uses[v]++
	t := w.now
	if depth > w.depth[v] {
		w.deep[v] = true
		t = forever
	}
	w.final[v] = max(w.final[v], t)
	return t
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
