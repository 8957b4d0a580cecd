package infer

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/prelude"
	"github.com/tailor-lang/tailor/tail"
)

// Some definitions of the prelude, and what infer itself makes of nested vectors,
// never fault, whatever their arguments are: their indices are positions that were
// counted before. Package returns does not prove that again; it looks at the
// functions of the program that they apply.

// safeDefinitions are definitions of the prelude that only fault by ⎕SIGNAL.
var safeDefinitions = map[string]bool{
	"key": true, "keyof": true, "likekeys": true, "ofeach": true,
	"stencil1": true, "stencil2": true, "steps1": true, "steps2": true, "steps3": true, "steps4": true,
	"offsets": true, "asmany": true, "flagged": true,
	"joinedoffsets": true, "bothof": true, "lengthened": true, "sheet": true, "raggedrows": true,
}

// surely makes an expression whose operations do not fault.
func (g *infer) surely(f func() tail.Expr) tail.Expr {
	saved := g.safely
	g.safely = true
	defer func() { g.safely = saved }()
	return f()
}

// doubting ends surely for a function of the program that is applied in it; the
// result resumes it.
func (g *infer) doubting(f function) func() {
	if !g.safely || inPrelude(f) {
		return func() {}
	}
	g.safely = false
	return func() { g.safely = true }
}

// inPrelude reports whether a function is written in the prelude.
func inPrelude(f function) bool {
	at := diag.Span{}
	switch f := f.(type) {
	case *primitive:
		at = f.at
	case *closure:
		at = f.node.Span()
	case *derived:
		at = f.at
	case *fork:
		at = f.at
	case *atop:
		return inPrelude(f.f) && inPrelude(f.g)
	}
	return prelude.Has(at)
}

// isSafe reports whether an operation is one that surely made.
func (g *infer) isSafe(e *tail.Apply) bool { return g.safe[e] }
