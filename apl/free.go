package apl

import "github.com/tailor-lang/tailor/internal/diag"

// FreeName is a name that a body uses and that an enclosing body assigns.
type FreeName struct {
	Ident string
	Class Class
	Where diag.Span // the first use, in order of execution
	// Modified reports that the body assigns to a part of it or modifies it
	// (x[i]←, x+←, (2↑x)←) without having assigned all of it before: the
	// assignment is to the outer name.
	Modified bool
}

// Names are the names of the body of a dfn or an operator. The same name may
// be in both lists: in `{x←x+1 ⋄ x}` the first use of x, on the right, is the
// outer x. A name that only an inner dfn uses before this body assigns it is
// free if an enclosing body assigns it, too: which of the two the inner dfn
// means depends on when it is called. The special names ⍺ ⍵ ∇ ⍺⍺ ⍵⍵ ∇∇ and
// system names are in neither.
type Names struct {
	Free   []FreeName // in order of first use; statements in order, each from the right
	Locals []string   // in order of first assignment
}

// FreeNames returns the names that n uses but does not assign, and those it
// assigns. For a *Dfn or *Dop, which open a scope, it is a look-up: the parser
// finds the names of all of them in one pass. For any other node it is a walk
// that does not enter dfns.
func FreeNames(n Node) *Names {
	switch n := n.(type) {
	case *Dfn:
		return n.names
	case *Dop:
		return n.names
	}
	f := newNames(nil)
	switch n := n.(type) {
	case *Program:
		f.body(n.Body)
	case Stmt:
		f.statement(n)
	case Expr:
		f.expr(n)
	case Func:
		f.function(n)
	case Operator:
		f.operator(n)
	}
	return &f.names
}

// namesOf returns the names of a body in whose scope the parser is.
func (p *parser) namesOf(body []Stmt) *Names {
	f := newNames(p.scope)
	f.body(body)
	return &f.names
}

// nameWalk walks a body in order of execution.
type nameWalk struct {
	names Names
	own   map[string]bool // assigned so far
	free  map[string]int  // the index in names.Free
	scope *scope          // of the body, or nil
}

func newNames(sc *scope) *nameWalk {
	return &nameWalk{own: map[string]bool{}, free: map[string]int{}, scope: sc}
}

func (f *nameWalk) define(name string) {
	if !f.own[name] && !systemName(name) && name != "⍺" {
		f.own[name] = true
		f.names.Locals = append(f.names.Locals, name)
	}
}

// systemName reports whether name is ⎕, ⍞ or a system name.
func systemName(name string) bool { return glyphPrefix(name, "⎕", "⍞") }

func glyphPrefix(name string, glyphs ...string) bool {
	for _, g := range glyphs {
		if len(name) >= len(g) && name[:len(g)] == g {
			return true
		}
	}
	return false
}

func (f *nameWalk) use(u FreeName) {
	if f.own[u.Ident] || glyphPrefix(u.Ident, "⍺", "⍵", "∇", "⎕", "⍞") {
		return
	}
	if i, ok := f.free[u.Ident]; ok {
		f.names.Free[i].Modified = f.names.Free[i].Modified || u.Modified
		return
	}
	f.free[u.Ident] = len(f.names.Free)
	f.names.Free = append(f.names.Free, u)
}

// inner uses the free names of a dfn that stands in the body.
func (f *nameWalk) inner(names *Names) {
	if names == nil {
		return
	}
	for _, u := range names.Free {
		if f.scope != nil {
			_, local := f.scope.names[u.Ident]
			if _, outside := f.scope.parent.lookup(u.Ident); local && !outside {
				continue
			}
		}
		f.use(u)
	}
}

func (f *nameWalk) body(body []Stmt) {
	for _, s := range body {
		f.statement(s)
	}
}

func (f *nameWalk) statement(s Stmt) {
	switch s := s.(type) {
	case *Loose:
		f.statement(s.Stmt)
	case *ExprStmt:
		f.expr(s.X)
	case *Guard:
		f.expr(s.Cond)
		f.expr(s.Result)
	case *ErrorGuard:
		f.expr(s.Numbers)
		f.expr(s.Result)
	case *DefaultLeft:
		f.operand(Operand{s.Func, s.Value})
	case *FuncDef:
		f.function(s.F)
		f.define(s.Name.Ident)
	case *OperatorDef:
		f.operator(s.Op)
		f.define(s.Name.Ident)
	case *Display:
		if s.F != nil {
			f.function(s.F)
		} else {
			f.operator(s.Op)
		}
	}
}

