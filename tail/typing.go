package tail

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
)

// MismatchCode says how sure a Mismatch is, and of what.
type MismatchCode uint8

// The codes. The zero value is "unset".
const (
	NoMismatch    MismatchCode = iota
	CertainFault               // evaluating the application always ends in Fault
	WrongTypes                 // the arguments do not fit the op; Other says why
	NeedsConstant              // the rank depends on a value that the types do not know
)

// Mismatch says why an application has no type. For CertainFault, Fault and
// Args say what will happen, Args with a []Size for a shape, a Size for an
// integer and a string for a text. For the other codes, Other is a message.
type Mismatch struct {
	Code  MismatchCode
	Fault Fault
	Args  []any
	Other string
	Arg   int // the argument to blame, or -1
}

// Message returns the text for users: lower case, no full stop.
func (m *Mismatch) Message() string {
	if m.Code != CertainFault {
		return m.Other
	}
	text := m.Fault.Row().Template
	for i, a := range m.Args {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", mismatchArg(a))
	}
	return text
}

func mismatchArg(a any) string {
	sizes, ok := a.([]Size)
	if !ok {
		return fmt.Sprint(a)
	}
	if len(sizes) == 0 {
		return "scalar"
	}
	parts := make([]string, len(sizes))
	for i, s := range sizes {
		parts[i] = s.String()
	}
	return strings.Join(parts, " ")
}

// typing is one question to ResultType. The first mismatch stays in bad; the
// rules go on with any type after that.
type typing struct {
	op   Op
	args []Type
	axis int
	ks   []int
	bad  *Mismatch
}

// ResultType returns the type of an application: the element type, the rank,
// which is constant, and as much of extents and values as the argument types
// tell. Function arguments have a *FuncType, elided indices the type Unit. A
// result of readnpy, receive and readcsv depends on an annotation; ResultType
// gives [double]2 for the last and NeedsConstant for the others.
//
// Variables of sizes stand for natural numbers throughout.
func ResultType(op Op, args []Type, axis int, ks []int) (Type, *Mismatch) {
	t := &typing{op: op, args: args, axis: axis, ks: ks}
	if want := Arity(op); want >= 0 && len(args) != want {
		return nil, &Mismatch{Code: WrongTypes, Arg: -1, Other: fmt.Sprintf("%v takes %d arguments, not %d", op, want, len(args))}
	}
	var ty Type
	switch rule := typingRules[op]; {
	case op.Row().Scalar:
		ty = typeScalar(t)
	case rule != nil:
		ty = rule(t)
	default:
		panic("internal error: no typing rule for " + op.String())
	}
	if t.bad != nil {
		return nil, t.bad
	}
	return ty, nil
}

// Arity returns the number of arguments of op, or -1 for index and update,
// which have as many as the array has axes and one or two more, and for picture.
func Arity(op Op) int {
	if op == OpIndex || op == OpUpdate || op == OpPicture {
		return -1
	}
	return len(SchemeOf(op).Params)
}

// NewApply returns the application of op to args with the type that
// ResultType gives, refined by evaluating lambdas on known values.
func NewApply(at diag.Span, op Op, axis int, ks []int, args ...Expr) (*Apply, *Mismatch) {
	types := make([]Type, len(args))
	for i, a := range args {
		types[i] = a.Type()
	}
	ty, bad := ResultType(op, types, axis, ks)
	if bad != nil {
		return nil, bad
	}
	e := &Apply{At: At{at}, Op: op, Args: args, Axis: axis, Ks: ks, Ty: ty}
	if values := liftedValues(e); values != nil {
		refined := *ty.(*Array)
		refined.Values = values
		e.Ty = &refined
	}
	return e, nil
}

// Mismatches.

func (t *typing) fail(m *Mismatch) {
	if t.bad == nil {
		t.bad = m
	}
}

