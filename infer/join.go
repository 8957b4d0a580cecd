package infer

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// Arrays of arrays that are joined where they are made.

// bare returns an expression without parentheses around it.
func bare(x apl.Expr) apl.Expr {
	for {
		p, ok := x.(*apl.Paren)
		if !ok {
			return x
		}
		x = p.X
	}
}

// derivedBy returns the left operand of a function that a primitive operator
// derives, nil for other functions.
func derivedBy(f apl.Func, glyph string) apl.Func {
	d, ok := f.(*apl.Derived)
	if !ok {
		return nil
	}
	if op, ok := d.Op.(*apl.PrimOp); !ok || op.Glyph != glyph {
		return nil
	}
	return d.Left.Func
}

func isPrim(f apl.Func, glyph string) bool {
	p, ok := f.(*apl.Prim)
	return ok && p.Glyph == glyph
}

// joinExpr returns ⊃,/f¨y (with one argument or two), and with mix ↑n,/y; nil
// for other expressions, of which nothing is evaluated then.
func (g *infer) joinExpr(y apl.Expr, mix bool) tail.Expr {
	switch y := bare(y).(type) {
	case *apl.Dyadic:
		if mix && isPrim(derivedBy(y.F, "/"), ",") {
			return g.windowRows(y)
		}
	case *apl.Monadic:
		if !isPrim(derivedBy(y.F, "/"), ",") {
			if _, dfn := derivedBy(y.F, "/").(*apl.Dfn); dfn && !mix {
				return g.firstOfFold(y)
			}
			return nil
		}
		switch each := bare(y.Y).(type) {
		case *apl.Monadic:
			if f := derivedBy(each.F, "¨"); f != nil {
				return g.joinEach(y.F, each.F, nil, each.Y)
			}
		case *apl.Dyadic:
			if f := derivedBy(each.F, "¨"); f != nil {
				return g.joinEach(y.F, each.F, each.X, each.Y)
			}
		}
	}
	return nil
}

// firstOfFold is ⊃f/y of a dfn.
func (g *infer) firstOfFold(fold *apl.Monadic) tail.Expr {
	s := site{fn: fold.F.Span(), right: fold.Y.Span()}
	first := &primitive{glyph: "⊃", at: fold.F.Span()}
	if e := g.foldExpr(fold); e != nil {
		return g.monadic(first, e, s)
	}
	var f function
	y := g.inOrder(
		func() tail.Expr { f = g.function(fold.F); return nil },
		func() tail.Expr { return g.eval(fold.Y) },
	)[1]
	if d, ok := f.(*derived); ok && d.op == "/" && d.left.fn != nil && isLong(y) && g.blamed == nil {
		if z := g.foldOfScalars(d.left.fn, y, s); z != nil {
			return z
		}
	}
	return g.monadic(first, g.monadic(f, y, s), s)
}

// foldOfScalars is ⊃f/y of a vector, where f gives arrays that are no scalars, and takes
// them: of one element it is that scalar. It is nil for other functions.
func (g *infer) foldOfScalars(f function, y tail.Expr, s site) tail.Expr {
	if t, ok := g.ofScalars(f, tail.TypeOf(y).Elem, s).Body.Type().(*tail.Array); !ok || t.Dims() == 0 {
		return nil
	}
	y = g.name(y)
	n := g.name(g.fromPrelude(g.preludeClosure("someitems"), nil, g.op(tail.OpTally, s, y), s))
	item := func(back int) tail.Expr {
		return g.op(tail.OpIndex, s, y, g.op(tail.OpSubI, s, n, g.intLit(s, back)))
	}
	between := site{fn: s.fn, left: s.right, right: s.right}
	many := g.block(func() tail.Expr {
		last := g.name(item(0))
		return g.foldedOn(f, y, g.name(g.op(tail.OpSubI, s, n, g.intLit(s, 2))), g.name(g.dyadic(f, item(1), last, between)), s)
	})
	if notOne(tail.TypeOf(y).Extent(0)) {
		return many
	}
	one := g.op(tail.OpEqI, s, n, g.intLit(s, 1))
	return g.name(g.branch(one, item(0), many, s.fn, s.fn))
}

// windowRows is ↑n,/y: the rows are the windows of a vector.
func (g *infer) windowRows(w *apl.Dyadic) tail.Expr {
	parts := g.inOrder(func() tail.Expr { return g.eval(w.X) }, func() tail.Expr { return g.eval(w.Y) })
	s := site{fn: w.F.Span(), left: w.X.Span(), right: w.Y.Span()}
	x, y := parts[0], parts[1]
	n, ok := integer(x)
	if isTuple(y) || g.arr(y, s.right).Dims() != 1 || !ok || n < 2 { // one item by itself is no row
		return g.mixed1(g.dyadic(g.function(w.F), x, y, s), s)
	}
	return g.fromPrelude(g.preludeClosure("windowrows"), x, y, s)
}

