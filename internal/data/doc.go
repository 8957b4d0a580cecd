// Package data reads and writes what a program's files hold: texts, matrices
// of numbers in comma-separated form, and NumPy's .npy files. The C run-time
// (cgen/rt/file.c, csv.c and npy.c) does the same with the same messages.
//
// # Texts
//
// Files are UTF-8, with or without a byte order mark, which is dropped. Line
// ends of all sorts (CR LF, CR, LF) become newlines, as ⎕NGET has it.
//
// # Comma-separated numbers
//
// Every line that is not blank is a row; all rows have as many fields as the
// first. A field is a number, perhaps between blanks or in quotes: digits
// with an optional point, exponent and sign, which may be -, + or ¯. An int is
// a number without a fraction that fits into 64 bits; a bool is 0 or 1. An
// error names the file, the line and the column of the field.
//
// # NumPy files
//
// Versions 1 to 3 of the format, little-endian, in C or Fortran order: |b1 as
// bools; i1 i2 i4 i8 u1 u2 u4 as ints; f4 f8 as doubles; U1 as chars. A file
// of bools is accepted where ints, and a file of either where doubles are
// asked for. Written are |b1, <i8, <f8 and <U1 in version 1. An archive (.npz) is a zip
// file of such files.
package data

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Error is what is wrong with a file: the kind of Code is System where it cannot be read
// or written, Domain where its contents are wrong, and Type where they are
// not of the type asked for.
type Error struct {
	Code    diag.Code
	Message string
}

func (e *Error) Error() string { return e.Code.Kind().String() + ": " + e.Message }

func errorf(c diag.Code, format string, args ...any) *Error {
	return &Error{c, fmt.Sprintf(format, args...)}
}

// fileError says why a file cannot be read or written.
func fileError(verb, name string, err error) *Error {
	var number syscall.Errno
	var path *fs.PathError
	switch {
	case errors.As(err, &number):
		err = number
	case errors.As(err, &path):
		err = path.Err
	}
	return errorf(diag.FileOrTool, "cannot %s %s: %v", verb, name, err)
}

// elemName names an element type in messages.
func elemName(e array.Elem) string { return e.String() }
