package gradual

import (
	"github.com/tailor-lang/tailor/tail"
)

// pure reports whether the entry of p has no effects, and depends on nothing but its
// arguments. That it may end the program is no effect: then it gives no answer, and the
// interpreter ends it.
func pure(p *tail.Program) bool {
	ok := true
	for _, f := range p.Funcs {
		tail.Walk(f.Body, func(e tail.Expr) bool {
			a, is := e.(*tail.Apply)
			ok = ok && !(is && a.Op.Row().Impure && a.Op != tail.OpStop)
			return ok
		})
	}
	return ok
}
