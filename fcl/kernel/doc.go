// Package kernel is the intermediate language between FCL and OpenCL: scalar expressions,
// statements in loops, kernels, and the plan of the host that launches them.
//
// In: what package compile builds. Out: OpenCL C by Text, after Place has given local arrays
// their memory and put barriers where work-items meet.
//
// Variables are assigned once, unless they are Mutable. Arrays are in private, local or
// global memory, or in scratch memory: a piece of global memory for each work-item. An Each
// runs its iterations in parallel, by the work-items of a group, the groups of a launch,
// or all work-items; the number of them is independent of the number of iterations. Statements
// between are executed by all work-items of a group alike. What cannot be proved of indices,
// lengths and divisors is checked by the operators check, fit, same, size and divide, which
// note the first fault and go on with a harmless value.
package kernel