func (t *typing) wrong(arg int, format string, args ...any) {
	t.fail(&Mismatch{Code: WrongTypes, Arg: arg, Other: fmt.Sprintf(format, args...)})
}

// precision checks the print precision of an op that displays.
func (t *typing) precision() {
	if len(t.ks) > 1 || len(t.ks) == 1 && (t.ks[0] < 1 || t.ks[0] > display.MaxPrecision) {
		t.wrong(0, "a print precision is a number from 1 to %d", display.MaxPrecision)
	}
}

func (t *typing) fault(f Fault, args ...any) {
	t.fail(&Mismatch{Code: CertainFault, Fault: f, Args: args, Arg: -1})
}

func (t *typing) needs(arg int, format string, args ...any) {
	t.fail(&Mismatch{Code: NeedsConstant, Arg: arg, Other: fmt.Sprintf(format, args...)})
}

// Arguments.

// array returns argument i, an array of constant rank.
func (t *typing) array(i int) *Array {
	a, ok := t.args[i].(*Array)
	if !ok {
		t.wrong(i, "%v: argument %d is not an array", t.op, i+1)
		return Scalar(array.Int)
	}
	if _, ok := a.Rank.IsConst(); !ok {
		t.needs(i, "the rank of the argument of %v is not known", t.op)
		return Scalar(array.Int)
	}
	return a
}

// of returns argument i, an array of the given element type.
func (t *typing) of(i int, e array.Elem) *Array {
	a := t.array(i)
	if a.Elem != e {
		t.wrong(i, "%v: argument %d has elements of type %s, not %v", t.op, i+1, elemName(a), e)
	}
	return a
}

// scalar returns argument i, a scalar of the given element type.
func (t *typing) scalar(i int, e array.Elem) *Array {
	a := t.of(i, e)
	t.ranked(i, a, 0)
	return t.safe(a, 0)
}

// vector returns argument i, a vector of the given element type.
func (t *typing) vector(i int, e array.Elem) *Array {
	a := t.of(i, e)
	t.ranked(i, a, 1)
	return t.safe(a, 1)
}

func (t *typing) ranked(i int, a *Array, rank int) {
	if a.Dims() != rank {
		t.wrong(i, "%v: argument %d has rank %d, not %d", t.op, i+1, a.Dims(), rank)
	}
}

// safe returns a, or after a mismatch a type of the given rank, so that rules
// can go on.
func (t *typing) safe(a *Array, rank int) *Array {
	if t.bad != nil && a.Dims() != rank {
		return Ranked(a.Elem, rank)
	}
	return a
}

// withAxis returns argument i, an array that has the axis t.axis.
func (t *typing) withAxis(i int) *Array {
	a := t.array(i)
	if a.Dims() == 0 || t.axis < 0 || t.axis >= a.Dims() {
		t.wrong(i, "%v: an array of rank %d has no axis %d", t.op, a.Dims(), t.axis+1)
		t.axis = 0
		return Ranked(a.Elem, 1)
	}
	return a
}

// function returns argument i, a function of n parameters with an array
// result.
func (t *typing) function(i, n int) ([]Type, Type) {
	f, ok := t.args[i].(*FuncType)
	if !ok || len(f.Params) != n {
		t.wrong(i, "%v: argument %d is not a function of %d parameters", t.op, i+1, n)
		return []Type{Scalar(array.Int), Scalar(array.Int)}, Scalar(array.Int)
	}
	return f.Params, f.Result
}

// scalarFunction returns the result type of argument i, a function of scalars
// of the given element types with a scalar result.
func (t *typing) scalarFunction(i int, elems ...array.Elem) *Array {
	params, result := t.function(i, len(elems))
	for k, e := range elems {
		p, ok := params[k].(*Array)
		if !ok || !IsRank(p, 0) || p.Elem != e {
			t.wrong(i, "%v: the function takes %v, not %v", t.op, params[k], e)
		}
	}
	r, ok := result.(*Array)
	if !ok || !IsRank(r, 0) {
		t.wrong(i, "%v: the function gives %v, not a scalar", t.op, result)
		return Scalar(array.Int)
	}
	return r
}

