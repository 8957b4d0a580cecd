// Package device runs the plans of package compile: it interprets the host's part, and
// launches the kernels on an OpenCL device.
//
// In: a plan, a queue, and arguments. Out: results in the host's memory, or the fault that
// the evaluator would report, at the same place.
package device
