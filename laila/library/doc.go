// Package library lowers what functions of the run-time library compute: display, files,
// sorting, searches in large arrays.
//
//	library.go  calls of the run-time library
//	stop.go     errors that the program makes itself, where they happen only
//	chars.go    texts, and programs that are compiled for bytes, too
//	integers.go displays of small integers, and digits as numbers
//	marks.go    which of the elements that are looked for a computed table has
package library
