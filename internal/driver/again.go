package driver

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// WritesFiles reports whether p has ops that write files.
func WritesFiles(p *tail.Program) bool {
	found := false
	look := func(e tail.Expr) {
		tail.Walk(e, func(e tail.Expr) bool {
			a, ok := e.(*tail.Apply)
			found = found || ok && (a.Op == tail.OpWriteText || a.Op == tail.OpWriteNpy)
			return !found
		})
	}
	look(p.Main)
	for _, f := range p.Funcs {
		look(f.Body)
	}
	return found
}

// GoesOn reports whether an error is one of integers that overflow, or of a text for
// ⍎ that is no number.
func GoesOn(e *diag.Error) bool {
	return e.Code() == "E0606" || e.Code() == "E0611" && strings.HasPrefix(e.Message, `"`)
}
