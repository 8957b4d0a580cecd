package interp

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// A lock says what of a function with a header is hidden.
const (
	lockSource = 1 // its lines are not told
	lockPlace  = 2 // an error in it happened where it was called
)

// traditional returns the function with a header that a value is, or nil.
func traditional(v any) *tradfn {
	switch v := v.(type) {
	case *tradfn:
		return v
	case *niladic:
		return v.fn
	case *tradOp:
		return v.fn
	}
	return nil
}

// lock is ⎕LOCK: it hides the lines of a function with 1 on the left, the places of errors
// in it with 2, and both with 3 or nothing.
func lock(in *Interp, f *Frame, x, y *V) (*V, error) {
	how := lockSource | lockPlace
	if x != nil {
		var err error
		if how, err = prim.Whole(x); err != nil || how < 1 || how > 3 {
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕LOCK is 1, 2 or 3")
		}
	}
	name, err := prim.TextOf(y, "a name")
	if err != nil {
		return nil, err
	}
	t := traditional(in.held(f, strings.TrimSpace(name)))
	if t == nil {
		return nil, prim.Errorf(diag.WrongDomain, "%s is no function with a header", name)
	}
	t.lock |= how
	in.hide = true
	return value.Integer(t.lock), nil
}

// exportTypes is ⎕EXPORT: whether ⎕PATH finds functions; a left argument says so.
func exportTypes(in *Interp, f *Frame, x, y *V) (*V, error) {
	names, err := nameList(y)
	if err != nil {
		return nil, err
	}
	var kinds []int64
	if x != nil {
		if kinds, err = prim.Ints(x); err != nil {
			return nil, err
		}
		if x.Rank() > 1 || len(kinds) != 1 && len(kinds) != len(names) {
			return nil, prim.Errorf(diag.WrongLength, "%d types for %d names", len(kinds), len(names))
		}
		if slices.ContainsFunc(kinds, func(k int64) bool { return k != 0 && k != 1 }) {
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕EXPORT is 0 or 1 for each name")
		}
	}
	out := make([]byte, len(names))
	for i, name := range names {
		v := definition(in.held(f, name))
		if v == nil {
			return nil, prim.Errorf(diag.WrongDomain, "%s is no defined function or operator", name)
		}
		if kinds != nil {
			in.keepPrivate(v, kinds[min(i, len(kinds)-1)] == 0)
		}
		if !in.private[v] {
			out[i] = 1
		}
	}
	in.hide = x != nil
	return value.Booleans(out), nil
}

// definition returns what identifies a defined function or operator; nil for other values.
func definition(v any) any {
	if t := traditional(v); t != nil {
		return t
	}
	switch v := v.(type) {
	case *closure:
		return v
	case *dop:
		return v
	}
	return nil
}

func (in *Interp) keepPrivate(v any, private bool) {
	if in.private == nil {
		in.private = map[any]bool{}
	}
	in.private[v] = private
}

// find returns the value of a name: that in the frame or those around it, or else the
// function or the operator that ⎕PATH leads to.
func (in *Interp) find(f *Frame, name string) any {
	v, _ := f.lookup(name)
	if v == nil && in.state.Path != "" {
		return in.onPath(f, name)
	}
	return v
}

// onPath returns the function or the operator of a name in the first of the namespaces
// of ⎕PATH that exports one, or nil.
func (in *Interp) onPath(f *Frame, name string) any {
	for _, word := range strings.Fields(in.state.Path) {
		for _, n := range in.pathSpaces(f, word) {
			v := in.frameOf(n).own(name)
			if d := definition(v); d != nil && !in.private[d] {
				return v
			}
		}
	}
	return nil
}

// pathSpaces returns the namespaces that a word of ⎕PATH names: ↑ is those around the
// one that f belongs to, from the inside out.
func (in *Interp) pathSpaces(f *Frame, word string) []*value.Namespace {
	if word == "↑" {
		var out []*value.Namespace
		for n := in.this(f); n != in.root; {
			n = in.around(in.frameOf(n))
			out = append(out, n)
		}
		return out
	}
	path := in.state.Path
	in.state.Path = "" // a namespace is not looked for by ⎕PATH
	v := in.held(f, word)
	in.state.Path = path
	if a, ok := v.(*V); ok {
		if n, ok := a.Ref.(*value.Namespace); ok {
			return []*value.Namespace{n}
		}
	}
	return nil
}

// setPath is ⎕PATH←.
func setPath(s *prim.Context, y *V) error {
	path, err := prim.TextOf(y, "⎕PATH")
	s.Path = path
	return err
}

// stack is ⎕STACK: what runs, the innermost first: functions as ⎕OR gives them, and ⍎
// and * for texts that are executed and for the program.
func (in *Interp) stack() *V {
	blank := value.Character(' ')
	var items []*V
	texts := in.executing
	executed := func(f *Frame) {
		for len(texts) > 0 && texts[len(texts)-1] == f {
			items = append(items, blank, value.Character('⍎'))
			texts = texts[:len(texts)-1]
		}
	}
	for f := in.current; f != nil; f = f.caller {
		executed(f)
		name, v := "", any(nil)
		switch {
		case f.trad != nil:
			name, v = f.trad.fn.title(), f.trad.fn
		case f.self != nil:
			name, v = f.self.name, f.self
		default:
			continue
		}
		items = append(items, in.formOf(name, v), blank)
	}
	executed(nil)
	items = append(items, blank, value.Character('*'))
	return value.FromItems([]int{len(items) / 2, 2}, items)
}

// definedAt returns where the definition of a value stands in the script of ⎕FIX: lines
// before it, and its lines; zeros where ⎕FIX did not make it.
func definedAt(v any) (before, lines int) {
	var at diag.Span
	switch v := v.(type) {
	case *V:
		if n, ok := v.Ref.(*value.Namespace); ok && n.Scripted {
			return n.Line, len(n.Source)
		}
		return 0, 0
	case *closure:
		at = v.node.Span()
	case *dop:
		at = v.node.Span()
	default:
		t := traditional(v)
		if t == nil {
			return 0, 0
		}
		at = t.node.Span()
	}
	if at.Src == nil || at.Src.Name != fixSource {
		return 0, 0
	}
	line, _ := at.Src.Position(at.Start)
	return line - 1, 1 + strings.Count(strings.TrimSpace(at.Text()), "\n")
}

// fixSource is the name of the source of a script that ⎕FIX runs.
const fixSource = "⎕FIX"

// scripted notes where the script of a namespace stands.
func scripted(n *value.Namespace, s *apl.NamespaceDef) {
	at := s.Span()
	n.Source = strings.Split(at.Text(), "\n")
	line, _ := at.Src.Position(at.Start)
	n.Line, n.Scripted = line-1, at.Src.Name == fixSource
}
