package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/interp/prim"
)

// A function that stands alone is displayed as Dyalog does: a dfn by its source, a
// train as a tree, anything else in a line in which functions and operators with
// names of their own are " ∇name ".

// described is the source of a derived function that has a name.
type described struct {
	f     apl.Func
	frame *Frame
}

// remember keeps the source of a function that a statement of the program names.
func (in *Interp) remember(f *Frame, fn Function, x apl.Func) {
	if _, ok := plain(x).(*apl.FuncName); ok || f.call() != nil {
		return
	}
	switch fn.(type) {
	case *primitive, *closure, *execute, *system:
		if _, ok := plain(x).(*apl.Derived); !ok {
			return
		}
	}
	if in.sources == nil {
		in.sources = map[Function]described{}
	}
	in.sources[fn] = described{x, f}
}

// plain returns a function without its parentheses.
func plain(f apl.Func) apl.Func {
	for {
		p, ok := f.(*apl.ParenFunc)
		if !ok {
			return f
		}
		f = p.F
	}
}

// display displays a function or an operator that stands alone.
func (in *Interp) display(f *Frame, s *apl.Display) error {
	if s.Op != nil {
		op, err := in.operator(f, s.Op)
		if err != nil {
			return err
		}
		in.writeLine(describeOperator(op))
		return nil
	}
	fn, err := in.function(f, s.F)
	if err != nil {
		return err
	}
	if a, ok := s.F.(*apl.FuncAssign); !ok || !systemName(a.Name.Ident) {
		in.writeLine(in.describe(f, fn, s.F))
	}
	return nil
}

// writeLine displays a text.
func (in *Interp) writeLine(text string) {
	in.pending = ""
	in.out.WriteString(text)
	in.out.WriteByte('\n')
}

// describe returns the display of a function and the expression that gave it.
func (in *Interp) describe(f *Frame, fn Function, x apl.Func) string {
	x = plain(x)
	if name, ok := x.(*apl.FuncName); ok {
		if d, ok := in.sources[fn]; ok {
			return in.describe(d.frame, fn, d.f)
		}
		if c, ok := fn.(*closure); ok && c.op == nil {
			return c.node.Span().Text()
		}
		return in.named(f, name)
	}
	if a, ok := x.(*apl.FuncAssign); ok {
		return in.describe(f, fn, a.F)
	}
	switch x.(type) {
	case *apl.Fork, *apl.Atop:
		return in.tree(f, x).String()
	}
	return in.line(f, x)
}

func describeOperator(op Operator) string {
	switch op := op.(type) {
	case *dop:
		return op.node.Span().Text()
	case *primOperator:
		return op.glyph
	case *curried:
		return op.text
	case *tradOp:
		return " ∇" + op.fn.title() + " "
	}
	return "∇"
}

// named returns a name of a function as part of a line.
func (in *Interp) named(f *Frame, name *apl.FuncName) string {
	v, _ := f.lookup(name.Ident)
	fn, _ := v.(Function)
	if d, ok := in.sources[fn]; ok && fn != nil {
		return in.line(d.frame, d.f)
	}
	if p, ok := fn.(*primitive); ok {
		return p.glyph
	}
	if t, ok := fn.(*tradfn); ok {
		return " ∇" + t.title() + " "
	}
	return " ∇" + name.Ident + " "
}

// line returns a function in a line.
func (in *Interp) line(f *Frame, x apl.Func) string {
	switch x := x.(type) {
	case *apl.Prim:
		return x.Glyph
	case *apl.FuncName:
		return in.named(f, x)
	case *apl.ParenFunc:
		return in.line(f, x.F)
	case *apl.FuncAssign:
		return in.line(f, x.F)
	case *apl.Derived:
		if outerProduct(x) {
			return "∘." + in.operandText(f, x.Left, true)
		}
		return in.operandText(f, x.Left, false) + in.operatorText(f, x.Op) + in.operandText(f, x.Right, true)
	case *apl.Atop:
		return in.operandText(f, apl.Operand{Func: x.F}, false) + in.line(f, x.G)
	case *apl.Fork:
		return in.operandText(f, x.F, false) + in.operandText(f, apl.Operand{Func: x.G}, false) + in.line(f, x.H)
	case *apl.Axis:
		return in.operandText(f, apl.Operand{Func: x.F}, false) + "[" + in.arrayText(f, x.Axis) + "]"
	}
	return x.Span().Text()
}

func outerProduct(x *apl.Derived) bool {
	op, ok := x.Op.(*apl.PrimOp)
	return ok && op.Glyph == "∘."
}

// operandText returns an operand in a line, in parentheses where it needs them: a
// train always, a derived function as a right operand.
func (in *Interp) operandText(f *Frame, o apl.Operand, right bool) string {
	if o.Func == nil {
		if o.Array == nil {
			return ""
		}
		return in.arrayText(f, o.Array)
	}
	text := in.line(f, o.Func)
	switch plain(o.Func).(type) {
	case *apl.Fork, *apl.Atop:
		return "(" + text + ")"
	case *apl.Derived:
		if right {
			return "(" + text + ")"
		}
	}
	return text
}

func (in *Interp) operatorText(f *Frame, x apl.Operator) string {
	switch x := x.(type) {
	case *apl.PrimOp:
		return x.Glyph
	case *apl.OpName:
		v, _ := f.lookup(x.Ident)
		if p, ok := v.(*primOperator); ok {
			return p.glyph
		}
		return " ∇" + x.Ident + " "
	}
	return x.Span().Text()
}

// arrayText returns an array operand, whose value is known where it is a constant
// or a variable.
func (in *Interp) arrayText(f *Frame, x apl.Expr) string {
	v, err := in.eval(f, x)
	if err != nil || v == nil {
		return x.Span().Text()
	}
	return strings.TrimSuffix(prim.Display(&in.state, v), "\n")
}

// tree lays out a function as a tree.
func (in *Interp) tree(f *Frame, x apl.Func) *picture {
	switch x := plain(x).(type) {
	case *apl.Atop:
		return branches("", in.tree(f, x.F), in.tree(f, x.G))
	case *apl.Fork:
		return branches("", in.operandTree(f, x.F), in.tree(f, x.G), in.tree(f, x.H))
	case *apl.FuncName:
		v, _ := f.lookup(x.Ident)
		if fn, ok := v.(Function); ok {
			if d, ok := in.sources[fn]; ok {
				return in.tree(d.frame, d.f)
			}
		}
		return leaf(strings.TrimSpace(in.named(f, x)))
	case *apl.Derived:
		switch {
		case outerProduct(x):
			return branches(".", leaf("∘"), in.operandTree(f, x.Left))
		case x.Right == apl.Operand{}:
			return slanted(strings.TrimSpace(in.operatorText(f, x.Op)), in.operandTree(f, x.Left))
		}
		return branches(strings.TrimSpace(in.operatorText(f, x.Op)), in.operandTree(f, x.Left), in.operandTree(f, x.Right))
	default:
		return leaf(in.line(f, x))
	}
}

func (in *Interp) operandTree(f *Frame, o apl.Operand) *picture {
	if o.Func != nil {
		return in.tree(f, o.Func)
	}
	return leaf(in.arrayText(f, o.Array))
}
