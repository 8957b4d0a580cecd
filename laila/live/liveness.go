package live

import (
	"slices"
	"strconv"

	"github.com/tailor-lang/tailor/tail"
)

// Uses says when variables are last used, so that dead arrays can be
// changed in place and arrays used once can stay delayed.
type Uses struct {
	Count   map[*tail.Var]int
	OfShape map[*tail.Var]int    // how many of the uses read the shape only
	Deep    map[*tail.Var]bool   // used in a function that is applied repeatedly
	Last    map[*tail.Ref]bool   // no use of the variable follows
	Times   map[tail.Expr]Moment // when applications, calls and conditionals are evaluated
	// Captures has the variables from around an application that its functions use.
	Captures map[*tail.Apply][]*tail.Var
	used     map[*tail.Var][]int // times of the uses, in order
	parts    map[Part][]int      // the same of the components of variables that are tuples, and of theirs
	Whole    map[*tail.Var]bool  // used not only by components
	depth    map[*tail.Var]int
	nests    map[*tail.Let]bool // answers of OneNest
	now      int
}

// Part is a component of a variable, or of one of its components: path has the
// numbers of the components on the way to it.
type Part struct {
	V    *tail.Var
	path string
}

// PartOf returns the variable itself.
func PartOf(v *tail.Var) Part { return Part{V: v} }

// Component returns component i of a part.
func (p Part) Component(i int) Part { return Part{p.V, p.path + strconv.Itoa(i) + " "} }

// ComponentOf returns the part of a variable that e is.
func ComponentOf(e tail.Expr) (p Part, ok bool) {
	switch e := e.(type) {
	case *tail.Ref:
		return Part{V: e.Var}, true
	case *tail.Proj:
		p, ok = ComponentOf(e.X)
		return p.Component(e.I), ok
	}
	return Part{}, false
}

// Moment is a time in the order of evaluation, with the branches that are not
// taken when it comes.
type Moment struct {
	Time  int
	other *otherwise
}

// otherwise is the time of the Else of an If, of what is in its Then; outer is
// that of an If of whose Then this one is part.
type otherwise struct {
	from, to int // uses with from < time ≤ to are in Else
	outer    *otherwise
}

// Follows reports whether one of the times comes after m on a path that does.
func (m Moment) follows(times []int) bool {
	i, _ := slices.BinarySearch(times, m.Time+1)
	for o := m.other; i < len(times); o = o.outer {
		if o == nil || times[i] <= o.from {
			return true
		}
		skipped, _ := slices.BinarySearch(times[i:], o.to+1)
		i += skipped
	}
	return false
}

// Walk notes the uses in the body e of a function, or of the program, with its parameters.
func (live *Uses) Walk(params []*tail.Var, e tail.Expr) {
	for _, p := range params {
		live.depth[p] = 0
	}
	w := &livenessWalk{Uses: live, captured: map[int][]*tail.Var{}, capturedParts: map[int][]Part{}}
	w.bindings(e, 0)
	w.seen = map[*tail.Var]bool{}
	w.backward(e, 0)
}

// New makes an analysis of no function.
func New() *Uses {
	return &Uses{Count: map[*tail.Var]int{}, OfShape: map[*tail.Var]int{}, Deep: map[*tail.Var]bool{}, Last: map[*tail.Ref]bool{},
		Times: map[tail.Expr]Moment{}, Captures: map[*tail.Apply][]*tail.Var{}, used: map[*tail.Var][]int{}, parts: map[Part][]int{}, Whole: map[*tail.Var]bool{}, depth: map[*tail.Var]int{}, nests: map[*tail.Let]bool{}}
}

type livenessWalk struct {
	*Uses
	seen  map[*tail.Var]bool
	added []*tail.Var
	other *otherwise // of the Ifs of whose Then the walk is in
	// captured has, for each depth, the variables of that depth that the functions of the
	// application at hand use, and capturedParts the components of such variables.
	captured      map[int][]*tail.Var
	capturedParts map[int][]Part
}

// end is the end of an application. A use in a function is one then, too: the function may be
// applied up to there, but no longer, unless what it gives is delayed, which is for those to
// see who delay it (Captures).
func (w *livenessWalk) end(e *tail.Apply, depth int) {
	known := map[*tail.Var]bool{}
	for _, v := range w.captured[depth] {
		if !known[v] {
			known[v] = true
			w.used[v] = append(w.used[v], w.now)
			w.Captures[e] = append(w.Captures[e], v)
		}
	}
	for _, p := range w.capturedParts[depth] {
		w.parts[p] = append(w.parts[p], w.now)
	}
	delete(w.captured, depth)
	delete(w.capturedParts, depth)
}

// bindings records depths, uses and times, in order of evaluation.
func (w *livenessWalk) bindings(e tail.Expr, depth int) {
	switch e := e.(type) {
	case *tail.Ref:
		w.Whole[e.Var] = true
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
				w.OfShape[r.Var]++
			}
		}
		w.now++
		w.Times[e] = Moment{w.now, w.other}
		w.end(e, depth)
	case *tail.Lam:
		for _, p := range e.Params {
			w.depth[p] = depth + 1
		}
		w.bindings(e.Body, depth+1)
	case *tail.Call:
		w.bindingsAll(e.Args, depth)
		w.now++
		w.Times[e] = Moment{w.now, w.other}
	case *tail.If:
		w.bindings(e.Cond, depth)
		o := &otherwise{outer: w.other}
		w.other = o
		w.bindings(e.Then, depth)
		w.other, o.from = o.outer, w.now
		w.bindings(e.Else, depth)
		o.to = w.now
		w.now++
		w.Times[e] = Moment{w.now, w.other}
	case *tail.Tuple:
		w.bindingsAll(e.Elems, depth)
	case *tail.Proj:
		p, ok := ComponentOf(e)
		if !ok {
			w.bindings(e.X, depth)
			return
		}
		w.use(p.V, depth)
		w.parts[p] = append(w.parts[p], w.now)
		if at := w.depth[p.V]; depth > at {
			w.capturedParts[at] = append(w.capturedParts[at], p)
		}
	}
}

// shapeOps are the ops that read the shape of their argument, and no element.
var shapeOps = map[tail.Op]bool{tail.OpShape: true, tail.OpTally: true, tail.OpCount: true}

// use records a use of v.
func (w *livenessWalk) use(v *tail.Var, depth int) {
	w.now++
	w.Count[v]++
	w.Deep[v] = w.Deep[v] || depth > w.depth[v]
	w.used[v] = append(w.used[v], w.now)
	if at := w.depth[v]; depth > at {
		w.captured[at] = append(w.captured[at], v)
	}
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
			w.Last[e] = depth == w.depth[e.Var]
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

// UsedAfter reports whether the last use of v is after a time.
func (l *Uses) UsedAfter(v *tail.Var, time int) bool {
	used := l.used[v]
	return len(used) > 0 && used[len(used)-1] > time
}

// Follows reports whether v is used after a moment.
func (l *Uses) Follows(v *tail.Var, now Moment) bool { return now.follows(l.used[v]) }

// PartFollows is follows for a component of a variable.
func (l *Uses) PartFollows(p Part, now Moment) bool { return now.follows(l.parts[p]) }
