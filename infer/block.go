package infer

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// let is a binding of a block, in order of evaluation.
type let struct {
	v *tail.Var
	e tail.Expr
}

// block runs body with a new block and returns its result inside the lets
// that it made.
func (g *infer) block(body func() tail.Expr) tail.Expr {
	saved, id := g.lets, g.blockID
	g.serial++
	g.lets, g.blockID = nil, g.serial
	defer func() { g.lets, g.blockID = saved, id }()
	e := body()
	lets := g.lets
	for i := len(lets) - 1; i >= 0; i-- {
		e = &tail.Let{At: tail.At{Where: lets[i].e.Span()}, Var: lets[i].v, Bind: lets[i].e, Body: e}
	}
	return e
}

// bind adds a let to the block and returns its variable.
func (g *infer) bind(name string, e tail.Expr) *tail.Var {
	v := &tail.Var{Name: name, Type: e.Type(), Size: tail.SizeOf(e)}
	g.lets = append(g.lets, let{v, e})
	g.known[v] = &bound{e: e}
	return v
}

// atomic reports whether e may be dropped, duplicated and moved freely.
func atomic(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit, *tail.Ref:
		return true
	case *tail.Proj:
		return atomic(e.X)
	case *tail.Tuple:
		for _, x := range e.Elems {
			if !atomic(x) {
				return false
			}
		}
		return true
	}
	return false
}

// name returns an expression for the value of e that may be used many times.
func (g *infer) name(e tail.Expr) tail.Expr {
	if atomic(e) {
		return e
	}
	if t, ok := e.(*tail.Tuple); ok {
		named := &tail.Tuple{At: t.At, Elems: make([]tail.Expr, len(t.Elems)), Shape: t.Shape, Proto: t.Proto}
		for i := len(t.Elems) - 1; i >= 0; i-- {
			named.Elems[i] = g.name(t.Elems[i])
		}
		return named
	}
	return &tail.Ref{At: tail.At{Where: e.Span()}, Var: g.bind("v", e)}
}

// names makes both arguments usable many times, the right one first.
func (g *infer) names2(x, y tail.Expr) (tail.Expr, tail.Expr) {
	y = g.name(y)
	return g.name(x), y
}

// inOrder evaluates from right to left: each part is a function that makes an
// expression. An expression that was made before a later one added lets is
// bound first, so that the order of effects and faults stays. Where a part is
// sure to fault the effects of those before it stay.
func (g *infer) inOrder(parts ...func() tail.Expr) []tail.Expr {
	made := make([]tail.Expr, len(parts))
	defer func() {
		if r := recover(); r != nil {
			for i := len(parts) - 1; i >= 0; i-- {
				if made[i] != nil {
					g.effect(made[i])
				}
			}
			panic(r)
		}
	}()
	for i := len(parts) - 1; i >= 0; i-- {
		mark := len(g.lets)
		made[i] = parts[i]()
		if len(g.lets) == mark {
			continue
		}
		added := append([]let{}, g.lets[mark:]...)
		g.lets = g.lets[:mark]
		for k := len(parts) - 1; k > i; k-- {
			if made[k] != nil {
				made[k] = g.name(made[k])
			}
		}
		g.lets = append(g.lets, added...)
	}
	return made
}

// inTurn evaluates from the first part to the last, as ¨ and outer products do.
func (g *infer) inTurn(parts ...func() tail.Expr) []tail.Expr {
	made := make([]tail.Expr, len(parts))
	for i, part := range parts {
		made[i] = g.name(part())
	}
	return made
}

// ref returns a use of v.
func ref(v *tail.Var, at diag.Span) *tail.Ref { return &tail.Ref{At: tail.At{Where: at}, Var: v} }

// lambda returns the function of parameters of the given types.
func (g *infer) lambda(at diag.Span, types []tail.Type, body func(args []tail.Expr) tail.Expr) *tail.Lam {
	return g.lambdaOver(nil, at, types, body)
}

// lambdaOver is lambda where the parameters are parts of arrays, or steps that
// begin with them, and have their sizes from there.
func (g *infer) lambdaOver(arrays []tail.Expr, at diag.Span, types []tail.Type, body func(args []tail.Expr) tail.Expr) *tail.Lam {
	defer func() {
		r := recover()
		if b, ok := r.(bottom); ok {
			b.often = true
			panic(b)
		}
		if r != nil {
			panic(r)
		}
	}()
	l := &tail.Lam{At: tail.At{Where: at}}
	args := make([]tail.Expr, len(types))
	for i, t := range types {
		p := &tail.Var{Name: "v", Type: t}
		if a, ok := t.(*tail.Array); ok && a.Dims() > 0 && arrays != nil {
			p.Size = tail.SizeOf(arrays[i])
		}
		l.Params = append(l.Params, p)
		args[i] = ref(p, at)
	}
	l.Body = g.block(func() tail.Expr { return body(args) })
	return l
}
