// Package live says when the variables of a program in TAIL are used: which use is the
// last one, what is used after a moment of the evaluation, and which arrays are read
// by one consumer at one index, so that they need not be stored.
//
// In: functions of a checked program. Out: tables that the lowering asks (Uses). What
// is asked of the order of evaluation holds for the order in which package laila
// lowers: arguments from right to left.
//
//	liveness.go  uses and last uses
//	sharing.go   arrays whose uses are all in one nest
package live
