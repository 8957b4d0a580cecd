// Package host writes a compiled program of FCL as C: its kernels as text, and the plan of
// the host as calls of the run-time library (cgen/rt/openclplan.h). The executable does what
// package device does, for whatever arguments it is given.
//
// In: a plan (package compile) for arguments whose types are known. Out: one file of C.
package host
