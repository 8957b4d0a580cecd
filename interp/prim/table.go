package prim

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

type (
	monadicFunc func(c *Context, y *V) (*V, error)
	dyadicFunc  func(c *Context, x, y *V) (*V, error)
)

func left(_ *Context, x, _ *V) (*V, error)  { return x, nil }
func right(_ *Context, _, y *V) (*V, error) { return y, nil }
func itself(_ *Context, y *V) (*V, error)   { return y, nil }

var monadics = map[string]monadicFunc{
	"⍴": shapeOf, "≢": tally, ",": ravel, "⍪": table, "⍉": transpose, "⊃": first, "⊂": enclose, "⊆": nest,
	"⌽": func(_ *Context, y *V) (*V, error) { return reverse(y, y.Rank()-1) },
	"⊖": func(_ *Context, y *V) (*V, error) { return reverse(y, 0) },
	"↑": func(_ *Context, y *V) (*V, error) { return mix(y, 0, false) },
	"↓": func(_ *Context, y *V) (*V, error) { return splitAxis(y, y.Rank()-1) },
	"∊": enlist, "≡": depth, "⍳": indexGenerator, "∪": unique, "≠": uniqueMask, "⍸": where,
	"⍋": func(c *Context, y *V) (*V, error) { return grade(c, y, 1) },
	"⍒": func(c *Context, y *V) (*V, error) { return grade(c, y, -1) },
	"⍕": format, "⌹": inverse, "⊢": itself, "⊣": itself, "⌷": itself,
}

var dyadics = map[string]dyadicFunc{
	"⍴": reshape, ",": catenateLast, "⍪": catenateFirst, "⍉": transposeBy, "⊃": pick,
	"⌽":  func(_ *Context, x, y *V) (*V, error) { return rotate(x, y, y.Rank()-1) },
	"⊖":  func(_ *Context, x, y *V) (*V, error) { return rotate(x, y, 0) },
	"↑":  func(c *Context, x, y *V) (*V, error) { return take(c, x, y, nil) },
	"↓":  func(c *Context, x, y *V) (*V, error) { return drop(c, x, y, nil) },
	"/":  func(_ *Context, x, y *V) (*V, error) { return replicate(x, y, max(y.Rank(), 1)-1) },
	"⌿":  func(_ *Context, x, y *V) (*V, error) { return replicate(x, y, 0) },
	"\\": func(_ *Context, x, y *V) (*V, error) { return expand(x, y, max(y.Rank(), 1)-1) },
	"⍀":  func(_ *Context, x, y *V) (*V, error) { return expand(x, y, 0) },
	"⌷":  func(c *Context, x, y *V) (*V, error) { return squad(c, x, y, nil) },
	"⊂":  func(_ *Context, x, y *V) (*V, error) { return partitionedEnclose(x, y, max(y.Rank(), 1)-1) },
	"⊆":  func(_ *Context, x, y *V) (*V, error) { return partition(x, y, max(y.Rank(), 1)-1) },
	"⍳":  indexOf, "∊": member, "∩": intersection, "∪": union, "~": without, "⍷": find, "⍸": intervalIndex,
	"⍋": func(c *Context, x, y *V) (*V, error) { return gradeIn(c, x, y, 1) },
	"⍒": func(c *Context, x, y *V) (*V, error) { return gradeIn(c, x, y, -1) },
	"≡": match, "≢": notMatch, "⊥": decode, "⊤": encode, "⌹": solve, "⍕": formatBy, "?": deal,
	"⊣": left, "⊢": right,
}

// Function is a primitive function, resolved once.
type Function struct {
	glyph  string
	scalar *scalar
	one    monadicFunc
	two    dyadicFunc
}

// Lookup returns the primitive function of a glyph.
func Lookup(glyph string) Function {
	return Function{glyph, scalars[glyph], monadics[glyph], dyadics[glyph]}
}

// Call applies the function; x is nil where there is one argument.
func (f *Function) Call(c *Context, x, y *V) (*V, error) {
	switch {
	case x == nil && f.one != nil:
		return f.one(c, y)
	case x == nil:
		return Monadic(c, f.glyph, y)
	case f.scalar != nil:
		return apply(c, f.glyph, f.scalar, x, y)
	}
	return Dyadic(c, f.glyph, x, y)
}

// Monadic applies a primitive function to one argument.
func Monadic(c *Context, glyph string, y *V) (*V, error) {
	if f := monadics[glyph]; f != nil {
		return f(c, y)
	}
	if IsUnary(glyph) {
		return Unary(c, glyph, y)
	}
	return nil, fault(diag.NoLeftArgument, "%s needs a left argument", glyph)
}

