package interp

import (
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// primOperator is a primitive operator.
type primOperator struct {
	glyph  string
	derive func(in *Interp, left, right any) (Function, error)
}

func (o *primOperator) Derive(in *Interp, left, right any) (Function, error) {
	return o.derive(in, left, right)
}

var primOperators map[string]*primOperator

func init() {
	table := map[string]func(in *Interp, left, right any) (Function, error){
		"/":    monadicOperator("/", func(f Function) Function { return &reduction{f: f} }),
		"⌿":    monadicOperator("⌿", func(f Function) Function { return &reduction{f: f, first: true} }),
		"\\":   monadicOperator("\\", func(f Function) Function { return &scan{f: f} }),
		"⍀":    monadicOperator("⍀", func(f Function) Function { return &scan{f: f, first: true} }),
		"¨":    monadicOperator("¨", func(f Function) Function { return &each{f} }),
		"⌸":    monadicOperator("⌸", func(f Function) Function { return &keyed{f} }),
		"∘.":   monadicOperator("∘.", func(f Function) Function { return &outer{f} }),
		"⍨":    deriveCommute,
		"⍣":    derivePower,
		".":    deriveInner,
		"∘":    deriveBeside,
		"⍤":    deriveRank,
		"⍥":    deriveOver,
		"⍛":    deriveBehind,
		"@":    deriveAt,
		"⌺":    deriveStencil,
		"⍠":    deriveVariant,
		"⌶":    deriveIBeam,
		"⎕R":   deriveReplace,
		"⎕S":   deriveSearch,
		"⎕OPT": deriveVariant,
	}
	primOperators = map[string]*primOperator{}
	for g, d := range table {
		primOperators[g] = &primOperator{g, d}
	}
	for _, g := range []string{"&"} {
		primOperators[g] = &primOperator{g, func(*Interp, any, any) (Function, error) {
			return nil, prim.Errorf(diag.OperatorForm, "the operator %s", g)
		}}
	}
}

func monadicOperator(glyph string, derive func(Function) Function) func(*Interp, any, any) (Function, error) {
	return func(_ *Interp, left, _ any) (Function, error) {
		f, ok := left.(Function)
		if !ok {
			return nil, prim.Errorf(diag.WrongOperand, "%s needs a function as its operand", glyph)
		}
		return derive(f), nil
	}
}

// functions returns two operands that are functions.
func functions(glyph string, left, right any) (f, g Function, err error) {
	f, ok1 := left.(Function)
	g, ok2 := right.(Function)
	if !ok1 || !ok2 {
		return nil, nil, prim.Errorf(diag.WrongOperand, "%s needs functions as its operands", glyph)
	}
	return f, g, nil
}

// commute is f⍨.
type commute struct{ f Function }

func (c *commute) Call(in *Interp, x, y *V) (*V, error) {
	if x == nil {
		return c.f.Call(in, y, y)
	}
	return c.f.Call(in, y, x)
}

// constant is A⍨.
type constant struct{ a *V }

func (c *constant) Call(*Interp, *V, *V) (*V, error) { return c.a, nil }

func deriveCommute(_ *Interp, left, _ any) (Function, error) {
	if a, ok := left.(*V); ok {
		return &constant{a}, nil
	}
	return &commute{left.(Function)}, nil
}

// beside is f∘g, bindLeft A∘g and bindRight f∘A.
type (
	beside   struct{ f, g Function }
	bindLeft struct {
		a *V
		g Function
	}
	bindRight struct {
		f Function
		a *V
	}
)

func (b *beside) Call(in *Interp, x, y *V) (*V, error) {
	r, err := value1(b.g.Call(in, nil, y))
	if err != nil {
		return nil, err
	}
	return b.f.Call(in, x, r)
}

func (b *bindLeft) Call(in *Interp, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "a function with a bound argument takes one argument")
	}
	return b.g.Call(in, b.a, y)
}

func (b *bindRight) Call(in *Interp, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "a function with a bound argument takes one argument")
	}
	return b.f.Call(in, y, b.a)
}

func deriveBeside(_ *Interp, left, right any) (Function, error) {
	switch l := left.(type) {
	case *V:
		if g, ok := right.(Function); ok {
			return &bindLeft{l, g}, nil
		}
		return nil, prim.Errorf(diag.WrongValence, "∘ between two arrays")
	case Function:
		if a, ok := right.(*V); ok {
			return &bindRight{l, a}, nil
		}
		return &beside{l, right.(Function)}, nil
	}
	return nil, prim.Errorf(diag.WrongOperand, "∘ has no left operand")
}

// over is f⍥g.
type over struct{ f, g Function }

func (o *over) Call(in *Interp, x, y *V) (*V, error) {
	r, err := value1(o.g.Call(in, nil, y))
	if err != nil {
		return nil, err
	}
	if x == nil {
		return o.f.Call(in, nil, r)
	}
	l, err := value1(o.g.Call(in, nil, x))
	if err != nil {
		return nil, err
	}
	return o.f.Call(in, l, r)
}

