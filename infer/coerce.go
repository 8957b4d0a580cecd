package infer

import (
	"slices"

	"math"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/tail"
)

// joinElem returns the smallest element type that holds both.
func joinElem(a, b array.Elem) (array.Elem, bool) {
	switch {
	case a == b:
		return a, true
	case a == array.Char || b == array.Char:
		return 0, false
	}
	return max(a, b), true
}

// coerce converts e, an array, to another numeric element type. Conversions
// downwards are checked when the program runs.
func (g *infer) coerce(e tail.Expr, to array.Elem) tail.Expr {
	from := g.arr(e, e.Span())
	if from.Elem == array.Char && to != array.Char {
		e = g.noCharacters(e)
		from = tail.TypeOf(e)
	}
	if from.Elem == to {
		return e
	}
	if l, ok := e.(*tail.Lit); ok {
		if a := convert(l.Value, to); a != nil {
			return lit(l.Span(), a)
		}
	}
	if shape, ok := constShape(from); ok && isEmpty(from) && from.Elem == array.Char {
		g.effect(e)
		return lit(e.Span(), array.New(to, shape...)) // an empty text is no numbers, too
	}
	s := g.at
	if !s.fn.Valid() {
		s = site{fn: e.Span(), right: e.Span()}
	}
	g.refuted(e, to, s)
	if via := array.Double; (from.Elem == array.Complex || to == array.Complex) && from.Elem != via && to != via {
		return g.coerce(g.coerce(e, via), to)
	}
	op := coercion(from.Elem, to)
	g.down = g.down || to < from.Elem
	if op == tail.NoOp {
		if to != array.Char {
			g.perhapsNone(from, s)
		}
		g.fail(diag.Characters, s.fn, "%s where %s are needed", elemNoun(from.Elem), elemNoun(to))
	}
	return g.each(e, s, func(a tail.Expr) tail.Expr { return g.op(op, s, a) })
}

// refuted reports a conversion of known values that always fails.
func (g *infer) refuted(e tail.Expr, to array.Elem, s site) {
	t := tail.TypeOf(e)
	if l, ok := e.(*tail.Lit); ok && t.Elem == array.Complex {
		for _, z := range l.Value.Complexes {
			if _, ok := num.RealZ(z, g.tolerance); !ok {
				g.fault(tail.FaultNotReal, s, strings.TrimSpace(display.Format(array.ScalarDouble(imag(z)), g.precision())))
			}
		}
	}
	if l, ok := e.(*tail.Lit); ok && t.Elem == array.Double && (to == array.Int || to == array.Bool) {
		for _, d := range l.Value.Doubles {
			if convert(array.ScalarDouble(d), to) == nil && !g.near(d, to) {
				f := tail.FaultNotInteger
				if to == array.Bool {
					f = tail.FaultNotBoolean
				}
				g.fault(f, s, strings.TrimSpace(display.Format(array.ScalarDouble(d), g.precision())))
			}
		}
	}
	if to != array.Bool || t.Elem != array.Int {
		return
	}
	for _, v := range t.Values {
		if n, ok := v.IsConst(); ok && n != 0 && n != 1 {
			g.fault(tail.FaultNotBoolean, s, v)
		}
	}
}

// near reports whether a double may count as an integer or a truth value
// within the comparison tolerance.
func (g *infer) near(d float64, to array.Elem) bool {
	n, ok := num.NearInt(d, g.tolerance)
	return ok && (to != array.Bool || n == 0 || n == 1)
}

func elemNoun(e array.Elem) string {
	switch e {
	case array.Char:
		return "characters"
	case array.Bool:
		return "truth values"
	}
	return "numbers"
}

func coercion(from, to array.Elem) tail.Op {
	switch {
	case from == array.Bool && to == array.Int:
		return tail.OpB2I
	case from == array.Double && to == array.Complex:
		return tail.OpD2Z
	case from == array.Complex && to == array.Double:
		return tail.OpZ2D
	case from == array.Bool && to == array.Double:
		return tail.OpB2D
	case from == array.Int && to == array.Double:
		return tail.OpI2D
	case from == array.Double && to == array.Int:
		return tail.OpD2I
	case from == array.Int && to == array.Bool:
		return tail.OpI2B
	case from == array.Double && to == array.Bool:
		return tail.OpD2B
	}
	return tail.NoOp
}

// convert returns a with another element type, nil when an element does not
// have an exact value in it.
func convert(a *array.Array, to array.Elem) *array.Array {
	if a.Elem == array.Char || to == array.Char {
		return nil
	}
	r := array.New(to, a.Shape...)
	for i := range a.Len() {
		d := 0.0
		if a.Elem != array.Complex {
			d = a.Double(i)
		} else if d = real(a.Complexes[i]); imag(a.Complexes[i]) != 0 && to != array.Complex {
			return nil
		}
		switch to {
		case array.Complex:
			r.Complexes[i] = complex(d, 0)
		case array.Double:
			r.Doubles[i] = d
		case array.Int:
			if a.Elem < array.Double {
				r.Ints[i] = a.Int(i)
				continue
			}
			if d != math.Floor(d) || math.Abs(d) > 1<<53 {
				return nil
			}
			r.Ints[i] = int64(d)
		case array.Bool:
			if d != 0 && d != 1 {
				return nil
			}
			r.Bools[i] = byte(d)
		default:
			return nil
		}
	}
	return r
}

