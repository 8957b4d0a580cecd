package opt

import "github.com/tailor-lang/tailor/tail"

// named binds what is dear and occurs several times, as reductions, scans and searches, to
// variables in front of the statements in which it stands, so that cse finds it. It is
// total, and is computed whenever the statement is.
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
		if c.times[id] > 1 && c.effects.Total(a) {
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

// counts notes that e is dear, with its id.
func (c *commons) counts(e *tail.Apply, id int) {
	if c.times != nil && dear[e.Op] {
		c.times[id]++
		c.numbers[e] = id
	}
}

type namer struct {
	*optimiser
	twice map[*tail.Apply]bool
}

// block names what is dear in a chain of lets and what it ends with.
func (n *namer) block(e tail.Expr) tail.Expr {
	frames, last := unlet(e, nil)
	var out []letFrame
	for _, f := range frames {
		if a, ok := f.bind.(*tail.Apply); !ok || !n.twice[a] {
			f.bind = n.strict(f.bind, &out)
		}
		out = append(out, f)
	}
	last = n.strict(last, &out)
	return rebuilt(out, last)
}

// strict names what is dear in what is evaluated whenever e is, in front; what
// branches and functions evaluate they keep.
func (n *namer) strict(e tail.Expr, front *[]letFrame) tail.Expr {
	switch e := e.(type) {
	case *tail.Let:
		return n.block(e)
	case *tail.Lam:
		return e
	case *tail.If:
		cond := n.strict(e.Cond, front)
		return &tail.If{At: e.At, Cond: cond, Then: n.block(e.Then), Else: n.block(e.Else), Ty: e.Ty}
	case *tail.Apply:
		if n.twice[e] {
			v := n.variable("r", e.Ty)
			*front = append(*front, letFrame{e.At, v, e})
			return &tail.Ref{At: e.At, Var: v}
		}
	}
	return tail.MapChildren(e, func(x tail.Expr) tail.Expr { return n.strict(x, front) })
}
