package interp

import (
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// functionForm is what ⎕OR gives for a function or an operator. There is one for each
// text, so that equal forms match.
type functionForm struct {
	name  string
	lines []string
	of    any
}

// Display returns the listing of the function.
func (f *functionForm) Display() string { return numberedLines(f.lines, f.of) }

// Short returns the display of the function in an array.
func (f *functionForm) Short() string { return "∇" + f.name }

// objectForm is ⎕OR: the value of a variable, a copy of a namespace, or a function as a
// scalar.
func objectForm(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕OR takes one argument")
	}
	name, err := prim.TextOf(y, "a name")
	if err != nil {
		return nil, err
	}
	name = strings.TrimSpace(name)
	v := in.held(f, name)
	switch a := v.(type) {
	case nil:
		return nil, prim.Errorf(diag.NoValue, "%s has no value here", name)
	case *V:
		n, ok := a.Ref.(*value.Namespace)
		if !ok {
			return a, nil
		}
		c := in.newSpace(f, "")
		c.Title = n.Path()
		return value.Reference(c), in.copyNames(f, c, a)
	}
	if in.sourceLines(name, v) == nil {
		return nil, prim.Errorf(diag.WrongDomain, "%s has no source", name)
	}
	return in.formOf(name, v), nil
}

// formOf returns the scalar that ⎕OR gives for a function or an operator.
func (in *Interp) formOf(name string, v any) *V {
	lines := in.sourceLines(name, v)
	key := strings.Join(lines, "\n")
	if in.forms == nil {
		in.forms = map[string]*functionForm{}
	}
	form := in.forms[key]
	if form == nil {
		form = &functionForm{name, lines, v}
		in.forms[key] = form
	}
	return value.Reference(form)
}

// syntaxOf returns the kind of a function's result (1, or ¯1 if it is shy), its valence
// and that of the operator.
func syntaxOf(v any) [3]int {
	switch v := v.(type) {
	case *niladic:
		s := headerSyntax(v.fn.node.Header)
		s[1] = 0
		return s
	case *tradfn:
		return headerSyntax(v.node.Header)
	case *tradOp:
		return headerSyntax(v.fn.node.Header)
	case *dop:
		if v.node.DyadicOperator {
			return [3]int{1, -2, 2}
		}
		return [3]int{1, -2, 1}
	case *primOperator:
		if classOf(v) == apl.DyadicOperator {
			return [3]int{1, -2, 2}
		}
		return [3]int{1, -2, 1}
	case Function:
		return [3]int{1, -2, 0}
	}
	return [3]int{}
}

func headerSyntax(h *apl.Header) [3]int {
	var s [3]int
	switch {
	case h.Result != nil && h.Shy:
		s[0] = -1
	case h.Result != nil:
		s[0] = 1
	}
	switch {
	case h.Ambivalent:
		s[1] = -2
	case h.Left != nil:
		s[1] = 2
	case h.Right != nil:
		s[1] = 1
	}
	switch {
	case h.RightOperand != nil:
		s[2] = 2
	case h.LeftOperand != nil:
		s[2] = 1
	}
	return s
}

// attributes is ⎕AT: the syntax, the time of the definition, the lock and the author of
// functions; with 1, 2, 3 or 4 on the left what APL2 tells.
func attributes(in *Interp, f *Frame, x, y *V) (*V, error) {
	single := y.Kind == value.Char && y.Rank() < 2 || y.Kind == value.Mixed && y.Rank() == 0
	names, err := nameList(y)
	if err != nil {
		return nil, err
	}
	kind := 0
	if x != nil {
		if kind, err = prim.Whole(x); err != nil || kind < 1 || kind > 4 {
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕AT is 1, 2, 3 or 4")
		}
	}
	var items []*V
	width := 0
	for _, name := range names {
		row := in.attributesOf(f, name, kind)
		items, width = append(items, row...), len(row)
	}
	if single {
		return value.FromItems([]int{len(items)}, items), nil
	}
	return value.FromItems([]int{len(names), width}, items), nil
}

// attributesOf returns a row of ⎕AT.
func (in *Interp) attributesOf(f *Frame, name string, kind int) []*V {
	v := in.held(f, name)
	_, array := v.(*V)
	known := v != nil && !array
	s := syntaxOf(v)
	fixed := make([]int, 7)
	if t := in.started; known {
		fixed = []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), 0}
	}
	switch kind {
	case 1:
		if array || s[0] < 0 {
			s[0] = 1
		}
		s[1] = max(s[1], -s[1])
		return scalars(s[:])
	case 2:
		return scalars(fixed)
	case 3:
		return scalars([]int{lockOf(v) & lockSource, lockOf(v) & lockPlace / lockPlace, 0, 0})
	case 4:
		size := 0
		if a, ok := v.(*V); ok {
			size = sizeOf(a)
		}
		return scalars([]int{size, size})
	}
	author := value.Text("")
	if known {
		author = in.constantName("⎕AN")
	}
	return []*V{value.Sizes(s[:]), value.Sizes(fixed), value.Integer(lockOf(v)), author}
}