// joinTypes returns the type of a value that is of one of two types: element
// types widen, extents that differ are forgotten. It fails for different ranks.
func joinTypes(a, b tail.Type) (tail.Type, bool) {
	x, nested := a.(*tail.TupleType)
	y, both := b.(*tail.TupleType)
	switch {
	case isNoValue(a):
		return joinNoValue(b)
	case isNoValue(b):
		return joinNoValue(a)
	case nested && both && len(x.Elems) == len(y.Elems) && sameShape(x.Shape, y.Shape):
		return joinTuples(x, y)
	case nested || both:
		if t, ok := joinRagged(a, b); ok {
			return t, ok
		}
		if t, ok := joinColumns(a, b); ok {
			return t, ok
		}
		return joinEither(a, b)
	}
	if t, ok := joinArrays(a.(*tail.Array), b.(*tail.Array)); ok {
		return t, ok
	}
	return joinEither(a, b)
}

// joinTuples is joinTypes of tuples of one shape.
func joinTuples(x, y *tail.TupleType) (tail.Type, bool) {
	t := &tail.TupleType{Elems: make([]tail.Type, len(x.Elems)), Shape: x.Shape, Proto: tail.SameProto(x, y)}
	for i := range x.Elems {
		var ok bool
		if t.Elems[i], ok = joinTypes(x.Elems[i], y.Elems[i]); !ok {
			return joinRagged(x, y)
		}
	}
	return t, true
}

// joinArrays is joinTypes of simple arrays.
func joinArrays(x, y *tail.Array) (tail.Type, bool) {
	if x.Dims() != y.Dims() {
		return nil, false
	}
	elem, ok := joinElem(x.Elem, y.Elem)
	if !ok {
		return nil, false
	}
	sizes := make([]tail.Size, x.Dims())
	for i := range sizes {
		sizes[i] = joinSize(x.Extent(i), y.Extent(i))
	}
	t := tail.Shaped(elem, sizes...)
	if elem == x.Elem && elem == y.Elem && x.Values != nil && y.Values != nil && len(x.Values) == len(y.Values) {
		t.Values = joinValues(x.Values, y.Values)
	}
	return t, true
}

// sameShape reports whether two nested arrays have one shape; a nil shape is that
// of a vector.
func sameShape(a, b []int) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }

func joinSize(a, b tail.Size) tail.Size {
	if a.Equal(b) {
		return a
	}
	return tail.AnySize
}

func joinValues(a, b []tail.Size) []tail.Size {
	values, known := make([]tail.Size, len(a)), false
	for i := range a {
		values[i] = joinSize(a[i], b[i])
		known = known || values[i].Known()
	}
	if !known && len(values) > 0 {
		return nil
	}
	return values
}

// adapt coerces the elements of e to those of a type with the same ranks.
func (g *infer) adapt(e tail.Expr, to tail.Type) tail.Expr {
	if isNoValue(e.Type()) {
		return adaptNoValue(e.Span(), to)
	}
	t, ok := to.(*tail.TupleType)
	if !ok {
		return g.coerce(e, to.(*tail.Array).Elem)
	}
	if typeKey(e.Type(), true) == typeKey(to, true) {
		return e
	}
	if isEitherType(to) {
		return g.adaptEither(e, t)
	}
	if IsRagged(to) && !isRagged(e) {
		e = g.adaptRagged(e, t)
	}
	if IsColumns(to) && !isColumns(e) {
		e = g.adaptColumns(e, t)
	}
	items := g.components(e)
	r := &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: make([]tail.Expr, len(items)), Shape: t.Shape, Proto: t.Proto}
	for i := range items {
		r.Elems[i] = g.adapt(items[i], t.Elems[i])
	}
	return r
}

// toInt, toBool and toDouble coerce arguments.
func (g *infer) toInt(e tail.Expr) tail.Expr    { return g.coerce(e, array.Int) }
func (g *infer) toBool(e tail.Expr) tail.Expr   { return g.coerce(e, array.Bool) }
func (g *infer) toDouble(e tail.Expr) tail.Expr { return g.coerce(e, array.Double) }

// toComplex coerces arguments to complex numbers.
func (g *infer) toComplex(e tail.Expr) tail.Expr { return g.coerce(e, array.Complex) }

// single returns the only element of e, a scalar or an array of one element.
func (g *infer) single(e tail.Expr, s site, what string) tail.Expr {
	e, _ = g.raveledEither(e, s)
	t := g.arr(e, s.fn)
	if t.Dims() == 0 {
		return e
	}
	if isSingleton(t) {
		return g.op(tail.OpFirst, s, e)
	}
	if !oneForAllKnown(t) {
		g.fail(diag.NotSingle, e.Span(), "%s must be a single value", what)
	}
	return g.op(tail.OpOnly, s, e, lit(s.fn, array.VectorInt(nil)))
}

// isSingleton reports whether arrays of type t have exactly one element.
func isSingleton(t *tail.Array) bool {
	for i := range t.Dims() {
		if n, ok := t.Extent(i).IsConst(); !ok || n != 1 {
			return false
		}
	}
	return true
}

// each applies a scalar function to every element of e.
func (g *infer) each(e tail.Expr, s site, f func(tail.Expr) tail.Expr) tail.Expr {
	t := g.arr(e, s.right)
	if t.Dims() == 0 {
		return f(e)
	}
	l := g.lambda(s.fn, []tail.Type{tail.Scalar(t.Elem)}, func(a []tail.Expr) tail.Expr { return f(a[0]) })
	return g.op(tail.OpEach, s, l, e)
}
