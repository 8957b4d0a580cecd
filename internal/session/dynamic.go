package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/interp"
	"github.com/tailor-lang/tailor/interp/value"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Lines that have no static type are interpreted. What they leave behind is typed
// again where it is a simple array, and else dynamic: a line that mentions it, by
// itself or by the functions that it calls, is interpreted, too. The interpreter is
// made anew from what is known whenever something else has changed that.

// errDynamic is the error of typing a line that mentions a dynamic value.
var errDynamic = errors.New("a dynamic value has no static type")

// dynamic reports whether an error of typing tells a limit of the compiler.
func dynamic(err error) bool {
	var list diag.List
	if errors.As(err, &list) {
		for _, e := range list {
			if driver.Limit(e) {
				return true
			}
		}
	}
	return errors.Is(err, errDynamic)
}

// mentionsDynamic reports whether a node uses a dynamic value, or a function that
// does.
func (s *Session) mentionsDynamic(n apl.Node, seen map[string]bool) bool {
	for _, u := range names(n) {
		if seen[u.Ident] {
			continue
		}
		seen[u.Ident] = true
		for _, k := range s.known {
			if k.Name != u.Ident {
				continue
			}
			if _, ok := k.Stmt.(*apl.Tradfn); ok {
				return true
			}
			if k.dynamic != nil && k.Value == nil && k.Items == nil || k.Stmt != nil && s.mentionsDynamic(k.Stmt, seen) {
				return true
			}
		}
	}
	return false
}

// names returns the free names of a node, and of the dfns that it defines.
func names(n apl.Node) []apl.FreeName {
	free := apl.FreeNames(n).Free
	if def, ok := n.(*apl.FuncDef); ok {
		if inner := apl.FreeNames(def.F); inner != nil {
			free = append(free, inner.Free...)
		}
	}
	return free
}

// interpreted runs a line in the interpreter, of which some has been shown. After an error the session is as before.
func (s *Session) interpreted(ctx context.Context, tree *apl.Program, done shown) error {
	in, err := s.interpreter(ctx)
	if err != nil {
		return err
	}
	old := in.Globals()
	in.SetPrintWidth(s.printWidth())
	begin := time.Now()
	made, err := in.Line(tree, s.again(ctx, done))
	if err != nil {
		s.machine = nil
		if errors.Is(err, interp.ErrInterrupted) {
			return eval.ErrInterrupted
		}
		return err
	}
	s.timer.since(begin)
	if w := in.PrintWidth(); w != s.printWidth() {
		s.PW = w
	}
	s.keepDynamic(append(made, settings(tree)...), old, in.Globals())
	s.machine = in
	return nil
}

// interpreter returns the interpreter with all that is known.
func (s *Session) interpreter(ctx context.Context) (*interp.Interp, error) {
	if s.machine != nil {
		return s.machine, nil
	}
	in := interp.New(&interp.Env{Stdout: io.Discard, Access: s.Access})
	for i, k := range s.known {
		if !plainStrand(k.Items) && k.dynamic == nil {
			k.dynamic = s.itemwise(ctx, k.Name)
			s.known[i].dynamic = k.dynamic
		}
		switch {
		case k.dynamic != nil:
			in.Set(k.Name, k.dynamic)
		case k.Value != nil:
			in.Set(k.Name, value.From(k.Value))
		case k.Items != nil && plainStrand(k.Items):
			in.Set(k.Name, valueOf(k.Items))
		case k.Items != nil:
		default:
			if _, err := in.Line(&apl.Program{Body: []apl.Stmt{k.Stmt}}, &interp.Env{Stdout: io.Discard}); err != nil {
				return nil, err
			}
		}
	}
	s.machine = in
	return in, nil
}

// valueOf returns a strand as a value of the interpreter.
func valueOf(i *infer.Items) *value.Array {
	if i.Of == nil {
		return value.From(i.Array)
	}
	items := make([]*value.Array, len(i.Of))
	for k, item := range i.Of {
		items[k] = valueOf(item)
	}
	if shape := i.Shape; len(shape) > 1 && value.Count(shape) == len(items) {
		return value.FromItems(shape, items)
	}
	return value.FromItems([]int{len(items)}, items)
}

// plainStrand reports whether a strand is stored item by item.
func plainStrand(i *infer.Items) bool {
	if i == nil || i.Of == nil {
		return true
	}
	if len(i.Shape) > 0 && (i.Shape[0] < 0 || value.Count(i.Shape) != len(i.Of)) {
		return false
	}
	for _, item := range i.Of {
		if !plainStrand(item) {
			return false
		}
	}
	return len(i.Of) > 0
}

// mostItems is the number of items of a nested array that are taken one by one.
const mostItems = 1000

