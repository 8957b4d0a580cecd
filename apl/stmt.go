package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

func trimNote(text string) string { return strings.TrimSpace(text) }

// statement reads the statement of the tokens [lo,hi), which are not empty.
// It returns an Unread after an error, which it reports.
func (p *parser) statement(lo, hi int) Stmt {
	mark := len(p.pending)
	if p.loose != nil {
		p.loose.assumed = map[string]Class{}
	}
	s, h, err := p.annotated(lo, hi)
	for k := range p.pending[mark:] {
		if p.pending[mark+k].base == 0 {
			p.pending[mark+k].base = p.base + h + 1
		}
	}
	if err != nil && p.loose != nil && p.loose.given == nil {
		if r := p.otherwise(lo, hi, mark); r != nil {
			return r
		}
	}
	if err != nil {
		p.faults++
		p.report(err)
		return &Unread{At{p.span(lo, hi)}, p.poison(lo, hi)}
	}
	if p.loose != nil {
		return p.loosened(s, lo, hi)
	}
	return s
}

// poison gives NoClass to the names that a faulty statement assigns first, so
// that their uses are not reported again. It returns the names left of an
// assignment.
func (p *parser) poison(lo, hi int) []string {
	var seen, assigned []string
	for i := lo; i < hi; i++ {
		switch t := p.toks[i]; {
		case p.is(i, tOpen, '{'):
			i = int(t.match)
		case t.kind == tArrow:
			assigned = seen
			p.poisonTarget(lo, i)
		case t.kind == tName && t.glyph == 0:
			seen = append(seen, p.text(i))
			if i+1 < hi && p.toks[i+1].kind == tName {
				p.poisonName(i)
			}
		}
	}
	return assigned
}

// poisonTarget gives NoClass to the names that the arrow at token i assigns.
func (p *parser) poisonTarget(lo, i int) {
	for j := i - 1; j >= lo && p.toks[j].kind == tName; j-- {
		p.poisonName(j)
	}
	if i > lo && p.is(i-1, tClose, ')') {
		for j := int(p.toks[i-1].match); j < i; j++ {
			if p.toks[j].kind == tName {
				p.poisonName(j)
			}
		}
	}
}

// poisonName gives NoClass to the name of token i, unless the scope has it.
func (p *parser) poisonName(i int) {
	if _, ok := p.scope.names[p.text(i)]; !ok && p.toks[i].glyph == 0 {
		p.scope.names[p.text(i)] = binding{where: p.span(i, i+1)}
	}
}

// annotated reads a statement and the annotation behind it. The int is the
// height of its tree.
func (p *parser) annotated(lo, hi int) (Stmt, int, *diag.Error) {
	var note *Annotation
	if p.toks[hi-1].kind == tNote {
		hi--
		note = p.note(hi)
	}
	if lo == hi {
		return nil, 0, misplaced(note)
	}
	s, h, err := p.bare(lo, hi)
	if err != nil || note == nil {
		return s, h, err
	}
	if name := levelName(note.Text); name != "" {
		p.levels = append(p.levels, &Level{At{note.Where}, name, s.Span()})
		return s, h, nil
	}
	switch s := s.(type) {
	case *FuncDef:
		s.Note = note
	case *OperatorDef:
		s.Note = note
	case *ExprStmt:
		if !s.Silent {
			return nil, h, misplaced(note)
		}
		s.Note = note
	default:
		return nil, h, misplaced(note)
	}
	return s, h, nil
}

// levelName returns the name of the level that an annotation consists of, or "".
func levelName(note string) string {
	switch note {
	case "<thread>", "<warp>", "<block>", "<grid>":
		return strings.Trim(note, "<>")
	}
	return ""
}

func misplaced(note *Annotation) *diag.Error {
	e := diag.Errorf(diag.FaultyAnnotation, note.Where, "annotation ⍝: of nothing")
	if strings.HasPrefix(note.Text, "<") {
		return fix(e, "levels are <thread>, <warp>, <block> and <grid>; an annotation of a type stands behind { or an assignment")
	}
	return fix(e, "put it behind { or behind an assignment, or write a comment: ⍝ …")
}