func deriveOver(_ *Interp, left, right any) (Function, error) {
	f, g, err := functions("⍥", left, right)
	return &over{f, g}, err
}

// behindFunction is f⍛g: x f⍛g y is (f x) g y, and f⍛g y is (f y) g y.
type behindFunction struct{ f, g Function }

func (b *behindFunction) Call(in *Interp, x, y *V) (*V, error) {
	if x == nil {
		x = y
	}
	l, err := value1(b.f.Call(in, nil, x))
	if err != nil {
		return nil, err
	}
	return b.g.Call(in, l, y)
}

func deriveBehind(_ *Interp, left, right any) (Function, error) {
	f, g, err := functions("⍛", left, right)
	return &behindFunction{f, g}, err
}

// each is f¨.
type each struct{ f Function }

func (e *each) Call(in *Interp, x, y *V) (*V, error) {
	if x == nil {
		return e.one(in, y)
	}
	shape, sx, sy, err := prim.Fit(x, y)
	if err != nil {
		return nil, err
	}
	n := value.Count(shape)
	if g := scalarGlyph(e.f); g != "" && x.Kind != value.Mixed && y.Kind != value.Mixed {
		return prim.Scalar(&in.state, g, x, y)
	}
	if n == 0 {
		r, err := value1(e.f.Call(in, x.Prototype(), y.Prototype()))
		if err != nil {
			return nil, err
		}
		return value.Empty(shape, r), nil
	}
	if r := in.lift(e.f, shape, x, y); r != nil {
		return r, nil
	}
	return in.overItems(e.f, shape, n, x, y, sx, sy)
}

func (e *each) one(in *Interp, y *V) (*V, error) {
	n := y.Len()
	if p, ok := e.f.(*primitive); ok && prim.IsUnary(p.glyph) && y.Kind != value.Mixed {
		return p.Call(in, nil, y)
	}
	if n == 0 {
		r, err := e.f.Call(in, nil, y.Prototype())
		if err != nil || r == nil {
			return nil, err
		}
		return value.Empty(y.Shape, r), nil
	}
	if r := in.lift(e.f, y.Shape, nil, y); r != nil {
		return r, nil
	}
	return in.overItems(e.f, y.Shape, n, nil, y, 0, 1)
}

// collect makes an array of the results of n calls; none if the calls gave none.
func collect(shape []int, n int, call func(i int) (*V, error)) (*V, error) {
	g := &gathering{items: value.NewBuilder(n), call: call}
	return g.finish(shape, n, 0)
}

// noResult is the error of a function that gave a value for some items only.
func noResult() error { return prim.Errorf(diag.NoValue, "the function returned no value") }

// outer is ∘.f.
type outer struct{ f Function }

func (o *outer) Call(in *Interp, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.WrongValence, "an outer product takes two arguments")
	}
	nx, ny := x.Len(), y.Len()
	shape := append(append([]int{}, x.Shape...), y.Shape...)
	if err := prim.Sized(shape); err != nil {
		return nil, err
	}
	if g := scalarGlyph(o.f); g != "" && x.Kind != value.Mixed && y.Kind != value.Mixed {
		if r, err := outerRows(in, g, x, y, shape); r != nil || err != nil {
			return r, err
		}
		at, by := make([]int, 0, nx*ny), make([]int, 0, nx*ny)
		for i := 0; i < nx; i++ {
			for j := 0; j < ny; j++ {
				at, by = append(at, i), append(by, j)
			}
		}
		return prim.Scalar(&in.state, g, x.Gather(shape, at), y.Gather(shape, by))
	}
	if nx*ny == 0 {
		r, err := value1(o.f.Call(in, firstItem(x), firstItem(y)))
		if err != nil {
			return nil, err
		}
		return value.Empty(shape, r), nil
	}
	return collect(shape, nx*ny, func(i int) (*V, error) { return o.f.Call(in, x.Item(i/ny), y.Item(i%ny)) })
}

// longRow is the length from which on the rows of an outer product are computed one by
// one.
const longRow = 16

// outerRows is ∘. of a scalar function, the left argument's elements one by one against
// the whole right one; nil where rows are short, or are numbers of different kinds.
func outerRows(in *Interp, glyph string, x, y *V, shape []int) (*V, error) {
	n := y.Len()
	if n < longRow || x.Len() == 0 {
		return nil, nil
	}
	if r := prim.EqualTable(glyph, x, y, shape); r != nil {
		return r, nil
	}
	row, items := y.Ravel(), value.NewBuilder(x.Len()*n)
	kind := value.NoKind
	for i := range x.Len() {
		r, err := prim.Scalar(&in.state, glyph, x.Item(i), row)
		if err != nil {
			return nil, err
		}
		if kind == value.NoKind {
			kind = r.Kind
		}
		if r.Kind != kind || r.Kind == value.Complex || r.Kind == value.Mixed {
			return nil, nil
		}
		items.AddAll(r)
	}
	return items.Array(shape), nil
}

