// Package types infers the types, kinds and levels of FCL programs.
//
// In: trees of package syntax, and the names that are known already (the built-in
// operators, a library). Out: a type scheme for every function, the type of every
// expression, and what every use of a name instantiates; or a diagnostic with both types.
// Functions are generalised over type and level variables, and so are bindings of let that
// define functions (those with parameters, fn, or level variables); other bindings of let
// have one type. There is no recursion: power, while and seqfor iterate.
//
// A kind is the set of what a type may be: scalar types, tuples, ground types (arrays,
// programs, unit), functions. The thesis's BT, GT and TYP are three such sets, and so are
// the operands of overloaded operators: NUM, INT, FLOAT.
//
// A level is thread, warp, block, grid, or a number of levels above a variable. Both
// thread and warp are one below block; a level of which only that is known is thread.
package types