// lockOf returns what ⎕LOCK hides of a value.
func lockOf(v any) int {
	if t := traditional(v); t != nil {
		return t.lock
	}
	return 0
}

func scalars(numbers []int) []*V {
	out := make([]*V, len(numbers))
	for i, n := range numbers {
		out[i] = value.Integer(n)
	}
	return out
}

// extendedAttributes is ⎕ATX.
func extendedAttributes(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "⎕ATX needs a left argument")
	}
	codes, err := prim.Ints(x)
	if err != nil || x.Rank() > 1 {
		return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕ATX is numbers of attributes")
	}
	names := []*V{y}
	several := y.Kind == value.Mixed
	if several {
		names = y.AllItems()
	}
	items := make([]*V, len(codes))
	for i, code := range codes {
		row := make([]*V, len(names))
		for k, n := range names {
			name, err := prim.TextOf(n, "a name")
			if err != nil {
				return nil, err
			}
			if row[k], err = in.attribute(f, strings.TrimSpace(name), int(code)); err != nil {
				return nil, err
			}
		}
		items[i] = row[0]
		if several && y.Rank() > 0 {
			items[i] = value.FromItems([]int{len(row)}, row)
		}
	}
	r := items[0]
	if x.Rank() == 1 {
		r = value.FromItems([]int{len(items)}, items)
	}
	if several && y.Rank() == 0 {
		r = value.Enclose(r)
	}
	return r, nil
}

// attribute returns an attribute of a name.
func (in *Interp) attribute(f *Frame, name string, code int) (*V, error) {
	v := in.held(f, name)
	class := in.classNumber(f, name)
	trad := traditional(v)
	lines := in.sourceLines(name, v)
	switch code {
	case 0:
		return value.Text(name), nil
	case 10, 11, 12:
		return value.Integer(syntaxOf(v)[code-10]), nil
	case 20, 50, 51, 52:
		return value.Text(""), nil
	case 21:
		return value.Integer(0), nil
	case 54, 55:
		before, count := definedAt(v)
		return value.Integer([]int{before, count}[code-54]), nil
	case 22:
		if class >= 3 && class < 5 {
			return timestamp(in.started.Truncate(time.Second)), nil
		}
		return value.Zilde(), nil
	case 23:
		if a, ok := v.(*V); ok {
			return value.Integer(sizeOf(a)), nil
		}
		return value.Integer(len(strings.Join(lines, "\n"))), nil
	case 30, 31, 32:
		hidden := []int{lockSource, lockPlace, 0}[code-30]
		switch {
		case trad == nil:
			return value.Integer(-1), nil
		case trad.lock&hidden != 0:
			return value.Integer(0), nil
		}
		return value.Integer(1), nil
	case 40:
		return value.Integer(int(class)), nil
	case 41:
		return value.Integer(int(10*class+0.5) % 10), nil
	case 42:
		return value.Number(class), nil
	case 53:
		return value.Zilde(), nil
	case 60, 61, 62:
		if array, ok := v.(*V); ok && array.Ref == nil {
			lines = nil
		}
		return value.Texts(lines), nil
	}
	return nil, prim.Errorf(diag.WrongDomain, "⎕ATX has no attribute %d", code)
}

// stateOf is ⎕STATE: of each function that runs whether it makes a name local, the class
// that the name had before, and its value then.
func stateOf(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.WrongValence, "⎕STATE takes one argument")
	}
	name, err := prim.TextOf(y, "a name")
	if err != nil {
		return nil, err
	}
	name = strings.TrimSpace(name)
	if s := apl.LookupSystem(name); s != nil {
		name = s.Name
	}
	var local, running []int
	var classes, values []*V
	for c := in.current; c != nil; c = c.caller {
		if c.trad == nil && (c.self == nil || c.self.name == "") {
			continue
		}
		running = append(running, 0)
		class, v, ok := in.before(c, name)
		if !ok {
			local = append(local, 0)
			continue
		}
		local = append(local, 1)
		classes = append(classes, value.Integer(class))
		if class != 0 {
			values = append(values, v)
		}
	}
	list := value.Zilde()
	if len(values) > 0 {
		list = value.FromItems([]int{len(values)}, values)
	}
	return value.Vector(value.Sizes(local), value.Sizes(running), value.FromItems([]int{len(classes)}, classes), list), nil
}

// before returns the class and the value that a name had outside of a call that makes it
// local.
func (in *Interp) before(c *Frame, name string) (class int, v *V, ok bool) {
	a := c.trad
	if a == nil {
		return 0, nil, false
	}
	for _, s := range c.saved {
		if s.name == name {
			now := in.state
			in.state = s.state
			v, _ := in.systemVariable(name)
			in.state = now
			return -1, v, v != nil
		}
	}
	var old any
	for i := range a.fn.names.names {
		if a.fn.names.names[i] == name {
			old, ok = a.hidden[i], true
		}
	}
	if s, shadowed := a.shadowed[name]; shadowed {
		old, ok = s, true
	}
	if !ok || old == nil {
		return 0, nil, ok
	}
	if v, array := old.(*V); array {
		return int(classNumberOf(v)), v, true
	}
	return int(classNumberOf(old)), value.Text(name), true
}
