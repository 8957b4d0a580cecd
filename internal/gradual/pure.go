package gradual

import (
	"github.com/tailor-lang/tailor/tail"
)

// pure returns an error where the entry of p has effects, or depends on more than its
// arguments. That it may end the program is no effect: then it gives no answer, and the
// interpreter ends it.
func pure(p *tail.Program) (err error) {
	find := func(body tail.Expr) {
		tail.Walk(body, func(e tail.Expr) bool {
			a, is := e.(*tail.Apply)
			if err == nil && is && a.Op.Row().Impure && a.Op != tail.OpStop {
				err = impure{a.Where}
			}
			return err == nil
		})
	}
	find(p.Entry.Body) // whose places are those of the unit's text
	for _, f := range p.Funcs {
		find(f.Body)
	}
	return err
}
