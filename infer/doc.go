// Package infer turns the syntax tree of a program into typed TAIL.
//
// In: an apl.Program. Out: a tail.Program in which ranks, element types and,
// as far as they can be known, extents are part of every expression's type,
// and everything that APL leaves implicit is explicit: scalar extension,
// overloads, coercions, identity elements, index origin, the functions that
// operators are applied to. Structure that backends want to see (reduce, scan,
// each, power …) survives.
//
// # How
//
// Inference is abstract interpretation, forward, of the program with types for
// values. Names are bound to variables (a new one for each assignment), to
// functions or to operators. An expression is built as a tail.Expr with the
// type that the op table gives; assignments inside expressions become lets, in
// APL's order of evaluation, which is from right to left.
//
// A dfn that is called by name is specialised: once for each tuple of argument
// types (and operands, and types of the variables of outer scopes that it
// mentions), into a tail.Func. The types are generalised first: extents become
// size variables, equal where the arguments' extents are known to be equal.
// When the body needs a constant to determine a rank, the specialisation is
// made again for the arguments' exact types. A dfn that is written where it is
// applied, or an operand, is expanded in place.
//
// Recursive functions are typed by iteration: the result of a recursive call is
// assumed to be bottom, which guards ignore, and then what the last iteration
// found, until it does not change. Element types widen bool, int, double.
//
// Errors are collected in a diag.List. Inside the package an error unwinds by a
// panic with a private type, which Program and the specialiser recover; no
// panic of that kind leaves the package.
package infer
