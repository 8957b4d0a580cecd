// Package eval evaluates programs of TAIL. It gives the language its meaning: every
// backend is compared with it.
//
// A program first becomes closures over frames of slots (compile, call, tuple); scalar
// functions become kernels, which run over blocks of elements (kernel, fuse, scalar, with
// the ops of each element type in int, double, complex, bits and finite). Arrays that
// nobody else sees are written in place or used again (alloc, pool, live). The other
// files have the ops, a family each.
package eval
