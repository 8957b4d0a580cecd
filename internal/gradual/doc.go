// Package gradual compiles functions of programs that are interpreted.
//
// In goes an interp.Unit: a dfn, what it refers to, and the types of its arguments; out
// comes an interp.Compiled, or nothing. A unit is typed by package infer with unknown
// extents. What it gives at once is evaluated by package tail; where there is a C
// compiler, C is made of it in the background, as a shared object that package native
// calls, first with little optimisation, then with all.
//
//	f←{⍵=0:⍺ ⋄ (⍺+k)∇⍵-1}   called with integer scalars, k←3
//	fun f (⍺:int, ⍵:int) : int = …   the entry, k a constant
//
// Loops of control words, and statements in a row of which one runs for long, are units, too
// (interp.Unit.Args): what they read is the items of a strand that they take, what they assign
// and display is that of the strand that they give. Nested arrays go in and come out as the simple
// ones that they are made of (nested.go).
//
// Foresee finds the units of a program without running it, by package infer; Compiled
// makes the shared objects that tailor build puts into an executable, which are found
// there by the C text of the function (Compiler.Parts).
//
// A compiled function never gives another answer than the interpreter: it has no
// effects and depends on nothing but its arguments; where it faults, where integers
// leave 64 bits or doubles overflow, it gives no answer. Where a number may be kept as a
// double that the interpreter keeps as an integer, whole numbers are no answer, either.
package gradual
