// Package laila lowers TAIL to loop programs (package laila/ir) through hybrid
// pull arrays (thesis 001, section 3.4): an array is an element type, a shape and
// a way to produce elements. The passes are in passes.go; they ask package
// laila/flow what loops read and write.
package laila