// joinEach is ⊃,/f¨y or ⊃,/x f¨y of vectors.
func (g *infer) joinEach(join, each apl.Func, left, right apl.Expr) tail.Expr {
	var f function
	evaluate := []func() tail.Expr{
		func() tail.Expr { f = g.function(each); return nil },
		func() tail.Expr { return g.eval(right) },
	}
	s := site{fn: each.Span(), right: right.Span()}
	if left != nil {
		evaluate = append([]func() tail.Expr{func() tail.Expr { return g.eval(left) }}, evaluate...)
		s.left = left.Span()
	}
	parts := g.inOrder(evaluate...)
	y := parts[len(parts)-1]
	var x tail.Expr
	if left != nil {
		x = parts[0]
	}
	d, ok := f.(*derived)
	if isEither(y) && x == nil { // ⊃,/f¨ of a scalar is that of a vector of one element
		y, _ = g.raveledEither(y, s)
	}
	if ok && d.op == "¨" && d.left.fn != nil && isVector(y) && (x == nil || isVector(x)) {
		if x == nil {
			y = g.name(y)
		} else {
			x, y = g.names2(x, y)
		}
		if e := g.joinVectors(d.left, x, y, s); e != nil {
			return e
		}
	}
	e := y
	if x == nil {
		e = g.monadic(f, y, s)
	} else {
		e = g.dyadic(f, x, y, s)
	}
	whole := site{fn: join.Span(), right: each.Span()}
	e = g.monadic(g.function(join), e, whole)
	return g.monadic(&primitive{glyph: "⊃", at: join.Span()}, e, whole)
}

func isVector(e tail.Expr) bool {
	t, ok := e.Type().(*tail.Array)
	return ok && t.Dims() == 1
}

// isSimpleEither reports whether t is the type of simple arrays that are scalars or vectors.
func isSimpleEither(t tail.Type) bool {
	if !isEitherType(t) {
		return false
	}
	_, simple := t.(*tail.TupleType).Elems[0].(*tail.Array)
	return simple
}

// joinVectors catenates the vectors that f gives for the elements of vectors;
// nil where f gives scalars. The vectors have names. Where all have one length they are
// the rows of a matrix, else each is catenated to those before.
func (g *infer) joinVectors(f operand, x, y tail.Expr, s site) tail.Expr {
	var types []tail.Type
	if x != nil {
		types = append(types, tail.Scalar(tail.TypeOf(x).Elem))
	}
	types = append(types, tail.Scalar(tail.TypeOf(y).Elem))
	l := g.lambda(s.fn, types, func(a []tail.Expr) tail.Expr {
		if len(a) == 1 {
			return g.monadic(f.fn, a[0], s)
		}
		return g.dyadic(f.fn, a[0], a[1], s)
	})
	if x == nil && isSimpleEither(l.Body.Type()) {
		parts := g.components(g.gathered(y, func(a tail.Expr) tail.Expr { return g.monadic(f.fn, a, s) }, s))
		one := g.op(tail.OpEqI, s, g.op(tail.OpTally, s, y), g.intLit(s, 1))
		scalar := g.op(tail.OpReduce, s, tail.NewOpLam(s.fn, tail.OpAndB), lit(s.fn, array.ScalarBool(true)), parts[1])
		return g.ofEither(g.components(parts[0])[0], g.op(tail.OpAndB, s, one, scalar), s)
	}
	t, ok := l.Body.Type().(*tail.Array)
	if !ok || t.Dims() != 1 {
		return nil
	}
	if _, constant := t.Extent(0).IsConst(); constant {
		zero := operand{lit: lit(s.fn, array.ScalarInt(0)), at: s.fn}
		rank := &derived{op: "⍤", left: f, right: zero, at: s.fn}
		if x == nil {
			return g.ravel(g.rankMonadic(rank, y, s), s)
		}
		return g.ravel(g.rankDyadic(rank, x, y, s), s)
	}
	if x == nil {
		return g.components(g.gathered(y, func(a tail.Expr) tail.Expr { return g.monadic(f.fn, a, s) }, s))[0]
	}
	numbers := g.op(tail.OpIota, s, g.op(tail.OpTally, s, y))
	return g.components(g.gathered(g.name(g.asMany(x, numbers, s)), func(i tail.Expr) tail.Expr {
		b := g.name(g.op(tail.OpIndex, s, y, i))
		return g.dyadic(f.fn, g.name(g.op(tail.OpIndex, s, x, i)), b, s)
	}, s))[0]
}
