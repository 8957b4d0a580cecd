// Package flow says what loops define, use, read and write. It looks at programs of
// package laila/ir and asks nobody else.
//
//	definitions.go  the values of variables that are set once, and what is assigned
//	survey.go       where the variables and buffers of a function are used
//	summary.go      what a statement reads and writes, with all that is in it
//	touched.go      the same of straight code
//	checkedsums.go  sums whose steps are tested for overflow
//	scans.go        running scans and selections
//	updates.go      loops that store elements of an array, or join values to them, at any places
//	deadcode.go     what is used, and functions without what is not
//	frees.go        functions whose buffers are freed behind their last uses
package flow
