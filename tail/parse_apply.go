package tail

import (
	"strconv"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
)

func (t *textParser) punctuated() Expr {
	switch {
	case t.accept("("):
		return t.parentheses()
	case t.accept("["):
		return t.vector()
	case t.accept("#"):
		return t.projection()
	case t.accept("'"):
		return NewLit(diag.Span{}, array.VectorChar(t.chars('\'')))
	case t.accept(`"`):
		c := t.chars('"')
		if len(c) != 1 {
			t.fail("a char scalar has %d characters", len(c))
			return nothing
		}
		return NewLit(diag.Span{}, array.ScalarChar(c[0]))
	}
	if v, ok := t.number(); ok {
		return NewLit(diag.Span{}, v)
	}
	t.fail("an expression is missing before %q", string(t.rest[:min(len(t.rest), 20)]))
	return nothing
}

// parentheses reads the rest of a tuple, of (e) or of (e : τ).
func (t *textParser) parentheses() Expr {
	if t.accept(")") {
		return &Tuple{}
	}
	e, bad := t.untyped()
	if t.accept(":") {
		e = t.ascribed(e, t.typ())
		t.expect(")")
		return e
	}
	if bad != nil {
		t.fail("%s", bad.Message())
	}
	if t.accept(")") {
		return e
	}
	tuple := &Tuple{Elems: []Expr{e}}
	for t.bad == nil && t.accept(",") {
		if t.accept(")") {
			return tuple
		}
		tuple.Elems = append(tuple.Elems, t.expr())
	}
	t.expect(")")
	return tuple
}

// ascribed returns e with type ty, which must be possible.
func (t *textParser) ascribed(e Expr, ty Type) Expr {
	if t.bad != nil {
		return nothing
	}
	if had := e.Type(); had != nil && !Consistent(had, ty) {
		if a, ok := e.(*Apply); !ok || a.Op != OpReadCSV {
			t.fail("an expression of type %v cannot have type %v", had, ty)
			return nothing
		}
	}
	if a, ok := ty.(*Array); ok {
		c := *a
		c.Values = AnyKnown(a.Values)
		ty = &c
	}
	switch e := e.(type) {
	case *Apply:
		e.Ty = ty
	case *Call:
		e.Ty = ty
	case *If:
		e.Ty = ty
	case *Vec:
		e.Ty, _ = ty.(*Array)
	case *Lit:
		e.Ty, _ = ty.(*Array)
	}
	return e
}

func (t *textParser) vector() Expr {
	var es []Expr
	literal := true
	for t.bad == nil && !t.accept("]") {
		if len(es) > 0 {
			t.expect(",")
		}
		e := t.expr()
		ty, ok := e.Type().(*Array)
		if t.bad == nil && (!ok || !IsRank(ty, 0) || len(es) > 0 && ty.Elem != TypeOf(es[0]).Elem) {
			t.fail("an item of a vector has type %v", e.Type())
		}
		_, isLit := e.(*Lit)
		literal = literal && isLit
		es = append(es, e)
	}
	switch {
	case t.bad != nil:
		return nothing
	case len(es) == 0:
		t.fail("an empty vector needs an element type: int[0]{}")
		return nothing
	case literal:
		return NewLit(diag.Span{}, LitVector(es))
	}
	return NewVec(diag.Span{}, es...)
}

// LitVector joins scalar constants.
func LitVector(es []Expr) *array.Array {
	all := make([]*array.Array, len(es))
	for i, e := range es {
		all[i] = e.(*Lit).Value
	}
	return joinScalars(all[0].Elem, []int{len(all)}, all)
}

// joinScalars returns the array of the given shape with the given elements.
func joinScalars(elem array.Elem, shape []int, all []*array.Array) *array.Array {
	a := &array.Array{Elem: elem, Shape: shape}
	for _, s := range all {
		switch elem {
		case array.Bool:
			a.Bools = append(a.Bools, s.Bools[0])
		case array.Int:
			a.Ints = append(a.Ints, s.Ints[0])
		case array.Double:
			a.Doubles = append(a.Doubles, s.Doubles[0])
		case array.Char:
			a.Chars = append(a.Chars, s.Chars[0])
		case array.Complex:
			a.Complexes = append(a.Complexes, s.Complexes[0])
		}
	}
	return a
}

