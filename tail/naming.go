package tail

// named binds reductions to numbers that occur several times to variables in
// front of the statements in which they stand, so that cse finds them. They are
// total, and are computed whenever the statement is.
//
//	let p:int = print(reduce(addi,0,v)) in f(reduce(addi,0,v))
//
// becomes
//
//	let r:int = reduce(addi,0,v) in let p:int = print(r) in let r':int = reduce(addi,0,v) in f(r')
func (c *commons) named(e Expr) Expr {
	c.times, c.numbers = map[int]int{}, map[*Apply]int{}
	c.expr(e)
	n := &namer{optimiser: c.optimiser, twice: map[*Apply]bool{}}
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

// counts notes that e is a reduction to a number, with its id.
func (c *commons) counts(e *Apply, id int) {
	if c.times != nil && (e.Op == OpReduce || e.Op == OpReduce1) && rankOf(e) == 0 {
		c.times[id]++
		c.numbers[e] = id
	}
}

type namer struct {
	*optimiser
	twice map[*Apply]bool
}

// block names reductions in a chain of lets and what it ends with.
func (n *namer) block(e Expr) Expr {
	frames, last := unlet(e, nil)
	var out []letFrame
	for _, f := range frames {
		if a, ok := f.bind.(*Apply); !ok || !n.twice[a] {
			f.bind = n.strict(f.bind, &out)
		}
		out = append(out, f)
	}
	last = n.strict(last, &out)
	return rebuilt(out, last)
}

// strict names reductions in what is evaluated whenever e is, in front; what
// branches and functions evaluate they keep.
func (n *namer) strict(e Expr, front *[]letFrame) Expr {
	switch e := e.(type) {
	case *Let:
		return n.block(e)
	case *Lam:
		return e
	case *If:
		cond := n.strict(e.Cond, front)
		return &If{At: e.At, Cond: cond, Then: n.block(e.Then), Else: n.block(e.Else), Ty: e.Ty}
	case *Apply:
		if n.twice[e] {
			v := n.variable("r", e.Ty)
			*front = append(*front, letFrame{e.At, v, e})
			return &Ref{At: e.At, Var: v}
		}
	}
	return MapChildren(e, func(x Expr) Expr { return n.strict(x, front) })
}
