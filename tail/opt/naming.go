package opt

import "github.com/tailor-lang/tailor/tail"

// named binds what is dear and occurs several times, as reductions, scans and searches, to
// variables in front of the statements in which it stands, so that cse finds it; counts
// of which only the run knows how many they are, too, so that what they index is known to
// have one length. It is computed whenever the statement is, and is total; a count may be
// the first in the statement that faults.
//
//	let p:int = print(reduce(addi,0,v)) in f(reduce(addi,0,v))
//
// becomes
//
//	let r:int = reduce(addi,0,v) in let p:int = print(r) in let r':int = reduce(addi,0,v) in f(r')
func (c *commons) named(e tail.Expr) tail.Expr {
	c.times, c.numbers = map[int]int{}, map[*tail.Apply]int{}
	c.expr(e)
	n := &namer{optimiser: c.optimiser, twice: map[*tail.Apply]bool{}}
	for a, id := range c.numbers {
		if c.times[id] > 1 {
			n.twice[a] = true
		}
	}
	if len(n.twice) == 0 {
		return e
	}
	return n.block(e)
}

// dear are the ops of which each element of a result takes long, or which are done as a
// whole.
var dear = map[tail.Op]bool{
	tail.OpReduce: true, tail.OpReduce1: true, tail.OpScan: true, tail.OpInner: true, tail.OpInner1: true, tail.OpChain: true,
	tail.OpMember: true, tail.OpIndexOf: true, tail.OpIntervalIndex: true, tail.OpUnique: true, tail.OpWhere: true,
	tail.OpGradeUp: true, tail.OpGradeDown: true, tail.OpFind: true, tail.OpFirstItem: true,
}

// counts notes that e is dear, or gives a length, with its id.
func (c *commons) counts(e *tail.Apply, id int) {
	if c.times != nil && (dear[e.Op] || e.Op == tail.OpIota && !tail.TypeOf(e).Extent(0).Known()) {
		c.times[id]++
		c.numbers[e] = id
	}
}

type namer struct {
	*optimiser
	twice map[*tail.Apply]bool
	late  bool // what the statement evaluates before may fault
	inner bool // in a function of elements, cells or states: lengths only
}

// block names what is dear in a chain of lets and what it ends with.
func (n *namer) block(e tail.Expr) tail.Expr {
	frames, last := unlet(e, nil)
	before, some := n.late, false
	var out []letFrame
	for _, f := range frames {
		n.late = false
		if a, ok := f.bind.(*tail.Apply); ok && n.twice[a] {
			n.late = !n.effects.Total(a)
		} else {
			f.bind = n.strict(f.bind, &out)
		}
		out, some = append(out, f), some || n.late
	}
	n.late = false
	last = n.strict(last, &out)
	n.late = before || some || n.late
	return rebuilt(out, last)
}

// strict names what is dear in what is evaluated whenever e is, in front; what
// branches and functions evaluate they keep.
func (n *namer) strict(e tail.Expr, front *[]letFrame) tail.Expr {
	switch e := e.(type) {
	case *tail.Let:
		return n.block(e)
	case *tail.Lam:
		if _, ok := e.Body.(*tail.Let); !ok {
			return e
		}
		was := *n
		n.inner = true
		done := &tail.Lam{At: e.At, Params: e.Params, Body: n.block(e.Body)}
		*n = was
		return done
	case *tail.If:
		cond := n.strict(e.Cond, front)
		return &tail.If{At: e.At, Cond: cond, Then: n.block(e.Then), Else: n.block(e.Else), Ty: e.Ty}
	case *tail.Apply:
		if n.twice[e] && n.movable(e) {
			v := n.variable("r", e.Ty)
			*front = append(*front, letFrame{e.At, v, e})
			return &tail.Ref{At: e.At, Var: v}
		}
		e = tail.MapChildren(e, func(x tail.Expr) tail.Expr { return n.strict(x, front) }).(*tail.Apply)
		n.late = n.late || n.faults(e)
		return e
	case *tail.Call:
		e = tail.MapChildren(e, func(x tail.Expr) tail.Expr { return n.strict(x, front) }).(*tail.Call)
		n.late = n.late || n.effects.OfFunc(e.Fn) != 0
		return e
	}
	return tail.MapChildren(e, func(x tail.Expr) tail.Expr { return n.strict(x, front) })
}

// movable reports whether e may come before what the statement evaluates before it. In
// functions of elements, cells and states what is dear stays where it is: nests over one
// space are joined there.
func (n *namer) movable(e *tail.Apply) bool {
	if dear[e.Op] {
		return !n.inner && n.effects.Total(e)
	}
	return !n.late || n.effects.Total(e)
}

// faults reports whether e, or a function that it applies, may fault or has effects.
func (n *namer) faults(e *tail.Apply) bool {
	if n.effects.Own(e) != 0 {
		return true
	}
	for _, x := range e.Args {
		if l, ok := x.(*tail.Lam); ok && !n.effects.Total(l) {
			return true
		}
	}
	return false
}
