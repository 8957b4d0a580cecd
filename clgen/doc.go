// Package clgen turns loop programs (package laila/ir) into OpenCL kernels and a
// plan for the host. It knows nothing of APL.
//
// In: a loop program and the schedule of a type of device. Out: a Plan, which
// holds one OpenCL C source with all kernels and the host's part of the program
// as closures (laila/ir/eval); Run executes it. The host executes scalars, control
// flow, allocation and calls; what becomes of the rest, package file by file:
//
//	plan.go       which statements become kernels, and of which shape
//	shape.go      the shapes: map, reduction, running scan, selection, task
//	emit.go       OpenCL C of a kernel, for both schedules
//	expr.go       OpenCL C of statements and expressions
//	overflow.go   doubles that overflow
//	trap.go       faults and small arrays within a point
//	transpose.go  tiles, where a map reads along columns
//	rows.go       which maps are segmented reductions
//	product.go    inner products by functions of FCL's library
//	lanes.go      loops of few iterations as vector code, on CPUs
//	narrow.go     doubles as 32-bit floats
//	host.go       the program with launches, for package cgen to write as C
//	levels.go     the levels that annotations ask for
//	foreign.go    calls of functions that have kernels of their own
//	launch.go     sizes, arguments and answers of launches
//	library.go    functions of FCL's library as schedules, with the loops' code in them
//	emitscan.go   running scans and selections by these
//	emitreduce.go reductions of whole arrays by these
//	update.go     elements that are stored or joined at any places, by these
//	emitrows.go   segmented reductions by these, in four shapes on GPUs
//	fcltext.go    what became of a program there, as FCL
//	compute.go    grades and searches by programs of FCL (fcl/runtime)
//	storage.go    arrays that live on the host, on the device, or on both
//
// # Two schedules
//
// Groups is for GPUs: a work-item an element, consecutive work-items on
// consecutive elements, reductions by a tree in local memory and a second
// kernel that joins the groups' results. Chunks is for CPUs: a work-item for a
// contiguous part of the space, in plain loops; points that have loops or costly
// branches come in groups of lanes (laila.CPUKernels). PoCL runs both.
//
// # Where arrays are
//
// An array stays where it was made: the device after a kernel, the host after
// host code. It is copied when the other side needs it; single elements are
// copied alone, a few times. Small nests whose operands are on the host run
// there (Thresholds.HostWork).
//
// # Faults
//
// Kernels OR flags, as the loop program says, and raise one for faults within a
// point, which make the host repeat the nest in order, and leave them in the answers, a
// buffer of scalars that the host reads before it tests a flag or uses a
// result. Where a message needs the element, the loop program repeats the loop
// sequentially; the host does that. The messages are those of the evaluator.
// Overflow of doubles kernels note in one word, and a plan with tests runs where
// the host finds that raised.
//
// # Not done
//
// Searches of bools in integers or of integers in bools, and ⍸ and ⍷, run on the
// host. A reduction of reductions has a work-item for each of the inner ones.
//
// # Oclgrind
//
// make oclgrind finds nothing. Oclgrind forgets what kernels initialise of a
// buffer after the host has written a part of it, and so reports values that
// are not initialised where the host stores single elements (prefix, from 4096
// bytes on); a buffer of 8 doubles, of which the host writes the first and a
// kernel the others, shows it.
package clgen
