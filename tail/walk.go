package tail

// Children calls f with every direct subexpression of e, in the order in which
// the text form writes them. The body of a lambda is a subexpression of it.
func Children(e Expr, f func(Expr)) {
	switch e := e.(type) {
	case *Lit, *Ref:
	case *Vec:
		for _, x := range e.Elems {
			f(x)
		}
	case *Let:
		f(e.Bind)
		f(e.Body)
	case *Apply:
		for _, x := range e.Args {
			f(x)
		}
	case *Lam:
		f(e.Body)
	case *Call:
		for _, x := range e.Args {
			f(x)
		}
	case *If:
		f(e.Cond)
		f(e.Then)
		f(e.Else)
	case *Tuple:
		for _, x := range e.Elems {
			f(x)
		}
	case *Proj:
		f(e.X)
	default:
		panic("internal error: unknown expression")
	}
}

// Walk calls visit with e and then, where visit returns true, with everything
// below it, outermost first.
func Walk(e Expr, visit func(Expr) bool) {
	for {
		if !visit(e) {
			return
		}
		let, ok := e.(*Let)
		if !ok {
			break
		}
		Walk(let.Bind, visit)
		e = let.Body
	}
	Children(e, func(x Expr) { Walk(x, visit) })
}

// MapChildren returns e with f applied to every direct subexpression, in the
// order of Children; it is e itself when f changed nothing. Types are kept as
// they were.
func MapChildren(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Lit, *Ref:
		return e
	case *Vec:
		if xs, changed := mapAll(e.Elems, f); changed {
			return &Vec{At: e.At, Elems: xs, Ty: e.Ty}
		}
		return e
	case *Let:
		bind, body := f(e.Bind), f(e.Body)
		if bind == e.Bind && body == e.Body {
			return e
		}
		return &Let{At: e.At, Var: e.Var, Bind: bind, Body: body}
	case *Apply:
		if xs, changed := mapAll(e.Args, f); changed {
			return e.WithArgs(xs)
		}
		return e
	case *Lam:
		if body := f(e.Body); body != e.Body {
			return &Lam{At: e.At, Params: e.Params, Body: body}
		}
		return e
	case *Call:
		if xs, changed := mapAll(e.Args, f); changed {
			return &Call{At: e.At, Fn: e.Fn, Args: xs, Ty: e.Ty}
		}
		return e
	case *If:
		c, a, b := f(e.Cond), f(e.Then), f(e.Else)
		if c == e.Cond && a == e.Then && b == e.Else {
			return e
		}
		return &If{At: e.At, Cond: c, Then: a, Else: b, Ty: e.Ty}
	case *Tuple:
		if xs, changed := mapAll(e.Elems, f); changed {
			return &Tuple{At: e.At, Elems: xs, Shape: e.Shape, Proto: e.Proto, Item: e.Item}
		}
		return e
	case *Proj:
		if x := f(e.X); x != e.X {
			return &Proj{At: e.At, X: x, I: e.I}
		}
		return e
	}
	panic("internal error: unknown expression")
}

func mapAll(xs []Expr, f func(Expr) Expr) (mapped []Expr, changed bool) {
	for i, x := range xs {
		y := f(x)
		if y != x && !changed {
			changed = true
			mapped = append(make([]Expr, 0, len(xs)), xs[:i]...)
		}
		if changed {
			mapped = append(mapped, y)
		}
	}
	if !changed {
		return xs, false
	}
	return mapped, true
}

// WithArgs returns a copy of e with other arguments, of types that leave the
// type of the result as it is.
func (e *Apply) WithArgs(args []Expr) *Apply {
	c := *e
	c.Args = args
	return &c
}

// Map rebuilds e from the leaves up: f sees every expression with its
// subexpressions already replaced.
func Map(e Expr, f func(Expr) Expr) Expr {
	return f(MapChildren(e, func(x Expr) Expr { return Map(x, f) }))
}

// ExprSize returns the number of nodes of e.
func ExprSize(e Expr) int {
	n := 0
	Walk(e, func(Expr) bool { n++; return true })
	return n
}

// FreeVars returns the variables that e mentions and does not bind, in the
// order of their first use.
func FreeVars(e Expr) []*Var {
	var free []*Var
	bound, seen := map[*Var]bool{}, map[*Var]bool{}
	Walk(e, func(x Expr) bool {
		switch x := x.(type) {
		case *Let:
			bound[x.Var] = true
		case *Lam:
			for _, p := range x.Params {
				bound[p] = true
			}
		case *Ref:
			if !seen[x.Var] {
				seen[x.Var] = true
				free = append(free, x.Var)
			}
		}
		return true
	})
	kept := free[:0]
	for _, v := range free {
		if !bound[v] {
			kept = append(kept, v)
		}
	}
	return kept
}

// IsRef reports whether e is a use of v.
func IsRef(e Expr, v *Var) bool {
	r, ok := e.(*Ref)
	return ok && r.Var == v
}