// bare reads a statement without annotation.
func (p *parser) bare(lo, hi int) (Stmt, int, *diag.Error) {
	if p.scope.trad != nil {
		if s, h, err := p.controlled(lo, hi); s != nil || err != nil {
			return s, h, err
		}
	}
	if p.toks[lo].kind == tColon {
		return nil, 0, p.control(lo, hi)
	}
	if p.branches && p.toks[lo].kind == tBranch {
		return p.branch(lo, hi)
	}
	colon, double := -1, false
	for i := lo; i < hi; i = p.after(i) {
		switch p.toks[i].kind {
		case tBad:
			return nil, 0, errReported
		case tBranch:
			return nil, 0, fix(diag.Errorf(diag.OldForms, p.span(i, i+1), "branch (→) is not supported outside functions with a header (∇)"), "use a guard, ∇ or ⍣")
		case tSemicolon:
			return nil, 0, fix(diag.Errorf(diag.FaultyBrackets, p.span(i, i+1), "; outside brackets"), "statements are divided by ⋄, and ; divides indices: m[1;2]")
		case tColon:
			if colon < 0 {
				colon = i
			} else if colon == i-1 && !double {
				double = true
			} else {
				return nil, 0, diag.Errorf(diag.FaultyGuard, p.span(i, i+1), "a second : in a guard")
			}
		}
	}
	switch {
	case double:
		return p.errorGuard(lo, colon, hi)
	case colon >= 0:
		return p.guard(lo, colon, hi)
	case hi-lo > 1 && p.toks[lo+1].kind == tArrow && p.toks[lo].kind == tName:
		return p.definition(lo, hi)
	}
	return p.expression(lo, hi)
}

func (p *parser) control(lo, hi int) *diag.Error {
	if lo+1 < hi && p.toks[lo+1].kind == tName {
		for i := lo + 2; i < hi; i++ { // :For names :In …, :Namespace name
			if p.toks[i].kind == tName {
				p.poisonName(i)
			}
		}
		if e := unknownWord(p.span(lo, lo+2), p.text(lo+1)); e.Kind() == diag.Unsupported {
			return e
		}
		if strings.HasPrefix(strings.ToLower(p.text(lo+1)), "e") && p.controls { // :Else, :End
			return errReported
		}
		if w := p.controlWord(lo); !p.scope.dfn && w != NoWord {
			return diag.Errorf(diag.Unreadable, p.span(lo, lo+2), "%s outside of a structure that it belongs to", w)
		}
		p.controls = true
		return fix(diag.Errorf(diag.OldForms, p.span(lo, lo+2), "control structures are not supported in dfns: :%s", p.text(lo+1)), "use guards, ∇, ⍣ and ¨ in a dfn")
	}
	return diag.Errorf(diag.FaultyGuard, p.span(lo, lo+1), "a guard without a condition")
}

func (p *parser) guard(lo, colon, hi int) (Stmt, int, *diag.Error) {
	switch {
	case !p.scope.dfn && p.scope.trad == nil && colon == lo+1 && p.plainName(lo) && colon+1 < hi:
		return p.bare(colon+1, hi) // a label, where no function is to branch in
	case !p.scope.dfn:
		return nil, 0, diag.Errorf(diag.FaultyGuard, p.span(colon, colon+1), "a guard outside a dfn")
	case colon+1 == hi:
		return nil, 0, diag.Errorf(diag.FaultyGuard, p.span(colon, colon+1), "a guard without a result")
	}
	cond, err := p.array(lo, colon)
	if err != nil {
		return nil, 0, err
	}
	result, err := p.array(colon+1, hi)
	if err != nil {
		return nil, 0, err
	}
	_, silent := result.x.(*Assign)
	g := &Guard{At{p.span(lo, hi)}, cond.x, result.x, silent}
	return g, max(cond.h, result.h) + 1, nil
}

// errorGuard reads `numbers:: result`.
func (p *parser) errorGuard(lo, colon, hi int) (Stmt, int, *diag.Error) {
	switch {
	case !p.scope.dfn && p.scope.trad == nil && colon == lo+1 && p.plainName(lo) && colon+1 < hi:
		return p.bare(colon+1, hi) // a label, where no function is to branch in
	case !p.scope.dfn:
		return nil, 0, diag.Errorf(diag.FaultyGuard, p.span(colon, colon+2), "an error guard outside a dfn")
	case colon == lo:
		return nil, 0, diag.Errorf(diag.FaultyGuard, p.span(colon, colon+2), "an error guard without numbers")
	case colon+2 == hi:
		return nil, 0, diag.Errorf(diag.FaultyGuard, p.span(colon, colon+2), "an error guard without a result")
	}
	numbers, err := p.array(lo, colon)
	if err != nil {
		return nil, 0, err
	}
	result, err := p.array(colon+2, hi)
	if err != nil {
		return nil, 0, err
	}
	_, silent := result.x.(*Assign)
	g := &ErrorGuard{At{p.span(lo, hi)}, numbers.x, result.x, silent}
	return g, max(numbers.h, result.h) + 1, nil
}

