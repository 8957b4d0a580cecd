package diag

import "fmt"

// Code says which error a diagnostic reports. Whoever makes an error chooses it,
// and with it the kind of the error. The number is that of its page in
// docs/errors.md; codes do not change their meaning. The first of each hundred is
// for what has no page of its own.
type Code uint16

const (
	Unreadable         Code = 100
	UnbalancedBrackets Code = 101
	OpenString         Code = 102
	MalformedNumber    Code = 103
	NoRightArgument    Code = 104
	NoLeftArgument     Code = 105
	WrongOperand       Code = 106
	FaultyAssignment   Code = 107
	FaultyGuard        Code = 108
	FaultyBrackets     Code = 109
	WrongClass         Code = 110
	FaultyAnnotation   Code = 111
	NotText            Code = 112
	WrongValence       Code = 113
	OutsideDfn         Code = 114

	MissingValue Code = 200
	UnknownName  Code = 201
	MissingLeft  Code = 202
	NoValue      Code = 203
	NoResult     Code = 204

	WrongLength      Code = 300
	ShapesDiffer     Code = 301
	InnerDiffers     Code = 302
	NotJoined        Code = 303
	WrongCount       Code = 304
	SelectionDiffers Code = 305
	LongWindow       Code = 306
	NamesDiffer      Code = 307
	NotSingle        Code = 308
	RotationDiffers  Code = 309
	TuplesDiffer     Code = 310

	WrongRank    Code = 400
	RanksDiffer  Code = 401
	BranchRanks  Code = 402
	IndexCount   Code = 403
	UnknownRank  Code = 404
	StepRank     Code = 405
	ArgumentRank Code = 406
	FunctionRank Code = 407

	WrongIndex   Code = 500
	IndexOutside Code = 501
	NoAxis       Code = 502
	NoItem       Code = 503

	WrongDomain     Code = 600
	ZeroDivision    Code = 601
	Characters      Code = 602
	Negative        Code = 603
	NotInteger      Code = 604
	NotTruth        Code = 605
	IntegerOverflow Code = 606
	EmptyReduction  Code = 607
	OutsideDomain   Code = 608
	Singular        Code = 609
	NotPermutation  Code = 610
	NotNumber       Code = 611
	EmptyFill       Code = 612
	FloatOverflow   Code = 613

	AtLimit      Code = 700
	TooDeep      Code = 701
	TooLarge     Code = 702
	TooManyTypes Code = 703
	NoMemory     Code = 704

	WrongType         Code = 800
	FalseAnnotation   Code = 801
	AnnotationDiffers Code = 802
	AnnotationForm    Code = 803
	RecursiveType     Code = 804
	UnknownType       Code = 805

	NotCompiled     Code = 900
	NestedArrays    Code = 901
	OldForms        Code = 902
	SystemName      Code = 903
	OuterAssignment Code = 904
	OperatorForm    Code = 905
	ComplexNumbers  Code = 906
	Namespaces      Code = 907

	FileOrTool Code = 1001

	Signalled Code = 1101
)

// CodeRow is what is known of a code.
type CodeRow struct {
	Code  Code
	Kind  Kind
	Title string
}