// firstItem returns the first item, or the prototype of an empty array.
func firstItem(x *V) *V {
	if x.Len() == 0 {
		return x.Prototype()
	}
	return x.Item(0)
}

// inner is f.g.
type inner struct{ f, g Function }

func deriveInner(_ *Interp, left, right any) (Function, error) {
	f, g, err := functions(".", left, right)
	return &inner{f, g}, err
}

func (p *inner) Call(in *Interp, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.WrongValence, "an inner product takes two arguments")
	}
	nx, ny := 1, 1
	outerX, outerY := []int{}, []int{}
	if x.Rank() > 0 {
		nx, outerX = x.Shape[x.Rank()-1], x.Shape[:x.Rank()-1]
	}
	if y.Rank() > 0 {
		ny, outerY = y.Shape[0], y.Shape[1:]
	}
	if nx != ny && x.Len() != 1 && y.Len() != 1 {
		return nil, prim.Errorf(diag.InnerDiffers, "shapes %s and %s: the last axis of the left and the first axis of the right differ", array.ShapeText(x.Shape), array.ShapeText(y.Shape))
	}
	rows, columns := value.Count(outerX), value.Count(outerY)
	shape := append(append([]int{}, outerX...), outerY...)
	if err := prim.Sized(shape); err != nil {
		return nil, err
	}
	if scalarGlyph(p.f) == "+" && scalarGlyph(p.g) == "×" && x.Kind <= value.Double && y.Kind <= value.Double && (x.Kind == value.Double || y.Kind == value.Double) {
		n, xs, ys := max(nx, ny), x.AsDoubles(), y.AsDoubles()
		if nx*ny == 0 {
			n = 0
		}
		if nx < n {
			xs = stretched(xs, rows, n, 1)
		}
		if ny < n {
			ys = stretched(ys, 1, n, columns)
		}
		if r := product(xs, ys, y.Rank() < 2, rows, n, columns, shape); r != nil {
			return r, nil
		}
	}
	if scalarGlyph(p.f) == "+" && scalarGlyph(p.g) == "×" && x.Kind <= value.Int && y.Kind <= value.Int && nx == ny {
		if r := wholeProduct(x.AsInts(), y.AsInts(), rows, nx, columns, shape); r != nil {
			return r, nil
		}
	}
	red, pairs := &reduction{f: p.f, plain: y.Rank() > 1}, Function(&each{p.g})
	if nx*ny == 0 && scalarGlyph(p.g) != "" { // of characters, too
		pairs = p.g
	}
	if rows*columns == 0 {
		return value.Empty(shape, value.Int64(0)), nil
	}
	lefts := make([]*V, rows)
	for i := range lefts {
		lefts[i] = x.Part(i*nx, (i+1)*nx, []int{nx})
	}
	rights := make([]*V, columns)
	for j := range rights {
		at := make([]int, ny)
		for k := range at {
			at[k] = k*columns + j
		}
		rights[j] = y.Gather([]int{ny}, at)
	}
	return collect(shape, rows*columns, func(i int) (*V, error) {
		terms, err := value1(pairs.Call(in, lefts[i/columns], rights[i%columns]))
		if err != nil {
			return nil, err
		}
		r, err := value1(red.Call(in, nil, terms))
		if err != nil {
			return nil, err
		}
		return r.Item(0), nil
	})
}

// product is the matrix product of doubles, each a chain of fused multiply-adds in
// the order of the terms, or of num.Ordered where y is a vector; nil if a number
// overflows.
func product(x, y []float64, vector bool, rows, n, columns int, shape []int) *V {
	var out []float64
	if vector && n > num.Lanes {
		out = make([]float64, rows)
		for i := range out {
			out[i] += prim.Dot(x[i*n:(i+1)*n], y[:n])
		}
	} else {
		out = prim.MatrixProduct(x, y, rows, n, columns)
	}
	for _, r := range out {
		if r-r != 0 {
			return nil
		}
	}
	return &V{Kind: value.Double, Shape: shape, Doubles: out}
}

// wholeProduct is the matrix product of integers; nil where it might overflow.
func wholeProduct(x, y []int64, rows, n, columns int, shape []int) *V {
	if n == 0 || prim.Magnitude(x)*prim.Magnitude(y)*float64(n) >= 1<<53 {
		return nil
	}
	return &V{Kind: value.Int, Shape: shape, Ints: prim.IntProduct(x, y, rows, n, columns)}
}

// stretched repeats each of the given numbers of rows of elements n times.
func stretched(v []float64, rows, n, width int) []float64 {
	out := make([]float64, 0, rows*n*width)
	for i := 0; i < rows; i++ {
		for k := 0; k < n; k++ {
			out = append(out, v[i*width:(i+1)*width]...)
		}
	}
	return out
}
