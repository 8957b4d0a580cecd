package diag

import "regexp"

// Code is a row of the table of codes: every diagnostic of a kind whose message
// matches has the code. The pages are in docs/errors.md.
type Code struct {
	Name    string
	Kind    Kind
	Title   string
	Message *regexp.Regexp
}

// Codes lists the codes; the first row that fits a diagnostic counts, and the
// last of a kind fits all. Codes do not change their meaning.
var Codes = []Code{
	{"E0101", Syntax, "unbalanced brackets", match(`^[\[\](){}].*(closed|closes)`)},
	{"E0102", Syntax, "a string that is not closed", match(`string is not closed|quote`)},
	{"E0103", Syntax, "a malformed number", match(`malformed number|no number behind`)},
	{"E0104", Syntax, "a function without its right argument", match(`has no right argument|a function without an argument|is a function`)},
	{"E0105", Syntax, "a function without its left argument", match(`needs a left argument`)},
	{"E0106", Syntax, "a missing or wrong operand", match(`operand|needs a function`)},
	{"E0107", Syntax, "a faulty assignment", match(`nothing to assign|cannot be assigned|selects nothing|no function between`)},
	{"E0108", Syntax, "a faulty guard", match(`guard|condition|: has no|nothing before :|nothing behind :`)},
	{"E0109", Syntax, "faulty brackets", match(`nothing inside|outside brackets|to index|an axis is one`)},
	{"E0110", Syntax, "a name of another class", match(`is assigned a |is not a function|is not an array|is not an operator|was an? |has been|keeps its class|class`)},
	{"E0111", Syntax, "a faulty annotation", match(`annotation`)},
	{"E0112", Syntax, "bytes that are no text", match(`UTF-8|NUL byte`)},
	{"E0113", Syntax, "a derived function with too few or too many arguments", match(`product takes|scan takes|takes one argument|∘ between|takes \d+ arguments`)},
	{"E0114", Syntax, "a special name outside braces", match(`outside a dfn`)},
	{"E0100", Syntax, "an expression that cannot be read", match(``)},
	{"E0201", Value, "an unknown name", match(`unknown name|is not defined`)},
	{"E0202", Value, "a missing left argument", match(`left argument`)},
	{"E0203", Value, "a special name without a value", match(`outside a dfn|has no value here|no value`)},
	{"E0204", Value, "a dfn without a result", match(`no result`)},
	{"E0200", Value, "a value is missing", match(``)},
	{"E0301", Length, "shapes that differ", match(`shapes .* differ on axis`)},
	{"E0302", Length, "an inner product whose inner extents differ", match(`last axis of the left`)},
	{"E0303", Length, "arrays that cannot be joined", match(`catenated|rows|joined`)},
	{"E0304", Length, "as many counts as items", match(`counts for|selects`)},
	{"E0305", Length, "a value that does not fit the selection", match(`cannot assign`)},
	{"E0306", Length, "a window that is too long", match(`windows of`)},
	{"E0307", Length, "as many names as values", match(`names for`)},
	{"E0308", Length, "one value is needed", match(`single value`)},
	{"E0309", Length, "rotation counts that do not fit", match(`rotation counts`)},
	{"E0310", Length, "tuples of different lengths", match(`items and`)},
	{"E0300", Length, "lengths that do not fit", match(``)},
	{"E0401", Rank, "shapes of different ranks", match(`different ranks`)},
	{"E0402", Rank, "branches of different ranks", match(`branches of the guard|in one case`)},
	{"E0403", Rank, "one index an axis", match(`indices for|1 index for`)},
	{"E0404", Rank, "a rank that is not known", match(`not known|rank of the result|decides the rank`)},
	{"E0405", Rank, "a step of ⍣ that changes the rank", match(`⍣ must keep`)},
	{"E0406", Rank, "an argument of another rank", match(`has no cells|no axis|needs? axes|of a scalar|axes for|of rank|the left argument`)},
	{"E0407", Rank, "a function of another rank", match(`rank 0|given rank|function gives`)},
	{"E0400", Rank, "ranks that do not fit", match(``)},
	{"E0501", Index, "an index outside the array", match(`is outside 1`)},
	{"E0502", Index, "an axis that is not there", match(`axis|axes`)},
	{"E0503", Index, "an item that is not there", match(`item`)},
	{"E0500", Index, "an index that does not fit", match(``)},
	{"E0601", Domain, "division by zero", match(`division by zero`)},
	{"E0602", Domain, "characters where numbers are needed", match(`characters|needs a file name`)},
	{"E0603", Domain, "a negative number", match(`is negative|negative extent|negative count`)},
	{"E0604", Domain, "a number that is not whole", match(`is not an integer`)},
	{"E0605", Domain, "a number that is no truth value", match(`is not 0 or 1`)},
	{"E0606", Domain, "an integer that is too large", match(`integer overflow`)},
	{"E0607", Domain, "reduction of nothing", match(`empty axis`)},
	{"E0608", Domain, "an argument outside the domain", match(`is not real|outside the function`)},
	{"E0609", Domain, "a singular matrix", match(`singular`)},
	{"E0610", Domain, "a faulty choice of axes", match(`choice of axes`)},
	{"E0611", Domain, "a text that is not a number", match(`is not a number|line|^\{0\}$`)},
	{"E0613", Domain, "a number that is too large", match(`floating-point overflow`)},
	{"E0612", Domain, "an empty array that cannot fill a shape", match(`cannot fill`)},
	{"E0600", Domain, "a value outside the domain", match(``)},
	{"E0701", Limit, "nesting that is too deep", match(`recursion|nest|deep`)},
	{"E0702", Limit, "an array that is too large", match(`too large|array of rank`)},
	{"E0703", Limit, "too many types of one function", match(`new types|different values`)},
	{"E0700", Limit, "a limit", match(``)},
	{"E0704", Space, "an array for which there is no memory", match(``)},
	{"E0801", Type, "an annotation that does not hold", match(`does not hold`)},
	{"E0802", Type, "a value that is not what its annotation says", match(`its shape is|its value is|by the annotation|by its annotation|annotation says`)},
	{"E0803", Type, "an annotation of another form", match(`the annotation of (a function|an operator)|two arguments`)},
	{"E0804", Type, "a recursive function without a type", match(`never returns|does not settle`)},
	{"E0805", Type, "data whose type is not known", match(`^\{0\}$|needs an annotation|cannot give|not a type for`)},
	{"E0800", Type, "types that do not fit", match(``)},
	{"E0901", Unsupported, "nested arrays", match(`nested|enclos|^[⊂⊆]`)},
	{"E0902", Unsupported, "forms of older APL", match(`control structures|branch \(|traditional|error guards`)},
	{"E0903", Unsupported, "a system name", match(`system|⎕|keyboard`)},
	{"E0904", Unsupported, "assignment to an outer variable", match(`outer scope`)},
	{"E0905", Unsupported, "a form of an operator", match(`operator|scalars|rank operand|⍣|@|⌺|⌸|outer product|reduction`)},
	{"E0906", Unsupported, "complex numbers", match(`complex`)},
	{"E0907", Unsupported, "namespaces", match(`namespace`)},
	{"E0900", Unsupported, "a form that is not compiled", match(``)},
	{"E1001", System, "a file or a tool", match(``)},
	{SignalCode, System, "an error that the program signalled", match(``)},
}

func match(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// SignalCode is the code of what a program raises itself, of any kind.
const SignalCode = "E1101"

// Code returns the code of a diagnostic.
func (e *Error) Code() string {
	if e.Class != "" {
		return e.Class
	}
	if e.Signalled {
		return SignalCode
	}
	text := e.Message
	if e.Template != "" {
		text = e.Template
	}
	for _, c := range Codes {
		if c.Kind == e.Kind && c.Message.MatchString(text) {
			return c.Name
		}
	}
	panic("internal error: a kind without a code")
}
