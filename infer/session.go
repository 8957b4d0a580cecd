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
	Value *array.Array // of a simple array, else nil
	Items *Items       // of a strand of arrays, else nil
	Stmt  apl.Stmt
	Type  tail.Type // of an array that the line itself assigned, else nil
}

// Items are the items of a strand, each an array or a strand of its own. Shape
// and Proto are those of the type of a tuple.
type Items struct {
	Array *array.Array
	Of    []*Items
	Shape []int
	Proto tail.Type
}

// Fill gives the arrays of a strand, in order, values from the front of a list,
// and returns the rest. A ragged vector of few items becomes a strand, unless it is
// a column.
func (i *Items) Fill(values []*array.Array) []*array.Array { return i.fill(values, false) }

// ByColumns reports whether a nested array is stored by columns.
func (i *Items) ByColumns() bool { return len(i.Shape) > 0 && i.Shape[0] <= ofStrands }

// HoldsColumns reports whether a nested array, or an item of it, is stored by
// columns.
func (i *Items) HoldsColumns() bool {
	return i.ByColumns() || slices.ContainsFunc(i.Of, (*Items).HoldsColumns)
}

func (i *Items) fill(values []*array.Array, column bool) []*array.Array {
	column = column || i.ByColumns()
	if i.Of == nil {
		i.Array = values[0]
		return values[1:]
	}
	for _, item := range i.Of {
		values = item.fill(values, column)
	}
	if !column && slices.Equal(i.Shape, raggedShape) {
		elements, offsets, lengths := i.Of[0].Array, i.Of[1].Array, i.Of[2].Array
		if n := offsets.Len(); n > 0 && n <= maxItems {
			i.Of, i.Shape, i.Proto = make([]*Items, n), nil, nil
			for k := range i.Of {
				i.Of[k] = &Items{Array: part(elements, int(offsets.Int(k)), int(lengths.Int(k)))}
			}
		}
	}
	return values
}

// part is the vector of n elements of a vector, from the element with a number.
func part(a *array.Array, from, n int) *array.Array {
	z := array.New(a.Elem, n)
	for i := range n {
		setElem(z, i, element(a, from+i))
	}
	return z
}

// expr returns the value of a strand, whose arrays are what of gives.
func (i *Items) expr(of func(*array.Array) tail.Expr) tail.Expr {
	if i.Of == nil {
		return of(i.Array)
	}
	t := &tail.Tuple{Shape: i.Shape, Proto: i.Proto}
	for _, item := range i.Of {
		t.Elems = append(t.Elems, item.expr(of))
	}
	return t
}

// received returns the expression for an array of an earlier line.
func (g *infer) received(a *array.Array) tail.Expr {
	if g.options.Received != nil {
		return g.options.Received(a)
	}
	return lit(diag.Span{}, a)
}

// Line returns the typed program for a line of a session, in which what is
// known has been defined, in order. The program's main expression is the tuple
// of the values of the arrays that the line assigned, which are returned without
// their values: those of a strand follow each other. The error is a diag.List; what is known is taken to be sound.
func Line(p *apl.Program, known []Known, o Options) (prog *tail.Program, assigned []Known, err error) {
	if places := p.Dynamic(); len(places) > 0 {
		return nil, nil, places
	}
	g := newInfer(p, o)
	g.prog.Main = g.block(func() tail.Expr {
		g.recall(known)
		before := map[string]*tail.Var{}
		for name, b := range g.scope.names {
			before[name] = b.v
		}
		g.statements(p.Body)
		var names []string
		for name, b := range g.scope.names {
			if b.v != nil && b.v != before[name] && name[0] != '#' {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		t := &tail.Tuple{}
		for _, name := range names {
			value := ref(g.scope.names[name].v, diag.Span{})
			if at := p.Span(); mentionsEither(value.Type()) {
				if err := g.try(func() { g.refuseEither(site{fn: at}) }); err != nil {
					g.errs = append(g.errs, err)
				}
			}
			assigned = append(assigned, Known{Name: name, Items: flattened(t, value), Type: value.Type()})
		}
		return t
	})
	if err := g.errs.Err(); err != nil {
		return nil, nil, err
	}
	return g.prog, assigned, nil
}

// recall defines what earlier lines left behind.
func (g *infer) recall(known []Known) {
	for _, k := range known {
		switch {
		case k.Value != nil:
			g.bindVar(k.Name, g.received(k.Value))
		case k.Items != nil:
			g.bindVar(k.Name, k.Items.expr(g.received))
		default:
			g.statements([]apl.Stmt{k.Stmt})
		}
	}
}

// flattened adds the arrays of a value to a tuple and returns what the value is
// made of.
func flattened(t *tail.Tuple, e tail.Expr) *Items {
	ty, nested := e.Type().(*tail.TupleType)
	if !nested {
		t.Elems = append(t.Elems, e)
		return &Items{}
	}
	items := &Items{Of: []*Items{}, Shape: ty.Shape, Proto: ty.Proto}
	for i := range ty.Elems {
		items.Of = append(items.Of, flattened(t, &tail.Proj{X: e, I: i}))
	}
	return items
}
