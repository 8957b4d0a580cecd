package coverage

import (
	"reflect"

	"github.com/tailor-lang/tailor/apl"
)

// uses returns the keys of the forms that a program is written with.
func uses(p *apl.Program) map[string]bool {
	u := walker{}
	for _, s := range p.Body {
		u.walk(reflect.ValueOf(s))
	}
	return u
}

type walker map[string]bool

// walk visits every node below v. The tree has no cycles through exported
// fields but sources, which are skipped.
func (u walker) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return
		}
		if n, ok := v.Interface().(apl.Node); ok && v.Kind() == reflect.Pointer {
			u.node(n)
		}
		u.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			u.walk(v.Index(i))
		}
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[apl.At](), reflect.TypeFor[apl.Literal](), reflect.TypeFor[apl.Annotation]():
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				u.walk(v.Field(i))
			}
		}
	}
}

func (u walker) node(n apl.Node) {
	switch n := n.(type) {
	case *apl.Monadic:
		u.applied(n.F, "1")
	case *apl.Dyadic:
		u.applied(n.F, "2")
	case *apl.Derived:
		u.derived(n)
	case *apl.Assign:
		u.assigned(n)
	case *apl.Var:
		u.name(n.Ident)
	case *apl.Prim:
		u.name(n.Glyph)
	case *apl.PrimOp:
		u.name(n.Glyph)
	case *apl.FuncName:
		u.name(n.Ident)
	case *apl.Tradfn:
		u["tradfn"] = true
	case *apl.Branch:
		u["branch"] = true
	case *apl.Control:
		u["control"] = true
	case *apl.Member:
		u["member"] = true
	case *apl.Index:
		u["index"] = true
	case *apl.Strand:
		u["strand"] = true
	case *apl.Dfn:
		u["dfn"] = true
	case *apl.Dop:
		u["dop"] = true
	case *apl.Guard:
		u["guard"] = true
	case *apl.ErrorGuard:
		u["error guard"] = true
	case *apl.DefaultLeft:
		u["default"] = true
	case *apl.Fork:
		u["fork"] = true
	case *apl.Atop:
		u["atop"] = true
	case *apl.FuncDef:
		u["function"] = true
	}
}

// name notes a name of the system, and recursion.
func (u walker) name(ident string) {
	if ident == "∇" || ident == "∇∇" {
		u["recursion"] = true
	}
	if ident == "#" || ident == "##" {
		u["namespace"] = true
	}
	if apl.LookupSystem(ident) != nil {
		u[ident] = true
	}
}

// applied notes the function of an application; arity is "1" or "2".
func (u walker) applied(f apl.Func, arity string) {
	switch f := f.(type) {
	case *apl.ParenFunc:
		u.applied(f.F, arity)
	case *apl.Prim:
		u[arity+f.Glyph] = true
	case *apl.Axis:
		u.axis(f.F, arity)
	case *apl.Derived:
		if op, ok := f.Op.(*apl.PrimOp); ok && arity == "2" && (op.Glyph == "/" || op.Glyph == "⌿") {
			u["n"+op.Glyph] = true
		}
	}
}

// firsts maps glyphs that work along the first axis to those of the last.
var firsts = map[string]string{"⊖": "⌽", "⍪": ",", "⌿": "/", "⍀": "\\", "⊆": "⊂"}

func last(glyph string) string {
	if g, ok := firsts[glyph]; ok {
		return g
	}
	return glyph
}

func (u walker) axis(f apl.Func, arity string) {
	switch f := f.(type) {
	case *apl.Derived:
		op, ok := f.Op.(*apl.PrimOp)
		if ok && arity == "2" {
			u["n["+last(op.Glyph)] = true
		} else if ok {
			u["[f"+last(op.Glyph)] = true
		}
	case *apl.Prim:
		u["["+arity+last(f.Glyph)] = true
		if arity == "2" && isScalar(f.Glyph) {
			u["[s"] = true
		}
	}
}

func isScalar(glyph string) bool {
	for _, r := range "+-×÷*⍟○!|⌈⌊=≠≤<>≥∨∧⍲⍱" {
		if glyph == string(r) {
			return true
		}
	}
	return false
}

func (u walker) derived(d *apl.Derived) {
	op, ok := d.Op.(*apl.PrimOp)
	if !ok {
		return
	}
	left, right := "f", "g"
	if d.Left.Func == nil {
		left = "a"
	}
	if d.Right.Func == nil {
		right = "a"
	}
	switch g := op.Glyph; g {
	case "∘.":
		u["∘.f"] = true
	case "⍣":
		u["f⍣g"] = true
	case "@":
		u["f@a"] = true
	case "∘":
		if left == "f" && right == "g" {
			u["f∘g"] = true
		} else {
			u["a∘f"] = true
		}
	case ".", "⍤", "⍥", "⍛", "⍠", "⌺":
		u["f"+g+right] = true
	default:
		u[left+g] = true
	}
}

func (u walker) assigned(a *apl.Assign) {
	switch t := a.Target.(type) {
	case *apl.NameTarget:
		switch {
		case t.Ident == "⎕" || t.Ident == "⍞":
			u[t.Ident+"←"] = true
		case a.F != nil:
			u["modified"] = true
		default:
			u["assign"] = true
			u.name(t.Ident)
		}
	case *apl.IndexTarget:
		u["indexed"] = true
		if a.F != nil {
			u["indexed modified"] = true
		}
	case *apl.StrandTarget:
		u["multiple"] = true
	case *apl.SelectTarget:
		u["selective"] = true
	}
}
