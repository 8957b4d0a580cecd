package tail

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
)

// Fault is a way for an operation to fail while the program runs. The
// evaluator and compiled code report the same text: the row's template with
// the operands filled in.
type Fault uint8

// The faults. The zero value is "unset".
const (
	NoFault Fault = iota
	FaultShapes
	FaultRanks
	FaultInner
	FaultCatenate
	FaultReshape
	FaultReshapeEmpty
	FaultIndex
	FaultIndexRank
	FaultUpdate
	FaultOverflow
	FaultDivide
	FaultNotInteger
	FaultNotBoolean
	FaultNotReal
	FaultCircle
	FaultNegative
	FaultInverse
	FaultRoll
	FaultEmptyReduce
	FaultComplexResult
	FaultOutOfDomain
	FaultReplicate
	FaultReplicateNegative
	FaultExpand
	FaultPermutation
	FaultTakeLength
	FaultRotate
	FaultDecode
	FaultSingular
	FaultWindow
	FaultNotScalar
	FaultRecursion
	FaultMemory
	FaultFile
	FaultFormat
	FaultAnnotation
	FaultNoValue
	FaultTooLarge
	FaultClaim
	FaultClaimValue
	FaultFloat
)

// ArgKind says how an operand of a template is written.
type ArgKind uint8

const (
	NoArg     ArgKind = iota
	ArgShape          // a shape, as APL writes it: "3 4"; the empty one is "scalar"
	ArgInt            // an integer, with ¯
	ArgDouble         // a double, as ⍕ writes it
	ArgText           // a text
)

// FaultRow is what is known about a fault. Template mentions its operands as
// {0}, {1}, …; Args gives their kinds.
type FaultRow struct {
	Code     diag.Code
	Template string
	Args     []ArgKind
}

var faultRows = [...]FaultRow{
	FaultShapes:            {diag.ShapesDiffer, "shapes {0} and {1} differ on axis {2}", []ArgKind{ArgShape, ArgShape, ArgInt}},
	FaultRanks:             {diag.RanksDiffer, "shapes {0} and {1} have different ranks", []ArgKind{ArgShape, ArgShape}},
	FaultInner:             {diag.InnerDiffers, "shapes {0} and {1}: the last axis of the left and the first axis of the right differ", []ArgKind{ArgShape, ArgShape}},
	FaultCatenate:          {diag.NotJoined, "shapes {0} and {1} cannot be catenated: axis {2} differs", []ArgKind{ArgShape, ArgShape, ArgInt}},
	FaultReshape:           {diag.Negative, "negative extent {0} in a shape", []ArgKind{ArgInt}},
	FaultReshapeEmpty:      {diag.EmptyFill, "an empty array cannot fill shape {0}", []ArgKind{ArgShape}},
	FaultIndex:             {diag.IndexOutside, "index {0} is outside 1…{1} on axis {2}", []ArgKind{ArgInt, ArgInt, ArgInt}},
	FaultIndexRank:         {diag.IndexCount, "{0} indices for an array of shape {1}", []ArgKind{ArgInt, ArgShape}},
	FaultUpdate:            {diag.SelectionDiffers, "cannot assign shape {1} to a selection of shape {0}", []ArgKind{ArgShape, ArgShape}},
	FaultOverflow:          {diag.IntegerOverflow, "integer overflow", nil},
	FaultFloat:             {diag.FloatOverflow, "floating-point overflow", nil},
	FaultDivide:            {diag.ZeroDivision, "division by zero", nil},
	FaultNotInteger:        {diag.NotInteger, "{0} is not an integer", []ArgKind{ArgDouble}},
	FaultNotBoolean:        {diag.NotTruth, "{0} is not 0 or 1", []ArgKind{ArgDouble}},
	FaultNotReal:           {diag.WrongDomain, "a real number is needed, the imaginary part is {0}", []ArgKind{ArgDouble}},
	FaultCircle:            {diag.WrongDomain, "circular function {0} has no value here", []ArgKind{ArgInt}},
	FaultNegative:          {diag.Negative, "{0} is negative", []ArgKind{ArgInt}},
	FaultInverse:           {diag.Negative, "a function is applied {0} times", []ArgKind{ArgInt}},
	FaultRoll:              {diag.OutsideDomain, "no integer is among the first {0}", []ArgKind{ArgInt}},
	FaultEmptyReduce:       {diag.EmptyReduction, "reduction of an empty axis: the function has no identity element", nil},
	FaultComplexResult:     {diag.OutsideDomain, "the result for {0} is not real: write {0}J0, or 0J0+x, for a complex one", []ArgKind{ArgDouble}},
	FaultOutOfDomain:       {diag.OutsideDomain, "{0} is outside the function's domain", []ArgKind{ArgDouble}},
	FaultReplicate:         {diag.WrongCount, "{0} counts for axis {2} of shape {1}", []ArgKind{ArgInt, ArgShape, ArgInt}},
	FaultReplicateNegative: {diag.Negative, "negative count {0}", []ArgKind{ArgInt}},
	FaultExpand:            {diag.WrongCount, "the left argument selects {0} items, axis {2} of shape {1} has others", []ArgKind{ArgInt, ArgShape, ArgInt}},
	FaultPermutation:       {diag.NotPermutation, "the left argument is not a valid choice of axes for shape {0}", []ArgKind{ArgShape}},
	FaultTakeLength:        {diag.WrongCount, "{0} counts for an array of shape {1}", []ArgKind{ArgInt, ArgShape}},
	FaultRotate:            {diag.RotationDiffers, "rotation counts of shape {0} do not fit shape {1}", []ArgKind{ArgShape, ArgShape}},
	FaultDecode:            {diag.WrongLength, "shapes {0} and {1} do not fit", []ArgKind{ArgShape, ArgShape}},
	FaultSingular:          {diag.Singular, "the matrix is singular", nil},
	FaultWindow:            {diag.LongWindow, "windows of {0} on an axis of {1}", []ArgKind{ArgInt, ArgInt}},
	FaultNotScalar:         {diag.NotSingle, "shape {0} where a single value is needed", []ArgKind{ArgShape}},
	FaultRecursion:         {diag.TooDeep, "recursion is too deep", nil},
	FaultMemory:            {diag.NoMemory, "out of memory for an array of shape {0}", []ArgKind{ArgShape}},
	FaultFile:              {diag.FileOrTool, "{0}", []ArgKind{ArgText}},
	FaultFormat:            {diag.NotNumber, "{0}", []ArgKind{ArgText}},
	FaultAnnotation:        {diag.UnknownType, "{0}", []ArgKind{ArgText}},
	FaultNoValue:           {diag.NoValue, "the function returned no value", nil},
	FaultTooLarge:          {diag.TooLarge, "an array of shape {0} is too large", []ArgKind{ArgShape}},
	FaultClaim:             {diag.AnnotationDiffers, "{0}, and its shape is {1}", []ArgKind{ArgText, ArgShape}},
	FaultClaimValue:        {diag.AnnotationDiffers, "{0}, and its value is {1}", []ArgKind{ArgText, ArgInt}},
}