// operator returns the element type of argument i, a function α → α → α, for
// arrays of element type e.
func (t *typing) operator(i int, e array.Elem) {
	if r := t.scalarFunction(i, e, e); r.Elem != e {
		t.wrong(i, "%v: the function takes %v and gives %v", t.op, e, r.Elem)
	}
}

func (t *typing) sameElem(a, b *Array) {
	if a.Elem != b.Elem {
		t.wrong(-1, "%v: elements of types %s and %s", t.op, elemName(a), elemName(b))
	}
}

func elemName(a *Array) string {
	if a.ElemVar != "" {
		return a.ElemVar
	}
	return a.Elem.String()
}

func IsRank(a *Array, rank int64) bool {
	n, ok := a.Rank.IsConst()
	return ok && n == rank
}

// Extents returns one size an axis.
func Extents(a *Array) []Size {
	all := make([]Size, a.Dims())
	for i := range all {
		all[i] = a.Extent(i)
	}
	return all
}

// meet returns what is known of a size that two descriptions are given of.
func meet(a, b Size) Size {
	if _, constant := b.IsConst(); a.Any || constant {
		return b
	}
	return a
}

// meetAll returns the meet of two shapes of one rank; f is the fault of axis
// i when they differ there.
func (t *typing) meetAll(a, b []Size, f Fault) []Size {
	all := make([]Size, len(a))
	for i := range a {
		if a[i].Differ(b[i]) {
			t.fault(f, a, b, ConstSize(int64(i+1)))
		}
		all[i] = meet(a[i], b[i])
	}
	return all
}

// WithoutExtent returns sizes without the one at i.
func WithoutExtent(sizes []Size, i int) []Size {
	return append(append([]Size{}, sizes[:i]...), sizes[i+1:]...)
}

// with returns sizes with s put in at i.
func with(sizes []Size, i int, s Size) []Size {
	return append(append(append([]Size{}, sizes[:i]...), s), sizes[i:]...)
}

// replaced returns sizes with the one at i replaced by s.
func replaced(sizes []Size, i int, s Size) []Size {
	all := append([]Size{}, sizes...)
	all[i] = s
	return all
}

// withValues returns ty with element values, if it is of a kind that has any:
// int or bool, a scalar, or a vector of that length.
func withValues(ty *Array, values []Size) *Array {
	if values == nil || len(values) > MaxValues || ty.Elem != array.Int && ty.Elem != array.Bool {
		return ty
	}
	switch {
	case IsRank(ty, 0) && len(values) == 1 && values[0].Known():
	case IsRank(ty, 1) && ty.Extent(0).Equal(ConstSize(int64(len(values)))):
	default:
		return ty
	}
	refined := *ty
	refined.Values = values
	return &refined
}

// Constants returns the values of a as constants, where they all are known.
func Constants(a *Array) ([]int64, bool) {
	if a.Values == nil {
		return nil, IsRank(a, 1) && a.Extent(0).Equal(ConstSize(0))
	}
	all := make([]int64, len(a.Values))
	for i, v := range a.Values {
		n, ok := v.IsConst()
		if !ok {
			return nil, false
		}
		all[i] = n
	}
	return all, true
}

// Natural reports whether s is certainly not negative.
func Natural(s Size) bool {
	if s.Any || s.Const < 0 {
		return false
	}
	for _, t := range s.Terms {
		if t.Coef < 0 {
			return false
		}
	}
	return true
}

// Magnitude returns |s|, Any where the sign is not known.
func Magnitude(s Size) Size {
	switch {
	case Natural(s):
		return s
	case Natural(s.Times(-1)):
		return s.Times(-1)
	}
	return AnySize
}

// RankOf returns the rank of an array expression.
func RankOf(e Expr) int { return TypeOf(e).Dims() }
