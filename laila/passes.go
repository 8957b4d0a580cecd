package laila

// pass is a step of the lowering that makes programs faster and that can be
// left out: without it they compute the same. Its name is no name of a pass of
// package tail. Passes over loop programs run in this order, after those that
// act while arrays become loops.
type pass struct{ name, doc string }

var passes = []pass{
	{"delay", "compute named arrays where they are used, not where they are named"},
	{"share", "compute an array once for several uses in one nest, in registers"},
	{"recompute", "compute cheap elements again at each of few uses"},
	{"knowledge", "use what guards and tests of extents say about indices"},
	{"versions", "continue the body of a loop in two versions where a reshape may keep the number of elements"},
	{"split", "split index sets where the body of a loop tests the indices"},
	{"pieces", "run pieces of a split index set at once where they read the same elements"},
	{"draws", "make random numbers of their places, not one after the other"},
	{"narrow", "store integers in as few bytes as their range needs"},
	{"bytes", "store characters below 256 in bytes; compile what follows the reading of a text for them, too"},
	{"member", "test for membership in few constants, and look up numbers in few, by comparisons"},
	{"marks", "mark which of the elements that are looked for a computed table has, and store none of it"},
	{"patterns", "compare with short patterns where ⍷ looks for them in vectors"},
	{"first", "look for the first element that passes a test up to there, and store no tests"},
	{"nearest", "find the nearest of few points by approximate distances, and by exact ones only where these do not decide"},
	{"order", "sort by a grade where it is made, and not by a look-up of each element"},
	{"filter", "keep elements of vectors by words of masks"},
	{"pointwise", "run all steps of a ⍣ that works by elements on one group of elements after the other"},
	{"selections", "choose between finite numbers where they are multiplied by truth values and added, in the steps of a ⍣"},
	{"counted", "make a loop over a range of a loop that ends when a number that grows by 1 reaches a limit"},
	{"steps", "compute scalars to which every step of a loop adds a constant from the number of the step"},
	{"unroll", "reduce short axes of scalars by an expression"},
	{"neighbours", "reduce small windows that move with a loop by expressions, and store none of them"},
	{"sliding", "make sums of wide windows of integers from those of the windows before"},
	{"tiles", "compute large inner products in tiles that stay in the caches"},
	{"blocks", "compute them in packed blocks, their tiles in registers"},
	{"thin", "compute small inner products of long axes in one pass over these"},
	{"groups", "sum groups of rows in one pass where a matrix says which row is in which group"},
	{"panels", "sum the columns of large matrices a panel at a time"},
	{"parts", "compute real and imaginary parts of complex numbers as doubles"},
	{"fuse", "join nests over one space, so that arrays between them need not be stored"},
	{"edges", "count runs of ones in the loop that looks for the longest of them"},
	{"reductions", "join reductions of one array"},
	{"remake", "compute elements of vectors again where that costs less than memory"},
	{"producers", "compute elements of a matrix in the one reduction that uses them"},
	{"strips", "make elements that filters keep a strip at a time where a loop reads them in order"},
	{"behind", "reduce what a sequential loop makes block by block behind it"},
	{"state", "run loops over arrays of integers on copies in 16 or 32 bits while their values fit"},
	{"variables", "keep the elements of small arrays that change hands, at constant places, in variables"},
	{"counters", "do not test for overflow of what is counted in small steps"},
	{"rows", "store what is computed of a part of an array where it belongs, and not in an array of its own before"},
	{"tables", "bound the elements of arrays of integers that loops update one by one, and store them in few bytes"},
	{"domains", "do not test doubles for 0, or for being negative, where bounds show that they are not"},
	{"defer", "queue updates of a matrix by a row and a column, and apply several in one pass over it"},
	{"sums", "sum narrow numbers in few bits"},
	{"tallies", "sum truth values in bytes"},
	{"indices", "note indices that are out of range, and look for the first one afterwards"},
	{"bittables", "split linear functions of the bits of an index into one of a block of indices and a table for the places in it"},
	{"reciprocals", "multiply by reciprocals of constants, with --relaxed"},
	{"contraction", "add products without rounding them before, with --relaxed"},
	{"lanes", "run groups of iterations that have short loops or branches a statement at a time"},
	{"apart", "run iterations of a loop side by side where none reads or writes what another one writes"},
	{"extremes", "compare elements with the least or the greatest of them by one difference"},
	{"rotate", "exchange arrays of a loop's state that become each other instead of copying them"},
	{"allocs", "allocate once what is allocated in every step of a loop"},
	{"stack", "keep small arrays whose storage does not change hands in the stack frame"},
	{"masks", "convert truth values to doubles once"},
	{"timetiles", "run several steps of a stencil on tiles of rows that stay in the caches"},
	{"timealign", "begin the loops of such tiles where vectors in storage begin, and end them with whole vectors"},
	{"quotients", "divide by constants in such tiles with products that give the same digits"},
	{"stepbounds", "carry bounds of the elements through the steps of such tiles in place of looks at them"},
	{"wholes", "divide whole numbers by constants with products that give the same digits"},
	{"widths", "compute integers of loops in 32 bits where their ranges allow"},
	{"cuts", "pass parts of stored vectors to functions where they are, and do not copy them"},
	{"handover", "give functions that call themselves the arguments that the caller does not need any more"},
	{"breaks", "leave a loop where it is decided that it ends"},
}

// Passes returns the names of the passes and what they do, in their order.
func Passes() (names, docs []string) {
	for _, p := range passes {
		names, docs = append(names, p.name), append(docs, p.doc)
	}
	return names, docs
}

// vectors reports whether loops are to become vector code of a CPU.
func (l *lowerer) vectors() bool { return l.opts.Tile || l.opts.Lanes }

// on reports whether a pass is to run.
func (l *lowerer) on(name string) bool { return !l.opts.Skip[name] }
