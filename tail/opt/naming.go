package opt

import "github.com/tailor-lang/tailor/tail"

// named binds reductions to numbers and searches for first items that occur several times
// to variables in front of the statements in which they stand, so that cse finds them. They are
// total, and are computed whenever the statement is.
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

// counts notes that e is a reduction to a number, or a search for first items, with its id.
func (c *commons) counts(e *tail.Apply, id int) {
	if c.times != nil && ((e.Op == tail.OpReduce || e.Op == tail.OpReduce1) && tail.RankOf(e) == 0 || e.Op == tail.OpFirstItem) {
		c.times[id]++
		c.numbers[e] = id
	}
}

type namer struct {
	*optimiser
	twice map[*tail.Apply]bool
}

// block names expressions in a chain of lets and what it ends with.
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

// strict names expressions in what is evaluated whenever e is, in front; what
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
