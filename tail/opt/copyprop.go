package opt

import "github.com/tailor-lang/tailor/tail"

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
	o.bodies(func(e tail.Expr) tail.Expr {
		c := &copies{optimiser: o, uses: map[*tail.Var]int{}, level: map[*tail.Var]int{}, inner: map[*tail.Var]bool{}, updated: map[*tail.Var]bool{}, subst: map[*tail.Var]tail.Expr{}}
		c.count(e, 0)
		return c.expr(e)
	})
}

type copies struct {
	*optimiser
	uses  map[*tail.Var]int
	level map[*tail.Var]int  // how many functions a variable is bound in
	inner map[*tail.Var]bool // used in a function that it is bound outside of
	// updated are the arrays that updates change
	updated map[*tail.Var]bool
	subst   map[*tail.Var]tail.Expr
}

func (c *copies) count(e tail.Expr, level int) {
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Let:
			c.level[x.Var] = level
		case *tail.Ref:
			c.uses[x.Var]++
			if c.level[x.Var] < level {
				c.inner[x.Var] = true
			}
		case *tail.Apply:
			if x.Op == tail.OpUpdate {
				if r, ok := x.Args[0].(*tail.Ref); ok {
					c.updated[r.Var] = true
				}
			}
		case *tail.Lam:
			c.count(x.Body, level+1)
			return false
		}
		return true
	})
}

func (c *copies) expr(e tail.Expr) tail.Expr {
	switch e := e.(type) {
	case *tail.Ref:
		if x, ok := c.subst[e.Var]; ok {
			return x
		}
		return e
	case *tail.Let:
		var frames []letFrame
		var x tail.Expr = e
		for {
			let, ok := x.(*tail.Let)
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
	return tail.MapChildren(e, c.expr)
}

// moves reports whether v, bound to bind, is substituted.
func (c *copies) moves(v *tail.Var, bind tail.Expr) bool {
	if c.uses[v] != 1 || c.inner[v] || !tail.Subtype(bind.Type(), v.Type) {
		return false
	}
	switch bind.(type) {
	case *tail.Let, *tail.Tuple:
		return false
	}
	if ty, ok := v.Type.(*tail.Array); !ok || !tail.IsRank(ty, 0) && !c.made[v] && v.Name != "v" {
		return false
	}
	return tail.ExprSize(bind) <= maxMoved && c.effects.Total(bind) && !c.readsUpdated(v, bind)
}

// readsUpdated reports whether v is a number that is computed from an array which is updated.
func (c *copies) readsUpdated(v *tail.Var, bind tail.Expr) bool {
	if ty, ok := v.Type.(*tail.Array); !ok || !tail.IsRank(ty, 0) || len(c.updated) == 0 {
		return false
	}
	found := false
	tail.Walk(bind, func(e tail.Expr) bool {
		r, ok := e.(*tail.Ref)
		found = found || ok && c.updated[r.Var]
		return !found
	})
	return found
}
