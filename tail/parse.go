package tail

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// textParser reads one section.
type textParser struct {
	typeParser
	source *diag.Source // of spans, or nil
	start  int          // byte offset of src
	src    []rune
	funcs  map[string]*Func
	scope  map[string]*Var
	depth  int
}

// maxNesting is the depth of expressions that the parser goes into.
const maxNesting = 5000

func (t *textParser) section(s section) *textParser {
	src := []rune(s.text)
	return &textParser{typeParser: typeParser{rest: src, comments: true},
		source: t.source, start: s.start, src: src, funcs: t.funcs, scope: map[string]*Var{}}
}

func (t *textParser) err() error {
	if t.bad == nil {
		return nil
	}
	at := min(max(len(t.src)-t.left, 0), len(t.src))
	if t.source != nil {
		return diag.Errorf(diag.Unreadable, t.span(at, at), "%v", t.bad)
	}
	line := 1 + strings.Count(string(t.src[:at]), "\n")
	return fmt.Errorf("tail text, line %d of the function: %w", line, t.bad)
}

// position returns how many runes have been read.
func (t *textParser) position() int { return len(t.src) - len(t.rest) }

// span returns the span of a range of runes, none where there is no source.
func (t *textParser) span(from, to int) diag.Span {
	if t.source == nil || t.bad != nil && from != to {
		return diag.Span{}
	}
	start := t.start + len(string(t.src[:from]))
	return diag.Span{Src: t.source, Start: start, End: start + len(string(t.src[from:to]))}
}

// header reads the name, parameters and result type of a function.
func (t *textParser) header() *Func {
	f := &Func{Recursive: t.keyword("rec")}
	f.Name = t.identifier()
	t.expect("(")
	for t.bad == nil && !t.accept(")") {
		if len(f.Params) > 0 {
			t.expect(",")
		}
		f.Params = append(f.Params, t.variable())
	}
	t.expect(":")
	f.Result = t.typ()
	t.expect("=")
	if t.funcs[f.Name] != nil {
		t.fail("function %s is defined twice", f.Name)
	}
	t.funcs[f.Name] = f
	return f
}

// variable reads x:τ and binds it.
func (t *textParser) variable() *Var {
	v := &Var{Name: t.identifier()}
	t.expect(":")
	v.Type = t.typ()
	t.scope[v.Name] = v
	return v
}

// typ reads the type of a variable or result: an array or a tuple.
func (t *textParser) typ() Type {
	ty := t.plain()
	if t.bad == nil && !concrete(ty) {
		t.fail("%v is not the type of a value", ty)
	}
	return ty
}

// concrete reports whether values have type ty, and ty is well formed.
func concrete(ty Type) bool {
	switch ty := ty.(type) {
	case *Array:
		n, ok := ty.Rank.IsConst()
		if !ok || n < 0 || n > 64 || ty.ElemVar != "" {
			return false
		}
		return ty.Values == nil || ty.Elem == array.Int || ty.Elem == array.Bool
	case *TupleType:
		for _, e := range ty.Elems {
			if !concrete(e) {
				return false
			}
		}
		return true
	}
	return false
}

// peekWord returns the word that comes next.
func (t *textParser) peekWord() string {
	t.space()
	n := 0
	for n < len(t.rest) && isWordRune(t.rest[n]) {
		n++
	}
	return string(t.rest[:n])
}

func (t *textParser) keyword(w string) bool {
	if t.peekWord() != w {
		return false
	}
	return t.accept(w)
}

func (t *textParser) expectWord(w string) {
	if !t.keyword(w) {
		t.fail("%q is missing", w)
	}
}

func (t *textParser) identifier() string {
	w := t.peekWord()
	if _, isOp := opNames[w]; w == "" || isOp || reserved[w] || w[0] >= '0' && w[0] <= '9' {
		t.fail("%q is not a name", w)
		return "_"
	}
	t.accept(w)
	return w
}

