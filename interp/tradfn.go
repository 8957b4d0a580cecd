package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// tradfn is a function with a header, or an operator with one and its operands. It
// runs in the space that it was defined in.
type tradfn struct {
	node        *apl.Tradfn
	space       *Frame
	left, right any
	names       *localNames
	lock        int // of ⎕LOCK
}

// niladic is a function without arguments: its name is an array where it is used.
type niladic struct{ fn *tradfn }

// tradOp is an operator with a header.
type tradOp struct{ fn *tradfn }

// Derive gives the operator its operands.
func (o *tradOp) Derive(_ *Interp, left, right any) (Function, error) {
	t := *o.fn
	t.left, t.right = left, right
	return &t, nil
}

func (t *tradfn) title() string { return t.node.Header.Name.Ident }

// localNames are the names that a header makes local, and the labels.
type localNames struct {
	names, system []string
	set           map[string]bool
}

func localsOf(t *apl.Tradfn) *localNames {
	l := &localNames{set: map[string]bool{}}
	add := func(name string) {
		switch {
		case strings.HasPrefix(name, "⎕"):
			l.system = append(l.system, name)
		case !l.set[name]:
			l.set[name] = true
			l.names = append(l.names, name)
		}
	}
	h := t.Header
	for _, list := range [][]*apl.Name{h.Result, h.Right, h.Locals, {h.Left, h.LeftOperand, h.RightOperand}} {
		for _, n := range list {
			if n != nil {
				add(n.Ident)
			}
		}
	}
	for name := range t.Labels() {
		add(name)
	}
	return l
}

// activation is a call of a function with a header. Its local names are in the frame
// of its space, where they hide the values that others gave them until it returns.
type activation struct {
	fn      *tradfn
	space   *Frame // where its local names are
	globals *Frame // where its other names are: another space inside :With
	pc      int
	depth   int
	hidden  []any // the values of the local names outside
	loops   map[int]*loop
	withs   map[int]*Frame  // the spaces around each :With
	traps   map[int][]int64 // the numbers of the :Traps that were entered
	// reported are the errors that ⎕DMX described before the clause of a :Trap was
	// entered, and outside is that before the call.
	reported map[int]*Fault
	outside  *Fault
	from     *value.Namespace // whose system variables held at the call
	shadowed map[string]any   // by ⎕SHADOW: the values outside
	exported []export         // by ⎕CS
	events   *events          // ⎕TRAP, where it was assigned
	valence  int              // the number of arguments; 0 of a control structure outside of functions
}

func (a *activation) declares(name string) bool {
	if a.shadowed != nil {
		if _, ok := a.shadowed[name]; ok {
			return true
		}
	}
	return a.fn.names.set[name]
}

// fixed binds the name of a definition and returns its value.
func (in *Interp) fixed(f *Frame, s *apl.Tradfn) any {
	t := &tradfn{node: s, space: f.home(), names: localsOf(s)}
	var v any = t
	switch s.Header.Class() {
	case apl.ArrayClass:
		v = &niladic{t}
	case apl.MonadicOperator, apl.DyadicOperator:
		v = &tradOp{t}
	}
	f.scope(t.title()).set(t.title(), v)
	in.arm(t)
	return v
}

// Call calls the function.
func (t *tradfn) Call(in *Interp, x, y *V) (*V, error) {
	h := t.node.Header
	switch {
	case x != nil && h.Left == nil:
		return nil, prim.Errorf(diag.Unreadable, "%s takes no left argument", t.title())
	case x == nil && h.Left != nil && !h.Ambivalent:
		return nil, prim.Errorf(diag.NoLeftArgument, "%s needs a left argument", t.title())
	case h.RightList && (y.Rank() != 1 || y.Len() != len(h.Right)):
		return nil, prim.Errorf(diag.WrongLength, "%s takes a vector of %d items, not an array of shape %s", t.title(), len(h.Right), array.ShapeText(y.Shape))
	}
	if in.depth++; in.depth > maxDepth {
		in.depth--
		return nil, prim.Errorf(diag.TooDeep, "recursion is too deep")
	}
	f := in.enter(t)
	defer in.leave(f)
	f.bind(h, x, y)
	f.trad.valence = 1
	if x != nil {
		f.trad.valence = 2
	}
	if err := in.lines(f); err != nil {
		if e, ok := err.(*Fault); ok {
			if t.lock&lockPlace != 0 {
				e.leaves = f
			}
			e.leave(f)
		}
		return nil, err
	}
	in.shy = h.Shy
	return t.result(f.trad.space)
}

