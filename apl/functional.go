package apl

import "github.com/tailor-lang/tailor/internal/diag"

// OpAssign is `name←op` inside an expression: the operator op, which gets the name. ⎕ and
// ⍞ display it.
type OpAssign struct {
	At
	Name *Name
	Op   Operator
}

func (*OpAssign) operator() {}

// assignedFunction reads the name left of the arrow at token i, which assigns the
// function or operator v inside an expression. It returns that and its first token.
func (p *parser) assignedFunction(lo, i int, v unit) (unit, int, *diag.Error) {
	j := i - 1
	if j < lo {
		return v, i, diag.Errorf(diag.FaultyAssignment, p.span(i, i+1), "nothing stands left of ←")
	}
	name := &Name{At{p.span(j, i)}, p.text(j)}
	if u, start, err := p.member(lo, j); start <= j || err != nil {
		return p.assignedMember(u, start, v, err)
	}
	switch {
	case p.toks[j].kind == tQuad:
		name.Ident = Glyphs[p.toks[j].glyph].Glyph
	case p.toks[j].kind != tName || p.toks[j].glyph != 0:
		return v, i, diag.Errorf(diag.FaultyAssignment, p.span(j, i), "%s cannot be assigned a function", clip(p.text(j)))
	default:
		if err := p.define(name.Where, name.Ident, v.class); err != nil {
			return v, i, err
		}
	}
	u := p.assignment(At{name.Where.Join(v.span())}, name, v)
	return u, j, p.tall(u)
}

// assignment returns the assignment of a function or an operator to a name inside an expression.
func (p *parser) assignment(at At, name *Name, v unit) unit {
	if v.class == FunctionClass {
		return functionUnit(&FuncAssign{at, name, v.f}, v.h+1)
	}
	p.refuse(diag.Errorf(diag.OperatorForm, at.Where, "operators that are assigned inside expressions are not compiled: %s", clip(at.Where.Text())))
	return unit{class: v.class, op: &OpAssign{at, name, v.op}, h: v.h + 1}
}

// functional returns the statement of a function or an operator that stands alone:
// a definition, or its display; nil where that is more likely a function without
// its argument.
func (p *parser) functional(lo, hi int, u unit) Stmt {
	at := At{p.span(lo, hi)}
	if f, ok := u.f.(*FuncAssign); ok {
		if f.Name.Ident != "⎕" && f.Name.Ident != "⍞" {
			return &FuncDef{At: at, Name: f.Name, F: f.F}
		}
		return &Display{At: at, F: f}
	}
	if o, ok := u.op.(*OpAssign); ok && o.Name.Ident != "⎕" && o.Name.Ident != "⍞" {
		return &OperatorDef{At: at, Name: o.Name, Op: o.Op}
	}
	if p.scope.dfn && !p.scope.alone || lacksArgument(u.f) {
		return nil
	}
	return &Display{At: at, F: u.f, Op: u.op}
}

// lacksArgument reports whether a train is an array, a function and a function, or
// an operator has an array on either side: the last one lacks its argument.
func lacksArgument(f Func) bool {
	switch f := f.(type) {
	case *Fork:
		return f.F.Array != nil || lacksArgument(f.H)
	case *Atop:
		return lacksArgument(f.G)
	case *Derived:
		op, ok := f.Op.(*PrimOp)
		_, strand := f.Right.Array.(*Strand)
		return ok && (strand || f.Left.Array != nil && f.Right.Array != nil && op.Glyph == "∘")
	}
	return false
}

// alias notes that a name stands for / ⌿ \ or ⍀, which are operators or functions by
// what is left of them.
func (p *parser) alias(name string, f Func) {
	sc := p.scope
	for _, own := sc.names[name]; !own && sc.parent != nil; _, own = sc.names[name] {
		sc = sc.parent // a function with a header defines names around it
	}
	b, ok := sc.names[name]
	if !ok {
		return
	}
	b.hybrid = ""
	if prim, ok := f.(*Prim); ok {
		if g := LookupGlyph(prim.Glyph); g != nil && g.Class == HybridGlyph {
			b.hybrid = prim.Glyph
		}
	}
	sc.names[name] = b
}
