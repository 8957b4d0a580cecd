// Package fuzz generates well-typed APL programs, runs them through several
// routes, and shrinks those on which the routes differ.
//
// What comes in is a seed; what goes out is the text of a program that Dyalog
// could run, in which the generator knows the element type and the shape of
// every expression, so that nearly all programs run to their end and print
// something. A few are wrong on purpose of values: they may divide by zero,
// overflow or index outside, and then all routes must report the same fault.
package fuzz