func (t *textParser) whole() Expr {
	e := t.expr()
	if t.space(); t.bad == nil && len(t.rest) > 0 {
		t.fail("unexpected %q", string(t.rest[:min(len(t.rest), 20)]))
	}
	return e
}

// nothing stands for an expression after an error.
var nothing Expr = &Tuple{}

// expr reads an expression; one without a type is an error.
func (t *textParser) expr() Expr {
	e, bad := t.untyped()
	if bad != nil {
		t.fail("%s", bad.Message())
	}
	return e
}

// untyped reads an expression. It also returns why it has no type.
func (t *textParser) untyped() (Expr, *Mismatch) {
	if t.depth++; t.depth > maxNesting {
		t.fail("expressions are nested too deeply")
	}
	defer func() { t.depth-- }()
	if t.bad != nil {
		return nothing, nil
	}
	switch t.peekWord() {
	case "let":
		return t.lets(), nil
	case "if":
		return t.conditional()
	}
	return t.primary()
}

// lets reads a chain of lets without going deeper for each.
func (t *textParser) lets() Expr {
	var chain []*Let
	for t.bad == nil && t.keyword("let") {
		name := t.identifier()
		t.expect(":")
		ty := t.typ()
		t.expect("=")
		bind := t.expr()
		if t.expectWord("in"); t.bad != nil {
			return nothing
		}
		v := &Var{Name: name, Type: boundType(ty, bind.Type())}
		if !Consistent(v.Type, bind.Type()) {
			t.fail("%s has type %v, its value %v", name, v.Type, bind.Type())
		}
		t.scope[name] = v
		chain = append(chain, &Let{Var: v, Bind: bind})
	}
	e := t.expr()
	for i := len(chain) - 1; i >= 0; i-- {
		chain[i].Body = e
		e = chain[i]
	}
	return e
}

// boundType returns the type of a variable written with type ty: the short
// form stands for the type of what is bound.
func boundType(ty, bind Type) Type {
	a, ok := ty.(*Array)
	b, bound := bind.(*Array)
	if !ok || !bound {
		return ty
	}
	if IsRank(a, 1) && a.Values == nil && a.String() == b.Plain().withExtents(b).String() {
		return bind
	}
	c := *a
	c.Values = AnyKnown(a.Values)
	return &c
}

// withExtents returns t with the extents of x.
func (t *Array) withExtents(x *Array) *Array {
	t.Extents = x.Extents
	return t
}

func (t *textParser) conditional() (Expr, *Mismatch) {
	t.expectWord("if")
	e := &If{Cond: t.expr()}
	t.expectWord("then")
	e.Then = t.expr()
	t.expectWord("else")
	e.Else = t.expr()
	if t.bad != nil {
		return nothing, nil
	}
	if c, ok := e.Cond.Type().(*Array); !ok || c.Elem != array.Bool || !IsRank(c, 0) {
		t.fail("a condition has type %v", e.Cond.Type())
	}
	join, ok := Join(e.Then.Type(), e.Else.Type())
	if !ok {
		return nothing, &Mismatch{Code: WrongTypes, Other: fmt.Sprintf("the branches have types %v and %v", e.Then.Type(), e.Else.Type())}
	}
	e.Ty = join
	return e, nil
}

// primary reads everything but let and if.
func (t *textParser) primary() (Expr, *Mismatch) {
	w := t.peekWord()
	switch {
	case w == "":
		return t.punctuated(), nil
	case t.scope[w] != nil:
		t.accept(w)
		return &Ref{Var: t.scope[w]}, nil
	case opNames[w] != NoOp:
		from := t.position()
		t.accept(w)
		return t.application(opNames[w], from)
	case t.funcs[w] != nil:
		t.accept(w)
		return t.call(t.funcs[w]), nil
	case w == "fn":
		return t.lambda(), nil
	}
	if _, ok := elemByName[w]; ok {
		return t.constant(), nil
	}
	if v, ok := t.number(); ok {
		return NewLit(diag.Span{}, v), nil
	}
	t.fail("%q is not defined", w)
	return nothing, nil
}
