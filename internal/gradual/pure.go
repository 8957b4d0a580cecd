package gradual

import (
	"github.com/tailor-lang/tailor/tail"
)

// pure reports whether the entry of p has no effects, depends on nothing but its
// arguments, and ends the program by faults only.
func pure(p *tail.Program) bool {
	effects := tail.NewEffects(p)
	ok := true
	for _, f := range p.Funcs {
		ok = ok && effects.Of(f.Body)&tail.Impures == 0
		tail.Walk(f.Body, func(e tail.Expr) bool {
			if a, is := e.(*tail.Apply); is && a.Op == tail.OpStop {
				ok = false
			}
			return ok
		})
	}
	return ok
}
