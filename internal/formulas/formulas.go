// Package formulas holds the scalar functions that programs in C and kernels in OpenCL
// compute alike, as one text in the language that the two have in common. Who includes
// a file defines before it how functions and tables are declared (TL_INLINE, TL_SHARED,
// TL_TABLE), and what depends on the width of doubles (TL_ULP, TL_WHOLE, TL_GREAT,
// TL_SMALL, TL_UP, TL_DOWN, TL_INFINITE); cgen/rt/tailor.h and clgen/rt/formulas.cl do.
package formulas

import (
	"embed"
	"regexp"
)

// Files holds the files.
//
//go:embed *.h
var Files embed.FS

var include = regexp.MustCompile(`(?m)^#include "(.*)"\n`)

// Text returns the text of a file with what it includes.
func Text(name string) string {
	text, err := Files.ReadFile(name)
	if err != nil {
		panic("internal error: " + err.Error())
	}
	return include.ReplaceAllStringFunc(string(text), func(line string) string {
		return Text(include.FindStringSubmatch(line)[1])
	})
}
