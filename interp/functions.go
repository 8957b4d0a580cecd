package interp

import (
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// primitive is a primitive function.
type primitive struct {
	glyph string
	f     prim.Function
}

var primitives = map[string]*primitive{}

func init() {
	for _, g := range apl.Glyphs {
		if g.Class == apl.FunctionGlyph || g.Class == apl.HybridGlyph {
			primitives[g.Glyph] = &primitive{g.Glyph, prim.Lookup(g.Glyph)}
		}
	}
}

// primitive returns the function that a primitive is in a frame.
func (in *Interp) primitive(f *Frame, x *apl.Prim) Function {
	if x.Glyph == "⍎" {
		return &execute{f}
	}
	if p := primitives[x.Glyph]; p != nil {
		return p
	}
	if strings.HasPrefix(x.Glyph, "⎕") {
		return &system{x.Glyph, f}
	}
	return &primitive{x.Glyph, prim.Lookup(x.Glyph)}
}

func (p *primitive) Call(in *Interp, x, y *V) (*V, error) {
	if err := prim.Left(); err != nil {
		return nil, err
	}
	if in.state.Migration != defaultMigration {
		return in.migrated(p, x, y)
	}
	return p.f.Call(&in.state, x, y)
}

// axisFunction is a primitive function with an axis.
type axisFunction struct {
	glyph string
	axis  *V
}

func (a *axisFunction) Call(in *Interp, x, y *V) (*V, error) {
	glyph := in.migratedGlyph(a.glyph, x == nil)
	if x == nil {
		return prim.MonadicAxis(&in.state, glyph, a.axis, y)
	}
	return prim.DyadicAxis(&in.state, glyph, a.axis, x, y)
}

// atop is g h: g of what h gives.
type atop struct{ g, h Function }

func (t *atop) Call(in *Interp, x, y *V) (*V, error) {
	r, err := value1(t.h.Call(in, x, y))
	if err != nil {
		return nil, err
	}
	return t.g.Call(in, nil, r)
}

// fork is f g h; f may be an array.
type fork struct {
	f    any
	g, h Function
}

func (t *fork) Call(in *Interp, x, y *V) (*V, error) {
	r, err := value1(t.h.Call(in, x, y))
	if err != nil {
		return nil, err
	}
	l, ok := t.f.(*V)
	if !ok {
		if l, err = value1(t.f.(Function).Call(in, x, y)); err != nil {
			return nil, err
		}
	}
	return t.g.Call(in, l, r)
}

// value1 requires that a call gave a value.
func value1(v *V, err error) (*V, error) {
	if err == nil && v == nil {
		err = prim.Errorf(diag.NoValue, "the function returned no value")
	}
	return v, err
}

// scalarGlyph returns the glyph of a primitive function that is applied to each
// element, with two arguments, or "".
func scalarGlyph(f any) string {
	if p, ok := f.(*primitive); ok && prim.IsScalar(p.glyph) {
		return p.glyph
	}
	return ""
}

// execute is ⍎ in a frame.
type execute struct{ frame *Frame }

func (e *execute) Call(in *Interp, x, y *V) (*V, error) {
	if y.Kind != value.Char && y.Len() > 0 || y.Rank() > 1 {
		return nil, prim.Errorf(diag.WrongDomain, "⍎ needs a text")
	}
	if x != nil {
		space, err := namespaceOf(e.frame, x)
		if err != nil {
			return nil, err
		}
		return in.inside(e.frame, string(y.Chars), space)
	}
	return in.execute(e.frame, string(y.Chars))
}

// execute runs a text in a frame. Its value is that of its last expression.
func (in *Interp) execute(f *Frame, text string) (*V, error) {
	in.executing = append(in.executing, f.activation())
	defer func() { in.executing = in.executing[:len(in.executing)-1] }()
	prog, err := apl.ParseIn(diag.NewSource("⍎", text), surroundings(f))
	if err != nil {
		return nil, err
	}
	return in.executed(f, prog)
}

// executed runs a text that was read.
func (in *Interp) executed(f *Frame, prog *apl.Program) (*V, error) {
	defer in.moveTo(in.moveFor(f))
	var last *V
	var err error
	in.shy = true
	for i, s := range prog.Body {
		if l, ok := s.(*apl.Loose); ok {
			if s, err = in.reading(f, l); err != nil {
				return nil, err
			}
		}
		switch s := s.(type) {
		case *apl.ExprStmt:
			in.shy = false
			if i < len(prog.Body)-1 {
				if err := in.topLevel(f, s); err != nil {
					return nil, err
				}
				continue
			}
			if last, err = in.eval(f, s.X); err != nil {
				return nil, err
			}
			in.shy = in.shy || s.Silent
		case *apl.FuncDef, *apl.OperatorDef:
			if err := in.define(f, s); err != nil {
				return nil, err
			}
			last = nil
		case *apl.Branch:
			if err := in.leap(f, s); err != nil {
				return nil, err
			}
			last = nil
		default:
			return nil, in.fault(s, diag.Unreadable, "a statement that stands in dfns only")
		}
	}
	return last, nil
}

// assignOperator names an operator inside an expression; ⎕ displays it.
func (in *Interp) assignOperator(f *Frame, x *apl.OpAssign) (Operator, error) {
	op, err := in.operator(f, x.Op)
	if err != nil {
		return nil, err
	}
	if systemName(x.Name.Ident) {
		in.writeLine(describeOperator(op))
		return op, nil
	}
	in.bindOperator(f, &apl.OperatorDef{At: x.At, Name: x.Name, Op: x.Op}, op)
	return op, nil
}

// systemName reports whether a name is ⎕, ⍞ or that of a system variable.
func systemName(name string) bool {
	return strings.HasPrefix(name, "⎕") || strings.HasPrefix(name, "⍞")
}

// assignFunction names a function inside an expression; ⎕ displays it.
func (in *Interp) assignFunction(f *Frame, x *apl.FuncAssign) (Function, error) {
	fn, err := in.function(f, x.F)
	if err != nil {
		return nil, err
	}
	if systemName(x.Name.Ident) {
		in.writeLine(in.describe(f, fn, x.F))
		return fn, nil
	}
	in.bind(f, &apl.FuncDef{At: x.At, Name: x.Name, F: x.F}, fn)
	return fn, nil
}

// surroundings says what a text may refer to in a frame.
func surroundings(f *Frame) apl.Surroundings {
	s := apl.Surroundings{Names: f.classes(), Running: true}
	c := f.call()
	if c == nil {
		s.Branches = true
		return s
	}
	s.Dfn = true
	if c.self.op != nil {
		s.Left, s.Self = operandClass(c.self.left), apl.MonadicOperator
		if c.self.op.node.DyadicOperator {
			s.Right, s.Self = operandClass(c.self.right), apl.DyadicOperator
		}
	}
	return s
}

func operandClass(v any) apl.Class {
	if _, ok := v.(*V); ok {
		return apl.ArrayClass
	}
	return apl.FunctionClass
}
