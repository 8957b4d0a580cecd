package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// f\y of a nested vector whose number of items is not known is the reduction of each beginning of
// it. Where f applies to elements, and all items have one shape, they are the rows of a matrix, of
// which that is a scan along the first axis:
//
//	⌈\↓m       ↓⌈⍀m
//	+\v,¨w     (+\v),¨+\w
//
// Of matrices and arrays of higher rank the rows are the ravels.

// scanStored is f\y of a nested vector whose number of items is not known.
func (g *infer) scanStored(f function, y tail.Expr, s site) tail.Expr {
	y = g.name(y)
	if z := g.scanRows(f, y, s); z != nil {
		return z
	}
	return g.scanPrefixes(f, y, s)
}

// scanPrefixes is scanStored by a reduction for each item.
func (g *infer) scanPrefixes(f function, y tail.Expr, s site) tail.Expr {
	return g.eachNumber(g.name(g.numbersOfStored(y, s)), func(n tail.Expr) tail.Expr {
		return g.foldedFrom(f, y, n, s)
	}, s)
}

// scanRows is scanStored where f applies to elements; nil for other functions, and for items that are
// no numbers. Whether all items have one shape may be known only when the program runs.
func (g *infer) scanRows(f function, y tail.Expr, s site) tail.Expr {
	if !numericItems(y.Type()) || !ofElements(f) {
		return nil
	}
	if !isTuple(y) {
		return g.name(g.scan(&derived{op: "⍀", left: operand{fn: f, at: s.fn}, at: s.fn}, y, 0, s))
	}
	parts, t := g.components(y), y.Type().(*tail.TupleType)
	if !isRagged(y) && t.Shape[0] != ofArrays {
		z := &tail.Tuple{At: tail.At{Where: s.span()}, Shape: t.Shape, Proto: t.Proto}
		for _, column := range parts {
			z.Elems = append(z.Elems, g.scanStored(f, column, s))
		}
		return z
	}
	rows := func() tail.Expr {
		ravels := g.raveledItems(parts)
		shape := g.vector(s.fn, []tail.Expr{g.countOfRagged(ravels, s), g.op(tail.OpFirst, s, parts[2])}, array.Int)
		z := g.scanRows(f, g.op(tail.OpReshape, s, shape, g.joinedElements(ravels, s)), s)
		all := g.raggedRows(z, s)
		if isRagged(y) {
			return all
		}
		return &tail.Tuple{At: tail.At{Where: s.span()}, Elems: append(g.components(all), parts[3]), Shape: []int{ofArrays}}
	}
	if isRagged(y) && anyItem(t) != nil {
		return rows()
	}
	even := g.name(g.fromPrelude(g.preludeClosure("even"), nil, parts[len(parts)-1], s))
	then := g.block(rows)
	els := g.block(func() tail.Expr { return g.scanPrefixes(f, y, s) })
	return g.name(g.branch(even, then, els, s.fn, s.fn))
}

// numericItems reports whether the simple items of a stored vector are numbers.
func numericItems(t tail.Type) bool {
	tuple, ok := t.(*tail.TupleType)
	switch {
	case !ok:
		return t.(*tail.Array).Elem.Numeric()
	case IsRagged(t) || tuple.Shape[0] == ofArrays:
		return numericItems(tuple.Elems[0])
	}
	return !slices.ContainsFunc(tuple.Elems, func(e tail.Type) bool { return !numericItems(e) })
}

// ofElements reports whether f, of arrays of one shape, is certain to be f of their elements one by one.
func ofElements(f function) bool {
	switch f := f.(type) {
	case *primitive:
		return isScalarDyadic(f.glyph)
	case *derived:
		return f.op == "⍨" && f.left.fn != nil && ofElements(f.left.fn)
	case *closure:
		if len(f.body) != 1 || f.operator != nil {
			return false
		}
		x, ok := f.body[0].(*apl.ExprStmt)
		return ok && elementsOnly(x.X)
	}
	return false
}

// elementsOnly reports whether an expression applies scalar functions to ⍺, ⍵ and numbers.
func elementsOnly(x apl.Expr) bool {
	switch x := x.(type) {
	case *apl.Literal:
		return x.Value.Rank() == 0 && x.Value.Elem.Numeric()
	case *apl.Var:
		return x.Ident == "⍺" || x.Ident == "⍵"
	case *apl.Paren:
		return elementsOnly(x.X)
	case *apl.Monadic:
		p, ok := x.F.(*apl.Prim)
		return ok && isScalarMonadic(p.Glyph) && p.Glyph != "?" && elementsOnly(x.Y)
	case *apl.Dyadic:
		p, ok := x.F.(*apl.Prim)
		return ok && isScalarDyadic(p.Glyph) && elementsOnly(x.X) && elementsOnly(x.Y)
	}
	return false
}
