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

// Program returns the definitions.
var Program = sync.OnceValue(func() *apl.Program {
	p, err := apl.Parse(diag.NewSource("prelude", text))
	if err != nil {
		panic("internal error: prelude: " + err.Error())
	}
	return p
})
