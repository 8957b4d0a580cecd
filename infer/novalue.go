package infer

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// A name without a value on some way (package structured) is an empty strand there. The type of
// such a strand joined with another type is that one: where the ways meet, zeros or empty arrays
// of it stand for the value.

// noValue is None, whose argument is the name.
func noValue(_ *infer, y tail.Expr, _ site) tail.Expr {
	return &tail.Tuple{At: tail.At{Where: y.Span()}}
}

// isNoValue reports the type of a name that has no value yet.
func isNoValue(t tail.Type) bool {
	strand, ok := t.(*tail.TupleType)
	return ok && len(strand.Elems) == 0 && strand.Shape == nil && strand.Proto == nil && strand.Item == nil
}

// joinNoValue is joinTypes where one of the types is that of a name without a value.
func joinNoValue(t tail.Type) (tail.Type, bool) {
	if a, ok := t.(*tail.Array); ok {
		sizes := make([]tail.Size, a.Dims())
		for i := range sizes {
			sizes[i] = tail.AnySize
		}
		return tail.Shaped(a.Elem, sizes...), true
	}
	strand := t.(*tail.TupleType)
	if isNoValue(t) {
		return t, true
	}
	switch {
	case IsRagged(t):
		return RaggedType(strand.Elems[0].(*tail.Array).Elem), true
	case columnsType(t) != nil && IsColumns(t):
		return joinParts(strand, strand)
	case IsColumns(t) || isEitherType(t) || strand.Item != nil:
		return nil, false
	}
	joined := &tail.TupleType{Elems: make([]tail.Type, len(strand.Elems)), Shape: strand.Shape, Proto: strand.Proto}
	for i, item := range strand.Elems {
		var ok bool
		if joined.Elems[i], ok = joinNoValue(item); !ok {
			return nil, false
		}
	}
	return joined, true
}

// adaptNoValue is adapt of a name without a value.
func adaptNoValue(at diag.Span, to tail.Type) tail.Expr {
	a, ok := to.(*tail.Array)
	if ok {
		return lit(at, array.New(a.Elem, make([]int, a.Dims())...))
	}
	strand := to.(*tail.TupleType)
	r := &tail.Tuple{At: tail.At{Where: at}, Shape: strand.Shape, Proto: strand.Proto}
	for _, item := range strand.Elems {
		r.Elems = append(r.Elems, adaptNoValue(at, item))
	}
	return r
}

// neededValue is Needed: the value of a name is read where the flag x is 1. Where its type is not
// known yet, that of the way there isn't.
func neededValue(g *infer, x, y tail.Expr, s site) tail.Expr {
	name := string(g.value(y).Chars)
	if _, b := g.scope.lookup(name); b != nil && b.v != nil && isNoValue(b.v.Type) {
		panic(bottom{at: s.fn, name: name})
	}
	return g.needed(x, name+" has no value here", s)
}

// neededResult is Returned: a function that has its result where the flag x is 1 was called for it.
func neededResult(g *infer, x, _ tail.Expr, s site) tail.Expr {
	return g.needed(x, "the function returned no value", s)
}

// needed ends the program with a VALUE ERROR where a flag is 0.
func (g *infer) needed(flag tail.Expr, message string, s site) tail.Expr {
	if known := g.value(flag); known != nil && known.Int(0) == 0 {
		g.fail(diag.NoValue, s.fn, "%s", message)
	}
	const valueError = 6
	number := g.branch(g.toBool(flag), lit(s.fn, array.ScalarInt(0)), lit(s.fn, array.ScalarInt(valueError)), s.fn, s.fn)
	return g.stop(lit(s.fn, array.VectorChar([]rune(message))), g.name(number), diag.NoValue, site{fn: s.fn})
}
