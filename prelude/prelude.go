// Package prelude holds the primitives that are derived from others, in APL.
//
// In: nothing. Out: the syntax tree of the definitions, which infer expands
// where a program uses such a primitive. Nothing is parsed until then.
package prelude

import (
	_ "embed"
	"sync"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
)

//go:embed prelude.apl
var text string

var source = diag.NewSource("prelude", text)

// Has reports whether at is a place in the definitions.
func Has(at diag.Span) bool { return at.Src == source }

// Program returns the definitions.
var Program = sync.OnceValue(func() *apl.Program {
	p, err := apl.Parse(source)
	if err != nil {
		panic("internal error: prelude: " + err.Error())
	}
	return p
})