func (t *textParser) projection() Expr {
	w := t.peekWord()
	n, err := strconv.Atoi(w)
	if err != nil {
		t.fail("# needs a number")
		return nothing
	}
	t.accept(w)
	t.expect("(")
	x := t.expr()
	t.expect(")")
	if ty, ok := x.Type().(*TupleType); t.bad == nil && (!ok || n >= len(ty.Elems)) {
		t.fail("%v has no component %d", x.Type(), n)
	}
	if t.bad != nil {
		return nothing
	}
	return &Proj{X: x, I: n}
}

// arguments reads (e,…).
func (t *textParser) arguments() []Expr {
	var args []Expr
	t.expect("(")
	for t.bad == nil && !t.accept(")") {
		if len(args) > 0 {
			t.expect(",")
		}
		args = append(args, t.expr())
	}
	return args
}

// application reads the axis and the arguments of an op whose name is at from;
// a scalar op without arguments is a function.
func (t *textParser) application(op Op, from int) (Expr, *Mismatch) {
	var bracket []int
	if t.accept("[") {
		for t.bad == nil && !t.accept("]") {
			if len(bracket) > 0 {
				t.expect(",")
			}
			bracket = append(bracket, int(t.integer()))
		}
	}
	t.space()
	if op.Row().Scalar && (len(t.rest) == 0 || t.rest[0] != '(') {
		return NewOpLam(t.span(from, t.position()), op), nil
	}
	args := t.arguments()
	if t.bad != nil {
		return nothing, nil
	}
	axis, ks := defaultAxis(op, args), []int(nil)
	switch {
	case op.Row().Ks == definedKs:
		if len(bracket) > 0 {
			axis, ks = bracket[0], bracket[1:]
		}
	case op.Row().Ks != "":
		ks = bracket
	case len(bracket) == 1 && op.Row().Axis:
		axis = bracket[0]
	case len(bracket) > 0:
		t.fail("%v has no axis", op)
	case op == OpPicture && !pictureFits(args):
		t.fail("the form of %v does not fit its arguments", op)
		return nothing, nil
	}
	e, bad := NewApply(t.span(from, t.position()), op, axis, ks, args...)
	if bad != nil {
		return &Apply{Op: op, Args: args, Axis: axis, Ks: ks}, bad
	}
	return e, nil
}

// pictureFits reports whether the first argument of picture, a constant, says how a
// nested array is made of the others.
func pictureFits(args []Expr) bool {
	if len(args) == 0 {
		return false
	}
	form, ok := args[0].(*Lit)
	var ranks []int
	for _, a := range args[1:] {
		ty, isArray := a.Type().(*Array)
		if !isArray {
			return false
		}
		ranks = append(ranks, ty.Dims())
	}
	return ok && display.FormFits(form.Value.Chars, ranks)
}

// NewOpLam returns the function that applies the scalar op to its parameters.
func NewOpLam(at diag.Span, op Op) *Lam {
	lam := &Lam{At: At{at}}
	var args []Expr
	for i, ty := range SchemeOf(op).Params {
		v := &Var{Name: string(rune('a' + i)), Type: ty}
		lam.Params = append(lam.Params, v)
		args = append(args, &Ref{At: At{at}, Var: v})
	}
	body, bad := NewApply(at, op, 0, nil, args...)
	if bad != nil {
		panic("internal error: " + bad.Message())
	}
	lam.Body = body
	return lam
}

func (t *textParser) call(f *Func) Expr {
	args := t.arguments()
	if t.bad != nil {
		return nothing
	}
	if len(args) != len(f.Params) {
		t.fail("%s takes %d arguments, not %d", f.Name, len(f.Params), len(args))
		return nothing
	}
	for i, a := range args {
		if !fitsParam(a.Type(), f.Params[i].Type) {
			t.fail("%s takes %v, not %v", f.Name, f.Params[i].Type, a.Type())
			return nothing
		}
	}
	return &Call{Fn: f, Args: args, Ty: f.Result}
}

func (t *textParser) lambda() Expr {
	t.expectWord("fn")
	lam := &Lam{}
	if t.accept("(") {
		for t.bad == nil && !t.accept(")") {
			if len(lam.Params) > 0 {
				t.expect(",")
			}
			lam.Params = append(lam.Params, t.variable())
		}
	} else {
		lam.Params = []*Var{t.variable()}
	}
	t.expect("=>")
	if lam.Body = t.expr(); t.bad != nil {
		return nothing
	}
	return lam
}
