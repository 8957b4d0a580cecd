// Package interp runs programs without compiling them.
//
// In go the tree of package apl and the arguments of the program; out comes what
// the program prints, or a *diag.Error with the place of the fault and the calls
// that led there. Values have the type, rank and depth that they turn out to have,
// so every program of the language runs, those that infer cannot type included.
//
// The interpreter shares with the compiler the tree, the scalar functions
// (internal/num), the random numbers and the display of simple arrays; above these
// it is an implementation of its own, so that each is a test of the other. Package
// value holds the arrays and package prim the primitive functions. Here are names
// and scopes, calls, operators, assignment, system names and errors.
//
// A dfn is a closure over the frame that it was made in. A call whose result is
// that of its caller replaces it, so that tail recursion takes no stack. ⎕IO, ⎕CT
// and the other system variables are dynamic: a dfn that assigns one gives the old
// value back when it returns.
//
// System functions are rows of the tables in system.go, those of ⌶ in ibeam.go. Each
// theme has its files: formatspec.go and formatting.go (⎕FMT), pattern.go, regex.go,
// matching.go and transform.go (⎕R and ⎕S), csv.go and csvwrite.go, encoding.go,
// files.go, directories.go, nativefiles.go and shell.go, which ask Access what they may
// do. Those that need nothing of the interpreter are in package convert.
package interp
