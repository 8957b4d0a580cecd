// Package fcl puts the parts of FCL together. FCL is a functional language in which GPU
// algorithms say how they use the hierarchy of threads, blocks and grid (M. Dybdal, Array
// abstractions for GPU programming, 2017, chapter 5); docs/fcl.md is a tutorial.
//
//	.fcl ──syntax──▶ tree ──types──▶ types, levels ─┬─eval──▶ values, costs, races
//	                          │                     └─compile─▶ OpenCL kernels + host plan
//	                         lib (FCL text)                      ├─device─▶ a run
//	                                                             └─host─▶ C of an executable
//
// The packages import only what stands left of them; compile and eval go through expressions by
// package walk, do not know each other's rules, and tests hold one to the other. Package inline has the bodies in FCL that
// dfns of APL carry in comments.
package fcl
