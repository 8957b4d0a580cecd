package gradual

import (
	"errors"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail"
)

// Prospect says for which arguments a dfn that has a name can be compiled.
type Prospect struct {
	Where diag.Span
	Name  string
	Types []string // common types of arguments for which it can
	Why   string   // it cannot, if Types is empty
}

// Prospects returns what becomes of the dfns of a program that is interpreted, in order.
func Prospects(p *apl.Program) (all []Prospect) {
	f := infer.Foresee(p)
	for _, s := range f.Body {
		def, ok := s.(*apl.FuncDef)
		if !ok {
			continue
		}
		node, ok := def.F.(*apl.Dfn)
		if !ok || slices.ContainsFunc(all, func(p Prospect) bool { return p.Where == def.Span() }) {
			continue
		}
		r := Prospect{Where: def.Span(), Name: def.Name.Ident}
		r.try(interp.Units(f.Body, values(f), samples(node)))
		all = append(all, r)
	}
	return all
}

// try notes which units have types.
func (r *Prospect) try(units []*interp.Unit) {
	for _, u := range units {
		err := error(errShape)
		if u != nil {
			_, _, err = attempt(u)
		}
		if err == nil {
			r.Types = append(r.Types, typesText(u))
		} else if r.Why == "" {
			r.Why = reason(err)
		}
	}
}

// errShape is why a function has no unit.
var errShape = errors.New("it changes variables, ends with an assignment, or refers to what is only interpreted")

// attempt is typed; what infer did not foresee is a reason, too.
func attempt(u *interp.Unit) (p *tail.Program, f *function, err error) {
	defer func() {
		if recover() != nil {
			err = errNested
		}
	}()
	return typed(u)
}

// reason returns what the first of some errors says.
func reason(err error) string {
	var list diag.List
	if errors.As(err, &list) {
		return list[0].Message
	}
	return err.Error()
}

// samples returns calls of a dfn for common types of arguments.
func samples(d *apl.Dfn) (calls []interp.Call) {
	ranks := [][2]int{{0, 0}, {1, 1}, {2, 2}}
	if d.Dyadic {
		ranks = [][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 2}}
	}
	for _, e := range []array.Elem{array.Int, array.Double, array.Char} {
		for _, r := range ranks {
			c := interp.Call{Node: d, Y: example(tail.Ranked(e, r[1]))}
			if d.Dyadic {
				c.X = example(tail.Ranked(e, r[0]))
			}
			calls = append(calls, c)
		}
	}
	return calls
}

// typesText writes the types of a unit's arguments.
func typesText(u *interp.Unit) string {
	if u.Args != nil { // but for the last one, which means nothing
		var all []string
		for _, t := range u.Args[:len(u.Args)-1] {
			all = append(all, typeText(t))
		}
		return strings.Join(all, " ")
	}
	if u.Left.Kind == value.NoKind {
		return typeText(u.Right)
	}
	return typeText(u.Left) + " " + typeText(u.Right)
}