// Dyadic applies a primitive function to two arguments.
func Dyadic(c *Context, glyph string, x, y *V) (*V, error) {
	if IsScalar(glyph) {
		return Scalar(c, glyph, x, y)
	}
	if f := dyadics[glyph]; f != nil {
		return f(c, x, y)
	}
	return nil, fault(diag.WrongValence, "%s takes one argument", glyph)
}

// MonadicAxis applies F[axis] to one argument.
func MonadicAxis(c *Context, glyph string, axis, y *V) (*V, error) {
	switch glyph {
	case "⌽", "⊖":
		k, err := Axis(c, axis, y.Rank())
		if err != nil {
			return nil, err
		}
		return reverse(y, k)
	case ",":
		return ravelAxes(c, axis, y)
	case "⊂":
		return encloseAxes(c, axis, y)
	case "↓":
		k, err := Axis(c, axis, y.Rank())
		if err != nil {
			return nil, err
		}
		return splitAxis(y, k)
	case "↑":
		if axis.Len() != 1 {
			return mixAxes(c, axis, y)
		}
		k, _, err := fraction(c, axis)
		if err != nil {
			return nil, err
		}
		if k <= -1 || k > float64(y.Rank()) {
			return nil, fault(diag.NoAxis, "axis %s of a result that has %d before those of the items", number(k+float64(c.Origin)), y.Rank())
		}
		return mix(y, k, true)
	}
	return nil, fault(diag.Unreadable, "%s takes no axis", glyph)
}

// DyadicAxis applies F[axis] to two arguments.
func DyadicAxis(c *Context, glyph string, axis, x, y *V) (*V, error) {
	if IsScalar(glyph) {
		return scalarAxis(c, glyph, axis, x, y)
	}
	switch glyph {
	case ",", "⍪":
		return catenateAxis(c, axis, x, y)
	case "↑", "↓", "⌷":
		list, err := axesOf(c, axis, y.Rank())
		if err != nil {
			return nil, err
		}
		if list == nil {
			list = []int{}
		}
		switch glyph {
		case "↑":
			return take(c, x, y, list)
		case "↓":
			return drop(c, x, y, list)
		}
		return squad(c, x, y, list)
	}
	if f := oneAxis[glyph]; f != nil {
		k, err := Axis(c, axis, y.Rank())
		if err != nil {
			return nil, err
		}
		return f(x, y, k)
	}
	return nil, fault(diag.Unreadable, "%s takes no axis", glyph)
}

var oneAxis = map[string]func(x, y *V, axis int) (*V, error){
	"⌽": rotate, "⊖": rotate, "/": replicate, "⌿": replicate, "\\": expand, "⍀": expand,
	"⊂": partitionedEnclose, "⊆": partition,
}

// scalarAxis is a scalar function with axes: those of the argument of lower rank.
func scalarAxis(c *Context, glyph string, axis, x, y *V) (*V, error) {
	list, err := axesOf(c, axis, max(x.Rank(), y.Rank()))
	if err == errTwice {
		return nil, fault(diag.WrongRank, "an axis stands twice")
	}
	if err != nil {
		return nil, err
	}
	switch {
	case x.Rank() < y.Rank():
		if x, err = spread(x, y.Shape, list); err != nil {
			return nil, err
		}
	case y.Rank() < x.Rank():
		if y, err = spread(y, x.Shape, list); err != nil {
			return nil, err
		}
	default:
		if x, err = spread(x, y.Shape, list); err != nil {
			return nil, err
		}
	}
	return Scalar(c, glyph, x, y)
}

// spread repeats x along the axes of a shape that are not in the list.
func spread(x *V, shape, list []int) (*V, error) {
	if x.Rank() == 0 {
		return x, nil
	}
	if len(list) != x.Rank() {
		return nil, fault(diag.ArgumentRank, "%d axes for an array of shape %s", len(list), array.ShapeText(x.Shape))
	}
	stride := make([]int, len(shape))
	step := 1
	for i := len(list) - 1; i >= 0; i-- {
		if x.Shape[i] != shape[list[i]] {
			return nil, fault(diag.ShapesDiffer, "shapes %s and %s differ on axis %d", array.ShapeText(x.Shape), array.ShapeText(shape), list[i]+1)
		}
		stride[list[i]] = step
		step *= x.Shape[i]
	}
	return x.Gather(shape, strided(shape, stride)), nil
}
