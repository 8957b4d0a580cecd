// Package check judges the annotations of a program: the types that comments
// beginning with ⍝: claim for functions, operators and values (thesis 001,
// section 3.3; grammar.md).
//
// In: an apl.Program. Out: a report an annotation, with a verdict a claim:
// proved for all instances, checked when the program runs, or refuted; and, for
// functions without annotation, the types that could be written.
//
// # How
//
// Variables of an annotation are rigid. Variables of sizes are symbolic extents
// of package infer. A variable of ranks or element types has finitely many
// values, since arrays have at most infer.MaxRank axes, and a claim is proved by
// inference for each of them. Calls of annotated functions are given what the
// annotation says of the result, which is proved once or checked at the call.
//
// A claim is proved if the function also returns: package internal/returns finds
// the relations of sizes and values that exclude faults. Claims that are not proved
// are tried on small arguments, and a counterexample refutes them.
package check