func (f *nameWalk) operand(o Operand) {
	if o.Func != nil {
		f.function(o.Func)
	} else if o.Array != nil {
		f.expr(o.Array)
	}
}

func (f *nameWalk) exprs(items []Expr) {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i] != nil {
			f.expr(items[i])
		}
	}
}

func (f *nameWalk) expr(x Expr) {
	switch x := x.(type) {
	case *Var:
		f.use(FreeName{Ident: x.Ident, Class: ArrayClass, Where: x.Where})
	case *Strand:
		f.exprs(x.Items)
	case *Paren:
		f.expr(x.X)
	case *NamespaceLit:
		for _, m := range x.Members {
			if m.F != nil {
				f.function(m.F)
			} else {
				f.expr(m.X)
			}
		}
	case *Member:
		f.expr(x.X)
	case *Monadic:
		f.expr(x.Y)
		f.function(x.F)
	case *Dyadic:
		f.expr(x.Y)
		f.function(x.F)
		f.expr(x.X)
	case *Index:
		f.exprs(x.Items)
		f.expr(x.X)
	case *Assign:
		f.expr(x.Y)
		if x.F != nil {
			f.function(x.F)
		}
		f.target(x.Target, x.F != nil)
	}
}

// target walks what an assignment assigns; part says that the old value
// matters.
func (f *nameWalk) target(t Target, part bool) {
	switch t := t.(type) {
	case *NameTarget:
		if part {
			f.use(FreeName{t.Ident, ArrayClass, t.Where, true})
		} else {
			f.define(t.Ident)
		}
	case *IndexTarget:
		f.exprs(t.Items)
		f.use(FreeName{t.Ident, ArrayClass, t.Where, true})
	case *StrandTarget:
		for i := len(t.Items) - 1; i >= 0; i-- {
			f.target(t.Items[i], part)
		}
	case *MemberTarget:
		f.expr(t.X)
	case *SelectTarget:
		f.expr(t.X)
		if v, ok := Selected(t.X).(*Var); ok {
			f.use(FreeName{v.Ident, ArrayClass, v.Where, true})
		}
	}
}

// Selected returns the *Var or *Member that a selective assignment changes: x in
// `(2↑x)←`. It is nil if the expression is no selection.
func Selected(x Expr) Expr {
	for {
		switch e := x.(type) {
		case *Var, *Member:
			return e
		case *Paren:
			x = e.X
		case *Index:
			x = e.X
		case *Monadic:
			x = e.Y
		case *Dyadic:
			x = e.Y
		default:
			return nil
		}
	}
}

func (f *nameWalk) function(fn Func) {
	switch fn := fn.(type) {
	case *MemberFunc:
		f.expr(fn.X)
	case *FuncName:
		f.use(FreeName{Ident: fn.Ident, Class: FunctionClass, Where: fn.Where})
	case *Dfn:
		f.inner(fn.names)
	case *Derived:
		f.operand(fn.Right)
		f.operator(fn.Op)
		f.operand(fn.Left)
	case *Fork:
		f.function(fn.H)
		f.function(fn.G)
		f.operand(fn.F)
	case *Atop:
		f.function(fn.G)
		f.function(fn.F)
	case *Axis:
		f.expr(fn.Axis)
		f.function(fn.F)
	case *FuncAssign:
		f.function(fn.F)
		f.define(fn.Name.Ident)
	case *ParenFunc:
		f.function(fn.F)
	}
}

func (f *nameWalk) operator(op Operator) {
	switch op := op.(type) {
	case *OpName:
		class := NoClass
		if f.scope != nil {
			b, _ := f.scope.lookup(op.Ident)
			class = b.class
		}
		f.use(FreeName{Ident: op.Ident, Class: class, Where: op.Where})
	case *Dop:
		f.inner(op.names)
	case *OpAssign:
		f.operator(op.Op)
		f.define(op.Name.Ident)
	case *Curried:
		f.operator(op.Op)
		f.operand(op.Right)
	}
}
