package infer

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A function may give a scalar where a guard ends it, and a vector else:
//
//	digits←{⍵<10:⍵ ⋄ (∇⌊⍵÷10),10|⍵}
//	cut←{⍺≥≢⍵:⊂⍵ ⋄ (⊂⍺↑⍵),⍺∇⍺↓⍵}
//
// Which of both it is, only the run knows. The type of its result is a tuple that has a shape
// of its own:
//
//	ravel     a vector, or a nested one of vectors
//	scalar    whether the array is a scalar
//
// What is the same for a scalar and for a vector of one element, as , ≢ ∊ ⊃ and f/ are, is
// made of the ravel; what has the shape of its argument, as f¨, - and ⌽, gives such an array
// again; what needs a vector, as an index does, tests that it is none; anything else is
// refused.

// eitherShape is the shape of the tuple of an array that is a scalar or a vector.
var eitherShape = []int{-1, -1}

// isEither reports whether e is an array that is a scalar or a vector.
func isEither(e tail.Expr) bool { return e != nil && isEitherType(e.Type()) }

func isEitherType(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	return ok && slices.Equal(tuple.Shape, eitherShape)
}

// mentionsEither reports whether values of a type are, or hold, such arrays.
func mentionsEither(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	return ok && (isEitherType(t) || slices.ContainsFunc(tuple.Elems, mentionsEither))
}

// ofEither is the array of which z is the ravel.
func (g *infer) ofEither(z, scalar tail.Expr, s site) tail.Expr {
	return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: []tail.Expr{g.name(z), g.name(scalar)}, Shape: eitherShape}
}

// raveledEither is the ravel of an array that is a scalar or a vector, and whether it is a
// scalar; e and whether it is one where it is something else.
func (g *infer) raveledEither(e tail.Expr, s site) (ravel, scalar tail.Expr) {
	if !isEither(e) {
		return e, lit(s.fn, array.ScalarBool(isScalarArgument(e)))
	}
	parts := g.components(g.name(e))
	return parts[0], parts[1]
}

// isScalarArgument reports whether e is a scalar, simple or nested.
func isScalarArgument(e tail.Expr) bool {
	if isTuple(e) {
		return isEnclosed(e)
	}
	return rankOf(e) == 0
}

// ofRankOne is the ravel of an array that is a scalar or a vector, where it may be no scalar:
// that is tested.
func (g *infer) ofRankOne(e tail.Expr, s site) tail.Expr {
	if !isEither(e) {
		return e
	}
	ravel, scalar := g.raveledEither(e, s)
	g.effect(g.fromPrelude(g.preludeClosure("noscalar"), nil, scalar, s))
	return ravel
}

// raveledType is the type of the ravel of an array of rank 0 or 1, and its rank, 2 where it
// may be both; nil for other arrays.
func raveledType(t tail.Type) (ravel tail.Type, rank int) {
	tuple, nested := t.(*tail.TupleType)
	switch {
	case isEitherType(t):
		return tuple.Elems[0], 2
	case nested && tuple.Shape != nil && len(tuple.Shape) == 0:
		return &tail.TupleType{Elems: tuple.Elems}, 0
	case nested && (tuple.Shape == nil || IsRagged(t)):
		return t, 1
	case nested:
		return nil, 0
	}
	a := t.(*tail.Array)
	switch a.Dims() {
	case 0:
		return tail.Shaped(a.Elem, tail.ConstSize(1)), 0
	case 1:
		return t, 1
	}
	return nil, 0
}

// joinEither is joinTypes of types of a scalar and of a vector; false for others.
func joinEither(a, b tail.Type) (tail.Type, bool) {
	x, r := raveledType(a)
	y, q := raveledType(b)
	if x == nil || y == nil || r == q && r < 2 {
		return nil, false
	}
	z, ok := joinTypes(x, y)
	if !ok {
		return nil, false
	}
	if _, nested := z.(*tail.TupleType); nested && !IsRagged(z) {
		if z, ok = joinRagged(z, z); !ok {
			return nil, false
		}
	}
	return &tail.TupleType{Elems: []tail.Type{z, tail.Scalar(array.Bool)}, Shape: eitherShape}, true
}

