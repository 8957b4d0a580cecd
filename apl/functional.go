package apl

import "github.com/tailor-lang/tailor/internal/diag"

// assignedFunction reads the name left of the arrow at token i, which assigns the
// function v inside an expression. It returns the function and its first token.
func (p *parser) assignedFunction(lo, i int, v unit) (unit, int, *diag.Error) {
	j := i - 1
	if v.class != FunctionClass || j < lo {
		return v, i, fix(diag.Errorf(diag.Unreadable, v.span(), "a %s is assigned inside an expression", v.class), "assign it to one name in a statement of its own: f←…")
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
		if err := p.define(name.Where, name.Ident, FunctionClass); err != nil {
			return v, i, err
		}
	}
	f := &FuncAssign{At{name.Where.Join(v.span())}, name, v.f}
	u := functionUnit(f, v.h+1)
	return u, j, p.tall(u)
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
