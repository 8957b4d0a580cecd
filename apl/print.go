package apl

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/array"
)

// Text returns the source of a node, which parses to an equal tree. It is canonical:
// no comments but annotations, one statement a line, a dfn on one line if it has at
// most one statement and no annotations.
func Text(n Node) string {
	p := &printer{}
	switch n := n.(type) {
	case *Program:
		p.statements(n.Body)
	case Stmt:
		p.statement(n)
	case Expr:
		p.expr(n)
	case Func:
		p.function(n)
	case Operator:
		p.operator(n)
	case Target:
		p.target(n)
	case *Name:
		p.word(n.Ident)
	case *Annotation:
		p.note(n)
	}
	return p.b.String()
}

type printer struct {
	b      strings.Builder
	last   rune // the last one written
	indent int
}

// word writes one token, after a blank where the previous one would join it.
func (p *printer) word(text string) {
	first, _ := utf8.DecodeRuneInString(text)
	if joins(p.last, first) {
		p.b.WriteByte(' ')
	}
	p.b.WriteString(text)
	p.last, _ = utf8.DecodeLastRuneInString(text)
}

// joins reports whether characters a and b would be part of one token.
func joins(a, b rune) bool {
	wordy := func(r rune) bool {
		return isLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("'¯.⎕⍞⍺⍵∇", r)
	}
	return wordy(a) && wordy(b) || a == '∘' && b == '.'
}

func (p *printer) newline() {
	p.b.WriteByte('\n')
	p.b.WriteString(strings.Repeat("  ", p.indent))
	p.last = '\n'
}

func (p *printer) statements(body []Stmt) {
	for _, s := range body {
		p.statement(s)
		p.newline()
	}
}

func (p *printer) statement(s Stmt) {
	switch s := s.(type) {
	case *ExprStmt:
		p.expr(s.X)
		p.note(s.Note)
	case *Guard:
		p.expr(s.Cond)
		p.word(": ")
		p.expr(s.Result)
	case *ErrorGuard:
		p.expr(s.Numbers)
		p.word(":: ")
		p.expr(s.Result)
	case *Block:
		p.lines(s.Fn, 1)
	case *Tradfn:
		p.tradfn(s)
	case *NamespaceDef:
		p.namespace(s)
	case *Label:
		p.word(s.Name.Ident)
		p.word(":")
	case *Branch:
		p.word("→")
		if s.X != nil {
			p.expr(s.X)
		}
	case *Control:
		p.control(s)
	case *Loose:
		p.statement(s.Stmt)
	case *DefaultLeft:
		p.word("⍺")
		p.word("←")
		p.operand(Operand{s.Func, s.Value})
	case *FuncDef:
		p.word(s.Name.Ident)
		p.word("←")
		p.function(s.F)
		p.note(s.Note)
	case *Display:
		if s.F != nil {
			p.function(s.F)
		} else {
			p.operator(s.Op)
		}
	case *OperatorDef:
		p.word(s.Name.Ident)
		p.word("←")
		p.operator(s.Op)
		p.note(s.Note)
	}
}

func (p *printer) note(n *Annotation) {
	if n != nil {
		p.word(" ⍝: " + n.Text)
	}
}

func (p *printer) operand(o Operand) {
	if o.Func != nil {
		p.function(o.Func)
	} else if o.Array != nil {
		p.expr(o.Array)
	}
}

func (p *printer) expr(x Expr) {
	switch x := x.(type) {
	case *Literal:
		p.word(literalText(x.Value))
	case *Var:
		p.word(x.Ident)
	case *Strand:
		for _, item := range x.Items {
			p.expr(item)
		}
	case *Paren:
		p.word("(")
		p.expr(x.X)
		p.word(")")
	case *NamespaceLit:
		p.members(x)
	case *Member:
		p.expr(x.X)
		p.word("." + x.Name)
	case *Monadic:
		p.function(x.F)
		p.expr(x.Y)
	case *Dyadic:
		p.expr(x.X)
		p.function(x.F)
		p.expr(x.Y)
	case *Index:
		p.expr(x.X)
		p.items(x.Items)
	case *Assign:
		p.target(x.Target)
		if x.F != nil {
			p.function(x.F)
		}
		p.word("←")
		p.expr(x.Y)
	}
}

func (p *printer) items(items []Expr) {
	p.word("[")
	for i, x := range items {
		if i > 0 {
			p.word(";")
		}
		if x != nil {
			p.expr(x)
		}
	}
	p.word("]")
}