// Codes lists the codes in the order of their numbers. Signalled is of any kind:
// the program names it.
var Codes = []CodeRow{
	{Unreadable, Syntax, "an expression that cannot be read"},
	{UnbalancedBrackets, Syntax, "unbalanced brackets"},
	{OpenString, Syntax, "a string that is not closed"},
	{MalformedNumber, Syntax, "a malformed number"},
	{NoRightArgument, Syntax, "a function without its right argument"},
	{NoLeftArgument, Syntax, "a function without its left argument"},
	{WrongOperand, Syntax, "a missing or wrong operand"},
	{FaultyAssignment, Syntax, "a faulty assignment"},
	{FaultyGuard, Syntax, "a faulty guard"},
	{FaultyBrackets, Syntax, "faulty brackets"},
	{WrongClass, Syntax, "a name of another class"},
	{FaultyAnnotation, Syntax, "a faulty annotation"},
	{NotText, Syntax, "bytes that are no text"},
	{WrongValence, Syntax, "a derived function with too few or too many arguments"},
	{OutsideDfn, Syntax, "a special name outside braces"},
	{MissingValue, Value, "a value is missing"},
	{UnknownName, Value, "an unknown name"},
	{MissingLeft, Value, "a missing left argument"},
	{NoValue, Value, "a special name without a value"},
	{NoResult, Value, "a dfn without a result"},
	{WrongLength, Length, "lengths that do not fit"},
	{ShapesDiffer, Length, "shapes that differ"},
	{InnerDiffers, Length, "an inner product whose inner extents differ"},
	{NotJoined, Length, "arrays that cannot be joined"},
	{WrongCount, Length, "as many counts as items"},
	{SelectionDiffers, Length, "a value that does not fit the selection"},
	{LongWindow, Length, "a window that is too long"},
	{NamesDiffer, Length, "as many names as values"},
	{NotSingle, Length, "one value is needed"},
	{RotationDiffers, Length, "rotation counts that do not fit"},
	{TuplesDiffer, Length, "tuples of different lengths"},
	{WrongRank, Rank, "ranks that do not fit"},
	{RanksDiffer, Rank, "shapes of different ranks"},
	{BranchRanks, Rank, "branches of different ranks"},
	{IndexCount, Rank, "one index an axis"},
	{UnknownRank, Rank, "a rank that is not known"},
	{StepRank, Rank, "a step of ⍣ that changes the rank"},
	{ArgumentRank, Rank, "an argument of another rank"},
	{FunctionRank, Rank, "a function of another rank"},
	{WrongIndex, Index, "an index that does not fit"},
	{IndexOutside, Index, "an index outside the array"},
	{NoAxis, Index, "an axis that is not there"},
	{NoItem, Index, "an item that is not there"},
	{WrongDomain, Domain, "a value outside the domain"},
	{ZeroDivision, Domain, "division by zero"},
	{Characters, Domain, "characters where numbers are needed"},
	{Negative, Domain, "a negative number"},
	{NotInteger, Domain, "a number that is not whole"},
	{NotTruth, Domain, "a number that is no truth value"},
	{IntegerOverflow, Domain, "an integer that is too large"},
	{EmptyReduction, Domain, "reduction of nothing"},
	{OutsideDomain, Domain, "an argument outside the domain"},
	{Singular, Domain, "a singular matrix"},
	{NotPermutation, Domain, "a faulty choice of axes"},
	{NotNumber, Domain, "a text that is not a number"},
	{EmptyFill, Domain, "an empty array that cannot fill a shape"},
	{FloatOverflow, Domain, "a number that is too large"},
	{AtLimit, Limit, "a limit"},
	{TooDeep, Limit, "nesting that is too deep"},
	{TooLarge, Limit, "an array that is too large"},
	{TooManyTypes, Limit, "too many types of one function"},
	{NoMemory, Space, "an array for which there is no memory"},
	{WrongType, Type, "types that do not fit"},
	{FalseAnnotation, Type, "an annotation that does not hold"},
	{AnnotationDiffers, Type, "a value that is not what its annotation says"},
	{AnnotationForm, Type, "an annotation of another form"},
	{RecursiveType, Type, "a recursive function without a type"},
	{UnknownType, Type, "data whose type is not known"},
	{NotCompiled, Unsupported, "a form that is not compiled"},
	{NestedArrays, Unsupported, "nested arrays"},
	{OldForms, Unsupported, "forms of older APL"},
	{SystemName, Unsupported, "a system name"},
	{OuterAssignment, Unsupported, "assignment to an outer variable"},
	{OperatorForm, Unsupported, "a form of an operator"},
	{ComplexNumbers, Unsupported, "complex numbers"},
	{Namespaces, Unsupported, "namespaces"},
	{FileOrTool, System, "a file or a tool"},
	{Signalled, System, "an error that the program signalled"},
}

var codeKinds = func() map[Code]Kind {
	kinds := make(map[Code]Kind, len(Codes))
	for _, c := range Codes {
		kinds[c.Code] = c.Kind
	}
	return kinds
}()

// Kind returns the kind of the errors that have the code.
func (c Code) Kind() Kind { return codeKinds[c] }

// String returns the code as messages show it, as E0301.
func (c Code) String() string { return fmt.Sprintf("E%04d", uint16(c)) }
