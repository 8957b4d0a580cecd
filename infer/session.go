package infer

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Known is something that an earlier line of a session left behind: the value
// of a variable, or a statement to repeat, which is a definition of a function
// or an operator, or the assignment of a system variable.
type Known struct {
	Name  string
	Value *array.Array // of an array, else nil
	Stmt  apl.Stmt
}

// Line returns the typed program for a line of a session, in which what is
// known has been defined, in order. The program's main expression is the tuple
// of the values of the arrays that the line assigned, whose names are
// returned. The error is a diag.List; what is known is taken to be sound.
func Line(p *apl.Program, known []Known, o Options) (prog *tail.Program, assigned []string, err error) {
	g := newInfer(p, o)
	g.prog.Main = g.block(func() tail.Expr {
		g.recall(known)
		before := map[string]*tail.Var{}
		for name, b := range g.scope.names {
			before[name] = b.v
		}
		g.statements(p.Body)
		for name, b := range g.scope.names {
			if b.v != nil && b.v != before[name] && name[0] != '#' {
				assigned = append(assigned, name)
			}
		}
		slices.Sort(assigned)
		return g.values(assigned)
	})
	if err := g.errs.Err(); err != nil {
		return nil, nil, err
	}
	return g.prog, assigned, nil
}

// recall defines what earlier lines left behind.
func (g *infer) recall(known []Known) {
	for _, k := range known {
		if k.Value == nil {
			g.statements([]apl.Stmt{k.Stmt})
			continue
		}
		g.bindVar(k.Name, lit(diag.Span{}, k.Value))
	}
}

// values returns the tuple of the named variables' values.
func (g *infer) values(names []string) *tail.Tuple {
	t := &tail.Tuple{}
	for _, name := range names {
		v := g.scope.names[name].v
		if _, nested := v.Type.(*tail.TupleType); nested {
			e := diag.Errorf(diag.Unsupported, diag.Span{Src: g.prog.Source}, "a session cannot keep a nested array: %s", name)
			g.errs = append(g.errs, e)
			continue
		}
		t.Elems = append(t.Elems, ref(v, diag.Span{}))
	}
	return t
}