// definition reads a statement that starts with a name and ←.
func (p *parser) definition(lo, hi int) (Stmt, int, *diag.Error) {
	name := p.text(lo)
	if name == "⍺" && p.scope.dfn {
		return p.defaultLeft(lo, hi)
	}
	for i := lo + 2; i < hi; i = p.after(i) {
		if p.toks[i].kind == tArrow {
			return p.expression(lo, hi)
		}
	}
	if p.toks[lo].glyph != 0 || lo+2 == hi {
		return p.expression(lo, hi)
	}
	u, err := p.value(lo+2, hi)
	if err != nil {
		return nil, 0, err
	}
	at := At{p.span(lo, hi)}
	n := &Name{At{p.span(lo, lo+1)}, name}
	if err := p.define(n.Where, name, u.class); err != nil {
		return nil, 0, err
	}
	switch u.class {
	case FunctionClass:
		p.alias(name, u.f)
		return &FuncDef{At: at, Name: n, F: u.f}, u.h + 1, nil
	case MonadicOperator, DyadicOperator:
		return &OperatorDef{At: at, Name: n, Op: u.op}, u.h + 1, nil
	}
	x := &Assign{At: at, Target: &NameTarget{n.At, name}, Y: u.x}
	return &ExprStmt{At: at, X: x, Silent: true}, u.h + 2, nil
}

func (p *parser) defaultLeft(lo, hi int) (Stmt, int, *diag.Error) {
	u, err := p.value(lo+2, hi)
	if err != nil {
		return nil, 0, err
	}
	d := &DefaultLeft{At: At{p.span(lo, hi)}, Value: u.x, Func: u.f}
	if u.op != nil {
		return nil, 0, diag.Errorf(diag.Unreadable, u.span(), "⍺ cannot be an operator")
	}
	return d, u.h + 1, nil
}

// expression reads an expression statement.
func (p *parser) expression(lo, hi int) (Stmt, int, *diag.Error) {
	u, err := p.value(lo, hi)
	if err != nil {
		return nil, 0, err
	}
	if u.class != ArrayClass {
		if s := p.functional(lo, hi, u); s != nil {
			return s, u.h + 1, nil
		}
		return nil, 0, notArray(u)
	}
	_, silent := u.x.(*Assign)
	return &ExprStmt{At: At{p.span(lo, hi)}, X: u.x, Silent: silent}, u.h + 1, nil
}

// array reads an expression that must be an array.
func (p *parser) array(lo, hi int) (unit, *diag.Error) {
	u, err := p.value(lo, hi)
	if err != nil || u.class == ArrayClass {
		return u, err
	}
	return u, notArray(u)
}

// notArray is the error of a function or an operator where a value is needed.
func notArray(u unit) *diag.Error {
	e := diag.Errorf(diag.OperatorForm, u.span(), "a %s as a value", className[u.class])
	if u.class == FunctionClass {
		e = withoutArgument(u)
		if d, ok := u.f.(*Derived); ok && d.Right.Array != nil && d.Right.Array.Span().End == u.span().End {
			if s, ok := d.Right.Array.(*Strand); ok {
				at := s.Items[len(s.Items)-1].Span()
				e.Notes = append(e.Notes, diag.Note{Span: s.Where, Message: "the right operand is all of " + clip(s.Where.Text())})
				e.Fix = "put ⊢ before the argument: ⊢" + clip(at.Text())
			}
		}
	}
	return e
}

// withoutArgument is the error of a function where a value is needed. In a train
// the last function is the one that lacks its argument.
func withoutArgument(u unit) *diag.Error {
	last := Func(nil)
	switch f := u.f.(type) {
	case *FuncName:
		return diag.Errorf(diag.NoRightArgument, f.Where, "%s is a function without an argument", f.Ident)
	case *Fork:
		last = f.H
	case *Atop:
		last = f.G
	default:
		return diag.Errorf(diag.NoRightArgument, u.span(), "a function without an argument")
	}
	e := diag.Errorf(diag.NoRightArgument, last.Span(), "%s has no right argument", clip(last.Span().Text()))
	return fix(e, "write its argument behind it, or give the train a name: f←"+clip(u.span().Text()))
}

var className = [...]string{NoClass: "nothing", ArrayClass: "array", FunctionClass: "function",
	MonadicOperator: "monadic operator", DyadicOperator: "dyadic operator"}

func (c Class) String() string { return className[c] }

// define gives a name of the current scope its class.
func (p *parser) define(at diag.Span, name string, class Class) *diag.Error {
	if p.loose != nil && !p.scope.dfn {
		p.defineLoosely(at, name, class)
		return nil
	}
	if b, ok := p.scope.names[name]; ok && b.class != class && b.class != NoClass {
		e := diag.Errorf(diag.WrongClass, at, "%s is assigned %s here and %s before", name, withArticle(class), withArticle(b.class))
		e.Notes = append(e.Notes, diag.Note{Span: b.where, Message: "the first assignment; a name keeps its class"})
		return fix(e, "use another name")
	} else if ok && b.class != NoClass {
		return nil
	}
	p.scope.names[name] = binding{class: class, where: at}
	return nil
}

func withArticle(c Class) string {
	if c == ArrayClass {
		return "an array"
	}
	return "a " + c.String()
}