func (p *printer) target(t Target) {
	switch t := t.(type) {
	case *NameTarget:
		p.word(t.Ident)
	case *IndexTarget:
		p.word(t.Ident)
		p.items(t.Items)
	case *MemberTarget:
		p.expr(t.X)
		p.word("." + t.Name)
		if t.Items != nil {
			p.items(t.Items)
		}
	case *StrandTarget:
		p.word("(")
		for _, item := range t.Items {
			p.target(item)
		}
		p.word(")")
	case *SelectTarget:
		p.word("(")
		p.expr(t.X)
		p.word(")")
	}
}

func (p *printer) function(f Func) {
	switch f := f.(type) {
	case *Prim:
		p.word(f.Glyph)
	case *FuncName:
		p.word(f.Ident)
	case *MemberFunc:
		p.expr(f.X)
		p.word("." + f.Name)
	case *Dfn:
		p.braces(f.Body, f.Note)
	case *Derived:
		if op, ok := f.Op.(*PrimOp); ok && op.Glyph == outer.Glyph {
			p.word("∘.")
			p.operand(f.Left)
			return
		}
		p.operand(f.Left)
		p.operator(f.Op)
		p.operand(f.Right)
	case *Fork:
		p.operand(f.F)
		p.function(f.G)
		p.function(f.H)
	case *Atop:
		p.function(f.F)
		p.function(f.G)
	case *Axis:
		p.function(f.F)
		p.word("[")
		p.expr(f.Axis)
		p.word("]")
	case *FuncAssign:
		p.word(f.Name.Ident)
		p.word("←")
		p.function(f.F)
	case *ParenFunc:
		p.word("(")
		p.function(f.F)
		p.word(")")
	}
}

func (p *printer) operator(op Operator) {
	switch op := op.(type) {
	case *PrimOp:
		p.word(op.Glyph)
	case *OpName:
		p.word(op.Ident)
	case *MemberOp:
		p.expr(op.X)
		p.word("." + op.Name)
	case *OpAssign:
		p.word(op.Name.Ident)
		p.word("←")
		p.operator(op.Op)
	case *Curried:
		p.word("(")
		p.operator(op.Op)
		p.operand(op.Right)
		p.word(")")
	case *Dop:
		p.braces(op.Body, op.Note)
	}
}

// braces writes a dfn or an operator.
func (p *printer) braces(body []Stmt, note *Annotation) {
	p.word("{")
	if note == nil && len(body) == 0 {
		p.word("}")
		return
	}
	if note == nil && len(body) == 1 && !annotated(body[0]) {
		p.statement(body[0])
		p.word("}")
		return
	}
	p.note(note)
	p.indent++
	for _, s := range body {
		p.newline()
		p.statement(s)
	}
	p.indent--
	p.newline()
	p.word("}")
}

func annotated(s Stmt) bool {
	switch s := s.(type) {
	case *ExprStmt:
		return s.Note != nil
	case *FuncDef:
		return s.Note != nil
	case *OperatorDef:
		return s.Note != nil
	}
	return false
}

// literalText returns the source of a literal.
func literalText(a *array.Array) string {
	if a.Elem == array.Char {
		return "'" + strings.ReplaceAll(string(a.Chars), "'", "''") + "'"
	}
	if a.Rank() == 1 && a.Len() == 0 {
		return "⍬"
	}
	var b strings.Builder
	for i := range a.Len() {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch a.Elem {
		case array.Double:
			b.WriteString(doubleText(a.Doubles[i]))
		case array.Complex:
			z := a.Complexes[i]
			b.WriteString(doubleText(real(z)) + "J" + doubleText(imag(z)))
		default:
			b.WriteString(high(strconv.FormatInt(a.Int(i), 10)))
		}
	}
	return b.String()
}

func high(text string) string { return strings.ReplaceAll(text, "-", "¯") }

// doubleText returns the shortest literal of a double; it has a decimal point
// wherever an int would be read without.
func doubleText(x float64) string {
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-5 || a >= 1e15) {
		format = 'E'
	}
	text := strconv.FormatFloat(x, format, -1, 64)
	if !strings.Contains(text, ".") {
		mantissa, exponent, _ := strings.Cut(text, "E")
		text = mantissa + ".0"
		if exponent != "" {
			text += "E" + exponent
		}
	}
	return high(strings.Replace(text, "E+", "E", 1))
}