// adaptEither makes a scalar or a vector an array of a type that may be both.
func (g *infer) adaptEither(e tail.Expr, to *tail.TupleType) tail.Expr {
	s := site{fn: e.Span(), left: e.Span(), right: e.Span()}
	ravel, scalar := g.raveledEither(e, s)
	ravel = g.adapt(g.name(g.raveledScalar(ravel, s)), to.Elems[0])
	return &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: []tail.Expr{ravel, scalar}, Shape: eitherShape}
}

// raveledScalar is the ravel of a scalar; e where it is a vector.
func (g *infer) raveledScalar(e tail.Expr, s site) tail.Expr {
	switch {
	case isTuple(e) && isEnclosed(e):
		return &tail.Tuple{At: tail.At{Where: e.Span()}, Elems: g.items(e)}
	case !isTuple(e) && rankOf(e) == 0:
		return g.ravel(e, s)
	}
	return e
}

const (
	eitherSame  = ",≢∊⊃⍕∪⍪" // the same of a scalar as of its ravel
	eitherKept  = "⌽⊖"      // as the ravel, of the argument's rank
	eitherOther = "⊢⊣"
)

// eitherMonadic applies f to an array that is a scalar or a vector; nil where f passes it on
// to other functions.
func (g *infer) eitherMonadic(f function, y tail.Expr, s site) tail.Expr {
	ravel, scalar := g.raveledEither(y, s)
	switch f := f.(type) {
	case *primitive:
		switch {
		case strings.Contains(eitherSame, f.glyph), f.glyph == "≡" && isTuple(ravel):
			return g.monadic(f, ravel, s)
		case strings.Contains(eitherKept, f.glyph), isScalarMonadic(f.glyph) && !isTuple(ravel):
			return g.ofEither(g.monadic(f, ravel, s), scalar, s)
		case f.glyph == "⍴":
			vector := g.op(tail.OpNotB, s, scalar)
			return g.dyadic(&primitive{glyph: "/", at: f.at}, vector, g.monadic(f, ravel, s), s)
		case f.glyph == "⍋" || f.glyph == "⍒":
			return g.monadic(f, g.ofRankOne(y, s), s)
		case strings.Contains(eitherOther, f.glyph):
			return y
		}
	case *derived:
		switch {
		case f.op == "/" || f.op == "⌿":
			return g.monadic(f, ravel, s)
		case f.op == "¨" || f.op == "\\" && !isTuple(ravel):
			if z := g.monadic(f, ravel, s); !isTuple(z) || isRagged(z) {
				return g.ofEither(z, scalar, s)
			}
		case passesOn(f):
			return nil
		}
	case *closure, *fork, *atop:
		return nil
	}
	g.refuseEither(s)
	return nil
}

// eitherDyadic is eitherMonadic for two arguments, of which one is a scalar or a vector.
func (g *infer) eitherDyadic(f function, x, y tail.Expr, s site) tail.Expr {
	switch f := f.(type) {
	case *primitive:
		if strings.Contains(eitherOther, f.glyph) {
			return nil
		}
		if z := g.eitherPrimitive(f, x, y, s); z != nil {
			return z
		}
	case *derived:
		switch {
		case f.op == "¨" && (isScalarArgument(x) || isScalarArgument(y)):
			return g.alongEither(f, x, y, s)
		case passesOn(f):
			return nil
		}
	case *closure, *fork, *atop:
		return nil
	}
	g.refuseEither(s)
	return nil
}

// alongEither applies f, which takes scalars with arrays of any shape, to a scalar and to an
// array that is a scalar or a vector, or to two of these; nil where it cannot.
func (g *infer) alongEither(f function, x, y tail.Expr, s site) tail.Expr {
	right, second := g.raveledEither(y, s)
	left, first := g.raveledEither(x, s)
	z := g.name(g.dyadic(f, left, right, s))
	if isTuple(z) && !isRagged(z) {
		g.refuseEither(s)
	}
	return g.ofEither(z, g.op(tail.OpAndB, s, first, second), s)
}

