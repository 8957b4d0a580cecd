// Package library makes shared objects of APL programs, for programs in C, C++, Python,
// Go and Dyalog APL (docs/embedding.md).
//
// In goes a program; out come a shared object and the sources by which it is called: a
// header, a Python module with its stub, a Go package and a Dyalog namespace. The entry
// points are the functions that have an annotation, which is their contract. Where it has
// variables of element types or ranks there is an instance for each of their values.
//
//	mean←+⌿÷≢ ⍝: <κ>n → double
//	int32_t price_mean_int_1(const int64_t *y, int64_t y_0, double *result, …);
//	int32_t price_mean_double_1(const double *y, int64_t y_0, double *result, …);
//
// Each instance is typed by infer.Entry, as the call of the function from a dfn, so that
// the annotation is tested as in a program; it becomes a unit of C of its own
// (driver.Exported), in which doubles that overflow are only noticed, and where they may,
// a second one that tests for them. The units, a table of them (glue.c) and the run-time
// library (cgen/rt/embed.c) are linked. Words of calls are those of package native.
//
// The files are templates in this folder, of which the data is a Library.
package library
