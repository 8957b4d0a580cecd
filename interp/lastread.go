package interp

import "github.com/tailor-lang/tailor/apl"

// A leaf dfn that reads a name for the last time gives up its array: where an assignment
// or the call that replaces the dfn takes it, it stays alone (inplace.go), and a part of
// it is assigned in place.
//
//	f←{⍺=0:⍵ ⋄ x←⍵ ⋄ x[⍺]←⍺ ⋄ (⍺-1)∇x}    x gets the array of ⍵, and the next ⍵ that of x

// noteLastReads adds to last the names in a leaf's body that are read for the last time.
func noteLastReads(body []apl.Stmt, last map[*apl.Var]bool) {
	later := map[string]bool{}
	for i := len(body) - 1; i >= 0; i-- {
		switch s := body[i].(type) {
		case *apl.ExprStmt:
			if !s.Silent {
				lastOfCall(s.X, last)
				clear(later)
			} else if a, ok := s.X.(*apl.Assign); ok && a.F == nil && i < len(body)-1 {
				_, whole := a.Target.(*apl.NameTarget)
				if y, ok := a.Y.(*apl.Var); ok && whole && !later[y.Ident] {
					last[y] = true
				}
			}
			namesRead(s.X, later)
		case *apl.Guard:
			if !s.Silent {
				lastOfCall(s.Result, last)
			}
			namesRead(s.Cond, later)
			namesRead(s.Result, later)
		case *apl.DefaultLeft:
			namesRead(s.Value, later)
		}
	}
}

// lastOfCall notes the right argument of a call that replaces its caller.
func lastOfCall(x apl.Expr, last map[*apl.Var]bool) {
	var f apl.Func
	var right apl.Expr
	left := map[string]bool{}
	switch x := x.(type) {
	case *apl.Monadic:
		f, right = x.F, x.Y
	case *apl.Dyadic:
		f, right = x.F, x.Y
		namesRead(x.X, left)
	}
	_, called := f.(*apl.FuncName)
	if y, ok := right.(*apl.Var); ok && called && !left[y.Ident] {
		last[y] = true
	}
}

// namesRead adds the names that a leaf's expression mentions.
func namesRead(x apl.Expr, names map[string]bool) {
	switch x := x.(type) {
	case *apl.Var:
		names[x.Ident] = true
	case *apl.Paren:
		namesRead(x.X, names)
	case *apl.Monadic:
		readOperands(x.F, names)
		namesRead(x.Y, names)
	case *apl.Dyadic:
		namesRead(x.X, names)
		readOperands(x.F, names)
		namesRead(x.Y, names)
	case *apl.Strand:
		readAll(x.Items, names)
	case *apl.Index:
		namesRead(x.X, names)
		readAll(x.Items, names)
	case *apl.Assign:
		switch t := x.Target.(type) {
		case *apl.NameTarget:
			names[t.Ident] = true
		case *apl.IndexTarget:
			names[t.Ident] = true
			readAll(t.Items, names)
		}
		readOperands(x.F, names)
		namesRead(x.Y, names)
	}
}

func readAll(items []apl.Expr, names map[string]bool) {
	for _, x := range items {
		namesRead(x, names)
	}
}

// readOperands adds the names in the array operands of a leaf's function.
func readOperands(f apl.Func, names map[string]bool) {
	switch f := f.(type) {
	case *apl.ParenFunc:
		readOperands(f.F, names)
	case *apl.Derived:
		for _, o := range []apl.Operand{f.Left, f.Right} {
			if o.Func != nil {
				readOperands(o.Func, names)
			} else {
				namesRead(o.Array, names)
			}
		}
	}
}

// givenUp returns the array of a name that a call reads for the last time, if nothing else
// has it; else nil.
func (in *Interp) givenUp(f *Frame, x apl.Expr) *V {
	name, ok := x.(*apl.Var)
	if !ok || !in.lastReads[name] || in.watching {
		return nil
	}
	if v := in.alone(f, x); v != nil && (name.Ident == "⍵" || f.held(name.Ident) == v) {
		return v
	}
	return nil
}