// eitherPrimitive applies a primitive to two arguments, of which one is a scalar or a vector;
// nil where that is refused.
func (g *infer) eitherPrimitive(f *primitive, x, y tail.Expr, s site) tail.Expr {
	if _, rank := raveledType(x.Type()); rank == 0 && !isScalarArgument(x) {
		return nil
	}
	if _, rank := raveledType(y.Type()); rank == 0 && !isScalarArgument(y) {
		return nil
	}
	one := func(e tail.Expr) bool {
		return !isTuple(e) && (rankOf(e) == 0 || isSingleton(tail.TypeOf(e)))
	}
	right, second := g.raveledEither(y, s)
	left, first := g.raveledEither(x, s)
	switch glyph := f.glyph; {
	case isScalarDyadic(glyph) && !isTuple(left) && !isTuple(right):
		return g.alongEither(f, x, y, s)
	case glyph == "," || glyph == "∪" || glyph == "∩" || glyph == "~":
		return g.dyadic(f, left, right, s)
	case glyph == "/" && !isTuple(left), (glyph == "↑" || glyph == "↓") && one(x), glyph == "⍴" && (!isEither(x) || !isEither(y)):
		return g.dyadic(f, left, right, s)
	case (glyph == "⌽" || glyph == "⊖") && one(x):
		return g.ofEither(g.dyadic(f, left, right, s), second, s)
	case glyph == "∊":
		if z := g.dyadic(f, left, right, s); isEither(x) {
			return g.ofEither(z, first, s)
		} else {
			return z
		}
	case glyph == "⍳":
		x = g.ofRankOne(x, s)
		if z := g.dyadic(f, x, right, s); isEither(y) {
			return g.ofEither(z, second, s)
		} else {
			return z
		}
	case glyph == "⊃" && one(x):
		return g.dyadic(f, x, g.ofRankOne(y, s), s)
	case glyph == "≡" || glyph == "≢":
		same := g.op(tail.OpEqB, s, first, second)
		left, right = g.raveledScalar(left, s), g.raveledScalar(right, s)
		both := g.op(tail.OpAndB, s, same, g.toBool(g.dyadic(&primitive{glyph: "≡", at: f.at}, left, right, s)))
		if glyph == "≢" {
			return g.op(tail.OpNotB, s, both)
		}
		return both
	}
	return nil
}

// passesOn reports whether a derived function does nothing with its arguments but to give
// them to other functions.
func passesOn(f *derived) bool {
	switch f.op {
	case "⍨", "∘", "⍥", "⍛":
		return true
	}
	return f.op == "⍤" && f.right.fn != nil
}

func (g *infer) refuseEither(s site) {
	g.fail(diag.NestedArrays, s.fn, "%s of an array that is a scalar or a vector, as only the run knows", describe(s.fn))
}

// expandedIfEither is a call from outside of a function that gives a scalar or a vector,
// expanded in place where its arguments decide which: then the calls in it give what is
// joined to a vector. Nil where they do not.
func (g *infer) expandedIfEither(c *closure, inst *instance, args []tail.Expr, s site) tail.Expr {
	if inst.building || len(g.building[c.node]) > 0 || g.opened[c.node] || len(inst.vars) > 0 || !isEitherType(inst.fn.Result) {
		return nil
	}
	g.opened[c.node] = true
	defer delete(g.opened, c.node)
	var x tail.Expr
	y := args[len(args)-1]
	if len(args) == 2 {
		x = g.name(args[0])
	}
	mark := len(g.lets)
	var e tail.Expr
	if ok := g.succeeds(func() { e = g.expand(c, x, y, s) }); !ok || isEither(e) {
		g.lets = g.lets[:mark]
		return nil
	}
	return e
}