// Mentions reports whether e uses v.
func Mentions(e Expr, v *Var) bool {
	found := false
	Walk(e, func(x Expr) bool {
		found = found || IsRef(x, v)
		return !found
	})
	return found
}

// Uses counts the uses of every variable in e.
func Uses(e Expr) map[*Var]int {
	n := map[*Var]int{}
	Walk(e, func(x Expr) bool {
		if r, ok := x.(*Ref); ok {
			n[r.Var]++
		}
		return true
	})
	return n
}

// copier copies expressions with fresh variables.
type copier struct {
	vars  map[*Var]Expr   // what replaces a variable
	sizes map[string]Size // what replaces a size variable in types; nil for nothing
	fresh bool            // bind fresh variables
}

// Copy returns a copy of e in which every bound variable is a fresh one, so
// that it can stand beside e.
func Copy(e Expr) Expr {
	c := copier{vars: map[*Var]Expr{}, fresh: true}
	return c.expr(e)
}

// CopyWith is Copy with free variables replaced by expressions and size
// variables, in types, by sizes. An expression that stands for a variable that
// is used more than once is shared, not copied; it should bind nothing.
func CopyWith(e Expr, vars map[*Var]Expr, sizes map[string]Size) Expr {
	c := copier{vars: map[*Var]Expr{}, sizes: sizes, fresh: true}
	for v, x := range vars {
		c.vars[v] = x
	}
	return c.expr(e)
}

// Subst returns e with free variables replaced by expressions. Variables are
// bound once in a program, so nothing is captured.
func Subst(e Expr, vars map[*Var]Expr) Expr {
	c := copier{vars: vars}
	return c.expr(e)
}

func (c *copier) expr(e Expr) Expr {
	switch e := e.(type) {
	case *Ref:
		x, ok := c.vars[e.Var]
		if !ok {
			return e
		}
		if r, isRef := x.(*Ref); isRef && c.fresh {
			return &Ref{At: e.At, Var: r.Var}
		}
		return x
	case *Let:
		if !c.fresh {
			break
		}
		bind := c.expr(e.Bind)
		v := c.bind(e.Var)
		return &Let{At: e.At, Var: v, Bind: bind, Body: c.expr(e.Body)}
	case *Lam:
		if !c.fresh {
			break
		}
		params := make([]*Var, len(e.Params))
		for i, p := range e.Params {
			params[i] = c.bind(p)
		}
		return &Lam{At: e.At, Params: params, Body: c.expr(e.Body)}
	}
	return c.resized(MapChildren(e, c.expr))
}

// bind returns a fresh variable for v and makes uses of v uses of it.
func (c *copier) bind(v *Var) *Var {
	w := &Var{Name: v.Name, Type: SubstSizes(v.Type, c.sizes)}
	c.vars[v] = &Ref{Var: w}
	return w
}

// resized returns x with size variables replaced in its type.
func (c *copier) resized(x Expr) Expr {
	if len(c.sizes) == 0 {
		return x
	}
	switch x := x.(type) {
	case *Vec:
		y := *x
		y.Ty = SubstSizes(x.Ty, c.sizes).(*Array)
		return &y
	case *Apply:
		y := *x
		y.Ty = SubstSizes(x.Ty, c.sizes)
		return &y
	case *Call:
		y := *x
		y.Ty = SubstSizes(x.Ty, c.sizes)
		return &y
	case *If:
		y := *x
		y.Ty = SubstSizes(x.Ty, c.sizes)
		return &y
	}
	return x
}

// SubstSizes returns ty with size variables replaced.
func SubstSizes(ty Type, of map[string]Size) Type {
	if len(of) == 0 {
		return ty
	}
	switch ty := ty.(type) {
	case *Array:
		if !mentionsSizes(ty) {
			return ty
		}
		c := *ty
		c.Rank = ty.Rank.Subst(of)
		c.Extents = substAll(ty.Extents, of)
		c.Values = substAll(ty.Values, of)
		return &c
	case *TupleType:
		c := &TupleType{Shape: ty.Shape, Proto: ty.Proto}
		for _, e := range ty.Elems {
			c.Elems = append(c.Elems, SubstSizes(e, of))
		}
		return c
	case *FuncType:
		c := &FuncType{Result: SubstSizes(ty.Result, of)}
		for _, p := range ty.Params {
			c.Params = append(c.Params, SubstSizes(p, of))
		}
		return c
	}
	return ty
}

func mentionsSizes(ty *Array) bool {
	if len(ty.Rank.Terms) > 0 {
		return true
	}
	for _, s := range ty.Extents {
		if len(s.Terms) > 0 {
			return true
		}
	}
	for _, s := range ty.Values {
		if len(s.Terms) > 0 {
			return true
		}
	}
	return false
}

func substAll(sizes []Size, of map[string]Size) []Size {
	if sizes == nil {
		return nil
	}
	all := make([]Size, len(sizes))
	for i, s := range sizes {
		all[i] = s.Subst(of)
	}
	return all
}
