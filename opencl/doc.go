// Package opencl is a binding to OpenCL 1.2 that loads libOpenCL when the
// program runs, through purego: no cgo, no headers, and a binary that starts
// on machines without OpenCL and says what is missing.
//
// In: devices are found by Devices; Open makes a Queue on one. A Queue makes
// buffers, builds programs (their binaries are kept in a directory, so that the
// second build of a source on a device costs nothing), launches kernels and
// copies. Commands on a queue run in order. Out: bytes in the host's memory.
//
// Every error is an *Error, which says what was being done, OpenCL's name for
// the code, and what that means; a machine without devices gives ErrNoDevice.
// Nothing here is safe for concurrent use, but different queues are
// independent.
package opencl
