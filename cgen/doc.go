// Package cgen turns loop programs (package laila) into C. It knows nothing of
// APL.
//
// One program becomes one file of gnu11 that includes tailor.h, the header of
// the run-time library under rt/, and nothing else. Nests become nested for
// loops; the target decides whether the outermost ones are shared among
// threads.
//
// What the C compiler must be told: -fwrapv, because integer arithmetic in
// loop expressions wraps; -fno-math-errno and -fno-trapping-math, because
// nobody reads errno or the floating-point flags and loops over floor and exp
// do not vectorise otherwise. -ffast-math is never given: results keep IEEE
// semantics, except that sums and products of doubles may be associated
// differently where the nest says that its order does not matter.
//
// Booleans are combined by & and |, never by && and ||, and loads are never
// conditional: gcc 12 miscompiles vectorised conditional loads, and both forms
// stand in the way of vector code. Loads in the branches of a Select are
// therefore made before the statement, which they may be because loads are
// always in bounds.
package cgen