// block runs a control structure outside of functions.
func (in *Interp) block(f *Frame, s *apl.Block) error {
	t := &tradfn{node: s.Fn, space: f.home(), names: localsOf(s.Fn)}
	in.depth++
	inner := in.enter(t)
	defer in.leave(inner)
	return in.lines(inner)
}

// enter returns the frame of a call, in which the local names have no values.
func (in *Interp) enter(t *tradfn) *Frame {
	f := &Frame{parent: t.space, caller: in.current}
	if c := in.current; c != nil && c.home() == t.space && (c.trad == nil || c.parent != t.space) {
		f.parent = c
	}
	a := &activation{fn: t, space: t.space, globals: t.space, from: in.moveFor(t.space), depth: in.depth, outside: in.reported, hidden: make([]any, len(t.names.names))}
	for i, name := range t.names.names {
		if a.hidden[i] = t.space.own(name); a.hidden[i] != nil {
			t.space.set(name, nil)
		}
	}
	for _, name := range t.names.system {
		f.saved = append(f.saved, savedVariable{name, in.state})
	}
	f.trad = a
	in.current = f
	in.active++
	return f
}

// leave gives names the values that they had before a call.
func (in *Interp) leave(f *Frame) {
	a := f.trad
	a.giveBack()
	for _, l := range a.loops { // that were left
		l.shown.End()
	}
	for i, name := range a.fn.names.names {
		a.space.set(name, a.hidden[i])
	}
	in.moveFor(a.space)
	in.restore(f)
	in.moveTo(a.from)
	if a.reported != nil { // the call ended inside the clause of a :Trap
		in.reported = a.outside
	}
	in.depth, in.current = a.depth-1, f.caller
	in.active--
}

// bind gives arguments, operands and labels their values.
func (f *Frame) bind(h *apl.Header, x, y *V) {
	a := f.trad
	if x != nil {
		a.space.set(h.Left.Ident, x)
	}
	for i, n := range h.Right {
		if h.RightList {
			a.space.set(n.Ident, y.Item(i))
		} else {
			a.space.set(n.Ident, y)
		}
	}
	if h.LeftOperand != nil {
		a.space.set(h.LeftOperand.Ident, a.fn.left)
	}
	if h.RightOperand != nil {
		a.space.set(h.RightOperand.Ident, a.fn.right)
	}
	for name, line := range a.fn.node.Labels() {
		a.space.set(name, value.Integer(line))
	}
}

// result returns the value of a call: nil if the result has none.
func (t *tradfn) result(space *Frame) (*V, error) {
	h := t.node.Header
	items := make([]*V, len(h.Result))
	for i, n := range h.Result {
		v := space.own(n.Ident)
		a, ok := v.(*V)
		switch {
		case ok:
			items[i] = a
		case v != nil:
			return nil, prim.Errorf(diag.WrongClass, "the result %s of %s is not an array", n.Ident, t.title())
		case !h.ResultList:
			return nil, nil
		default:
			return nil, prim.Errorf(diag.NoValue, "the result %s of %s has no value", n.Ident, t.title())
		}
	}
	switch {
	case len(items) == 0:
		return nil, nil
	case h.ResultList:
		return value.FromItems([]int{len(items)}, items), nil
	}
	return items[0], nil
}
