package tail

// maxMoved is the size of the largest expression that copyprop moves.
const maxMoved = 100

// copyprop substitutes a variable that is used once, if what it is bound to is
// total and the use is not in a function that the variable is outside of, so
// that nothing is computed more often. Arrays that users named keep their
// variable.
//
// Requires: nothing. Preserves: types.
//
//	let v:<int>n = reverse(x) in each(negi,v)   becomes   each(negi,reverse(x))
func copyprop(o *optimiser) {
	o.bodies(func(e Expr) Expr {
		c := &copies{optimiser: o, uses: map[*Var]int{}, level: map[*Var]int{}, inner: map[*Var]bool{}, subst: map[*Var]Expr{}}
		c.count(e, 0)
		return c.expr(e)
	})
}

type copies struct {
	*optimiser
	uses  map[*Var]int
	level map[*Var]int  // how many functions a variable is bound in
	inner map[*Var]bool // used in a function that it is bound outside of
	subst map[*Var]Expr
}

func (c *copies) count(e Expr, level int) {
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Let:
			c.level[x.Var] = level
		case *Ref:
			c.uses[x.Var]++
			if c.level[x.Var] < level {
				c.inner[x.Var] = true
			}
		case *Lam:
			c.count(x.Body, level+1)
			return false
		}
		return true
	})
}

func (c *copies) expr(e Expr) Expr {
	switch e := e.(type) {
	case *Ref:
		if x, ok := c.subst[e.Var]; ok {
			return x
		}
		return e
	case *Let:
		var frames []letFrame
		var x Expr = e
		for {
			let, ok := x.(*Let)
			if !ok {
				break
			}
			bind := c.expr(let.Bind)
			if c.moves(let.Var, bind) {
				c.subst[let.Var] = bind
			} else {
				frames = append(frames, letFrame{let.At, let.Var, bind})
			}
			x = let.Body
		}
		return rebuilt(frames, c.expr(x))
	}
	return MapChildren(e, c.expr)
}

// moves reports whether v, bound to bind, is substituted.
func (c *copies) moves(v *Var, bind Expr) bool {
	if c.uses[v] != 1 || c.inner[v] || !Subtype(bind.Type(), v.Type) {
		return false
	}
	switch bind.(type) {
	case *Let, *Tuple:
		return false
	}
	if ty, ok := v.Type.(*Array); !ok || !isRank(ty, 0) && !c.made[v] && v.Name != "v" {
		return false
	}
	return ExprSize(bind) <= maxMoved && c.effects.Total(bind)
}
