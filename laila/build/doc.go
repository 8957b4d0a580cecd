// Package build makes loops of arrays that are delayed: hybrid pull arrays (thesis 001,
// section 3.4), which are an element type, a shape and a way to produce elements.
// Composing producers fuses; storing an array is a decision. Bounds checks, overflow
// checks and faults become explicit.
//
// A Lowering has what the functions of a program share, a Builder appends statements
// to the current block of one function. What an op becomes is in the packages that
// import this one (shape, reduce, search, library, control); New is given the function
// that finds it.
//
// The state of the lowering, and its values:
//
//	build.go values.go environment.go  blocks, literals, bindings; variables and what they stand for
//	pull.go origins.go filter.go       delayed arrays, and how they were made
//	materialise.go sizes.go            arrays that are stored, their extents; faults
//	transfer.go effects.go             arrays that functions take and give; what functions do
//
// Nests:
//
//	nest.go pieces.go                  index sets that are split
//	unroll.go stencil.go neighbours.go short axes, elements of small windows
//
// Functions of scalars, and of elements:
//
//	elementwise.go extend.go expect.go each element, scalar extension, checks of shapes
//	scalar.go math.go complex.go       functions of scalars
//	digits.go draws.go bytes.go        digits, random numbers, characters
//	tolerance.go overflow.go           comparison with constants, doubles that overflow
//
// What is known:
//
//	knowledge.go counts.go light.go    guards, numbers of elements, prices
package build
