package ir

// RuntimeFunc is a function of the run-time library that Runtime statements
// call. Args and Results have a letter an operand:
//
//	a  an array of any rank and kind (a scalar is an Array with Scalar set)
//	v  a vector, m a matrix (both Arrays in their canonical kind)
//	*  any number of those of a
//	i  a scalar of kind I64 (RuntimeArg.X), b of kind U8, d of kind F64
//
// A result array is a fresh buffer, owned by the caller, of the kind that the
// statement's result says; the function sets its extents. A fault of the
// function itself is reported at the statement's span.
type RuntimeFunc struct {
	Name, Args, Results string
	Impure              bool
	Doc                 string
}

// RuntimeFuncs is the table of run-time functions.
var RuntimeFuncs = []RuntimeFunc{
	{"print", "a", "", true, "display as ⎕← does, with the program's print precision"},
	{"printbare", "a", "", true, "display without a line end"},
	{"format", "a", "a", false, "the display as characters: a vector for rank 0 and 1, else the argument's rank"},
	{"picture", "v*", "m", false, "the display of a nested array, made of the arguments as the first one says"},
	{"formatby", "va", "a", false, "the display with given width and precision"},
	{"readtext", "v", "v", true, "the text of a file"},
	{"readchars", "vi", "bvv", true, "the text of a file: whether all its characters are below the second argument, 128 or 256, then in bytes; else the second array has it"},
	{"writetext", "vvi", "i", true, "write a text to the file named by the second argument; the number of bytes"},
	{"stop", "vi", "i", true, "end the program with the error of the number and the text; 0 goes on and is the result"},
	{"readcsv", "v", "m", true, "a matrix of numbers of the result's kind"},
	{"csvtext", "a", "v", false, "a matrix as lines of comma-separated fields"},
	{"readnpy", "v", "a", true, "an array of the result's kind and rank"},
	{"writenpy", "av", "i", true, "write an array to a NumPy file; the number of bytes"},
	{"receive", "i", "a", false, "the array that a session put into a place, of the result's kind and rank"},
	{"send", "ai", "i", true, "give an array back to the session in a place; the place"},
	{"argcount", "", "i", true, "how many command-line arguments there are"},
	{"argtext", "i", "v", true, "command-line argument n, from 1, which is there"},
	{"parsenumber", "v", "d", false, "the number that a text spells"},
	{"timestamp", "", "v", true, "year … millisecond: 7 integers"},
	{"clock", "", "v", true, "account information: 4 integers"},
	{"generator", "", "i", true, "the state of the random generator, a seed to go on with"},
	{"draws", "i", "i", true, "make the random generator pass over as many draws; the state before"},
	{"seed", "i", "i", true, "set the random generator's seed and return it"},
	{"rolli", "i", "i", true, "a random integer from 1 to the argument, which is positive"},
	{"rolld", "", "d", true, "a random double between 0 and 1"},
	{"deal", "ii", "v", true, "x different random integers from 1…y; 0 ≤ x ≤ y"},
	{"gradeup", "a", "v", false, "the stable permutation, from 1, that sorts the major cells up"},
	{"gradedown", "a", "v", false, "the same, down"},
	{"order", "vi", "vv", false, "the permutation that sorts a vector, down where the second argument is 1, and the sorted elements, where there is a result for them"},
	{"leading", "vii", "v", false, "the first places of that permutation: as many as the third argument says, at most"},
	{"sorted", "vi", "v", false, "the sorted elements of a vector, down where the second argument is 1"},
	{"indexof", "vai", "a", false, "positions, from 1, of the items of the second argument in the first; the third is 1 for exact comparison"},
	{"member", "aai", "a", false, "which items of the first are in the second; exactness"},
	{"unique", "vi", "v", false, "the elements without those equal to an earlier one; exactness"},
	{"firstcell", "a", "v", false, "for every major cell the position, from 1, of the first with the same elements"},
	{"firstitem", "vvv", "v", false, "for every item of a ragged vector (elements, offsets from 0, lengths) the position, from 1, of the first with the same elements"},
	{"without", "vai", "v", false, "the elements that are not in the second; exactness"},
	{"intervalindex", "va", "a", false, "how many of the ascending elements are not greater"},
	{"match", "aai", "b", false, "same shape and equal elements; exactness"},
	{"nearest", "mmii", "v", false, "for every row of the first the place, from 1, of the nearest row of the second, 0 where it cannot tell; a 1 for each that is transposed"},
	{"find", "aai", "a", false, "where the first begins in the second; exactness"},
	{"matinv", "m", "bm", false, "the left inverse; the first result is 0 when the matrix is singular"},
	{"matdiv", "am", "ba", false, "solution of linear equations (right hand side, matrix); the first result is 0 when singular"},
}

// FmaFn is x×y+z, rounded once.
const FmaFn = "tl_fma"

// TwiceFn is 2×x+z, rounded once; twice x must not overflow.
const TwiceFn = "tl_twice"

// IsFused reports whether x is a fused multiply-add, which costs what the
// operations of machines cost.
func IsFused(x Expr) bool {
	m, ok := x.(*Math)
	return ok && (m.Fn == FmaFn || m.Fn == TwiceFn)
}