// itemwise returns the value of a nested array that is stored by columns or with
// offsets: its items are read by a typed line. It is nil if they have no types.
func (s *Session) itemwise(ctx context.Context, name string) *value.Array {
	shape, err := s.quietly(ctx, "⍴"+name)
	if err != nil || shape.Array == nil {
		return nil
	}
	extents := make([]int, shape.Array.Len())
	for i := range extents {
		extents[i] = int(shape.Array.Int(i))
	}
	n := value.Count(extents)
	origin, err := s.quietly(ctx, "⎕IO")
	if err != nil || len(extents) == 0 || n > mostItems {
		return nil
	}
	if n == 0 {
		return s.without(ctx, extents, name)
	}
	items := make([]*value.Array, n)
	for k := range items {
		item, err := s.quietly(ctx, "⊃"+name+"["+place(k, extents, int(origin.Array.Int(0)))+"]")
		if err != nil || !plainStrand(item) {
			return nil
		}
		items[k] = valueOf(item)
	}
	return value.FromItems(extents, items)
}

// without returns the value of a nested array without items, nil where its prototype
// is not known.
func (s *Session) without(ctx context.Context, shape []int, name string) *value.Array {
	first, err := s.quietly(ctx, "⊃"+name)
	if err != nil || !plainStrand(first) {
		return nil
	}
	return value.Empty(shape, valueOf(first))
}

// place returns the indices of element k of the ravel.
func place(k int, shape []int, origin int) string {
	text := make([]string, len(shape))
	for axis := len(shape) - 1; axis >= 0; axis-- {
		text[axis] = fmt.Sprint(k%shape[axis] + origin)
		k /= shape[axis]
	}
	return strings.Join(text, ";")
}

// quietly returns the value of an expression that has a type.
func (s *Session) quietly(ctx context.Context, text string) (*infer.Items, error) {
	tree, err := apl.ParseWith(diag.NewSource("", resultName+"←"+text), s.classes())
	if err != nil {
		return nil, err
	}
	p, assigned, err := infer.Line(tree, s.definitions(), infer.Options{})
	if err != nil {
		return nil, err
	}
	values, err := eval.Values(p, &eval.Env{Stdout: io.Discard, Interrupt: ctx.Done()})
	if err != nil {
		return nil, err
	}
	assigned[0].Items.Fill(values)
	return assigned[0].Items, nil
}

// settings returns the statements of a line that set system variables.
func settings(tree *apl.Program) []apl.Stmt {
	var out []apl.Stmt
	for _, s := range tree.Body {
		if _, ok := s.(*apl.ExprStmt); ok {
			out = append(out, s)
		}
	}
	return out
}

// keepDynamic remembers what an interpreted line defined.
func (s *Session) keepDynamic(stmts []apl.Stmt, old, now map[string]*value.Array) {
	before := append([]known{}, s.known...)
	changed := false
	for name, v := range now {
		if old[name] == v {
			continue
		}
		k := known{Known: infer.Known{Name: name}, class: apl.ArrayClass}
		if a, ok := v.Simple(); ok {
			k.Value = a
		} else {
			k.dynamic = v
		}
		s.define(k)
		changed = true
	}
	for _, stmt := range stmts {
		if k, ok := definition(stmt); ok {
			s.define(k)
			changed = true
			s.announce(k)
		}
	}
	if changed {
		s.undo = append(s.undo, before)
	}
}

// showDynamic displays a value of the interpreter.
func (s *Session) showDynamic(v *value.Array, text string, pp int) {
	if a, ok := v.Simple(); ok {
		s.displayed, s.drawing = nil, nil
		s.show(a, pp)
		return
	}
	if s.box != noBox && v.Len() <= maxElements {
		text = s.withFrames(v, pp)
	}
	s.present(Shown{Text: text, Note: describeDynamic(v), Value: v})
}

// describeDynamic returns the shape of a dynamic value.
func describeDynamic(v *value.Array) string {
	if v.Rank() == 0 {
		return "dynamic"
	}
	return "dynamic · " + spellShape(v.Shape)
}

// spellDynamic returns an expression whose value is v; false if there is none.
func spellDynamic(v *value.Array) (string, bool) {
	if v.Ref != nil || v.Len() == 0 && v.Kind == value.Mixed {
		return "", false
	}
	if a, ok := v.Simple(); ok {
		return spell(a), true
	}
	parts := make([]string, v.Len())
	for i := range parts {
		text, ok := spellDynamic(v.Item(i))
		if !ok {
			return "", false
		}
		parts[i] = "(" + text + ")"
	}
	all := strings.Join(parts, "")
	if len(parts) == 1 {
		all = "⊂" + parts[0]
		if s, ok := v.Item(0).Simple(); ok && s.Rank() == 0 {
			all = parts[0]
		}
	}
	switch {
	case v.Rank() == 1 && len(parts) == 1:
		return "," + all, true
	case v.Rank() > 1:
		return spellShape(v.Shape) + "⍴" + all, true
	}
	return all, true
}
