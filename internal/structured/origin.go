package structured

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
)

// origin is the index origin of a namespace: that of the one around it where it begins, until it
// assigns ⎕IO. It is that of its functions, whoever calls them.
type origin struct {
	value int64
	set   bool    // the program assigns system variables
	of    origins // of the functions with headers so far
}

// origins are statements that assign ⎕IO, which functions with headers begin with.
type origins map[string]apl.Stmt

func (o origin) stmt(at apl.At) apl.Stmt { m := maker{at}; return m.assign("⎕IO", m.number(o.value)) }

// stated returns a statement of a namespace as one of the program, and notes what it sets; it reports
// false where that is not known.
func (o *origin) stated(x apl.Stmt, path string) (apl.Stmt, bool) {
	sets := assignsSystem(x)
	switch x := x.(type) {
	case *apl.ExprStmt:
		return x, !sets || o.assigned(x) || path == "" && len(systemSet([]apl.Stmt{x})) == 0
	case *apl.FuncDef:
		if path == "" {
			return x, true
		}
		f, ok := x.F.(*apl.Dfn)
		if !ok || sets {
			return x, false
		}
		now := *x
		now.F = f.With(append([]apl.Stmt{o.stmt(x.Name.At)}, f.Body...))
		return &now, true
	case *apl.Tradfn:
		if path != "" {
			o.of[x.Header.Name.Ident] = o.stmt(x.Header.Name.At)
		}
		return x, path == "" || !sets
	}
	return x, path == "" && len(systemSet([]apl.Stmt{x})) == 0
}

// assigned notes the index origin that a statement assigns, and ⎕ML, which is 1; it reports false
// for other statements.
func (o *origin) assigned(x *apl.ExprStmt) bool {
	a, ok := x.X.(*apl.Assign)
	if !ok || a.F != nil {
		return false
	}
	y, constant := a.Y.(*apl.Literal)
	targets := []apl.Target{a.Target}
	if t, several := a.Target.(*apl.StrandTarget); several {
		targets = t.Items
	}
	if !constant || y.Value.Elem != array.Int && y.Value.Elem != array.Bool || y.Value.Len() != 1 && y.Value.Len() != len(targets) {
		return false
	}
	for i, t := range targets {
		name, ok := t.(*apl.NameTarget)
		k := y.Value.Int(i % y.Value.Len())
		switch {
		case !ok || k != 0 && k != 1:
			return false
		case name.Ident == "⎕IO":
			o.value = k
		case name.Ident != "⎕ML" || k != 1:
			return false
		}
	}
	return true
}