// Row returns what is known about f.
func (f Fault) Row() FaultRow {
	if f == NoFault || int(f) >= len(faultRows) {
		panic("internal error: fault is unset")
	}
	return faultRows[f]
}

// indexFromZero is the template of FaultIndex where ⎕IO is 0.
const indexFromZero = "index {0} is outside 0…{1} on axis {2}"

// IndexFromZero returns the message of FaultIndex where ⎕IO is 0: the index and
// the last one that there is.
func IndexFromZero(index, last, axis string) string {
	return strings.NewReplacer("{0}", index, "{1}", last, "{2}", axis).Replace(indexFromZero)
}

// Template returns the template of f for an application that b blames.
func (b Blame) Template(f Fault) string {
	if f == FaultIndex && b.FromZero {
		return indexFromZero
	}
	return f.Row().Template
}

// Shift returns by how much operand i of f is less where ⎕IO is 0.
func (b Blame) Shift(f Fault, i int) int {
	if f == FaultIndex && b.FromZero && i < 2 {
		return 1
	}
	return 0
}

// Text returns the message of f for an application that b blames.
func (b Blame) Text(f Fault, args ...any) string {
	if f != FaultIndex || !b.FromZero {
		return f.Text(args...)
	}
	parts := make([]string, len(args))
	for i, a := range args {
		switch n := a.(type) {
		case int:
			a = n - b.Shift(f, i)
		case int64:
			a = n - int64(b.Shift(f, i))
		}
		parts[i] = OperandText(a)
	}
	return IndexFromZero(parts[0], parts[1], parts[2])
}

// Text returns the message of f with its operands filled in: []int for a
// shape, int or int64, float64, string. The evaluator, compile-time checks and
// compiled code report the same text.
func (f Fault) Text(args ...any) string {
	row := f.Row()
	if len(args) != len(row.Args) {
		panic("internal error: wrong number of operands for " + row.Template)
	}
	text := row.Template
	for i, a := range args {
		text = strings.ReplaceAll(text, "{"+strconv.Itoa(i)+"}", OperandText(a))
	}
	return text
}

// OperandText writes the operand of a template as APL would.
func OperandText(a any) string {
	switch a := a.(type) {
	case string:
		return a
	case int:
		return display.Int(int64(a))
	case int64:
		return display.Int(a)
	case float64:
		return strings.TrimSuffix(display.Format(array.ScalarDouble(a), display.DefaultPrecision), "\n")
	case []int:
		if len(a) == 0 {
			return "scalar"
		}
		parts := make([]string, len(a))
		for i, n := range a {
			parts[i] = OperandText(n)
		}
		return strings.Join(parts, " ")
	}
	panic("internal error: a fault cannot mention this operand")
}

// Fault returns the diagnostic for a fault of e, with the operands of the
// fault's template.
func (e *Apply) Fault(f Fault, args ...any) *diag.Error {
	return NewFault(f, e.Where, e.Blame, e.Blame.Text(f, args...))
}

// NewFault returns the diagnostic of a fault; text is the message with the
// operands filled in.
func NewFault(f Fault, at diag.Span, b Blame, text string) *diag.Error {
	e := &diag.Error{Code: f.Row().Code, Message: text, Span: at, Operands: b.Operands, RunTime: true}
	if k := e.Kind(); k == diag.Length || k == diag.Rank || k == diag.Index {
		e.Notes = b.Notes(at)
	}
	return e
}
