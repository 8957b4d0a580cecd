package syntax

import (
	"fmt"
	"strings"
)

// Print returns the text of a program. Parse of it gives the same tree, but for spans.
func Print(p *Program) string {
	w := &printer{}
	for i, d := range p.Order {
		if _, afterSig := before(p.Order, i).(*Sig); i > 0 && !afterSig {
			w.WriteString("\n")
		}
		switch d := d.(type) {
		case *Sig:
			w.sig(d)
		case *Fun:
			w.fun(d)
		}
	}
	return w.String()
}

func before(order []Decl, i int) Decl {
	if i == 0 {
		return nil
	}
	return order[i-1]
}

// Text returns an expression as text.
func Text(e Expr) string {
	w := &printer{}
	w.expr(e, 0)
	return w.String()
}

type printer struct {
	strings.Builder
	indent int
}

func (w *printer) line() {
	w.WriteString("\n" + strings.Repeat("  ", w.indent))
}

func (w *printer) sig(s *Sig) {
	fmt.Fprintf(w, "sig %s : ", s.Name)
	if len(s.Levels)+len(s.Vars) > 0 {
		w.WriteString("forall")
		if len(s.Levels) > 0 {
			fmt.Fprintf(w, " <%s>", strings.Join(s.Levels, " "))
		}
		for _, v := range s.Vars {
			w.WriteString(" " + v.Name)
			if v.Kind != "" {
				w.WriteString(" : " + v.Kind)
			}
		}
		w.WriteString(". ")
	}
	w.WriteString(TypeText(s.Type) + "\n")
}

func (w *printer) fun(f *Fun) {
	w.WriteString("fun ")
	w.head(f.Name, f.Levels, f.Params)
	w.indent++
	w.line()
	w.expr(f.Body, 0)
	w.indent--
	w.WriteString("\n")
}

// head writes a name with its parameters, and =.
func (w *printer) head(name string, levels []string, params []Pattern) {
	w.WriteString(name)
	if len(levels) > 0 {
		fmt.Fprintf(w, "<%s>", strings.Join(levels, " "))
	}
	for _, p := range params {
		w.WriteString(" " + p.String())
	}
	w.WriteString(" =")
}

// String returns the pattern as text.
func (p Pattern) String() string {
	if !p.Tuple {
		return p.Name
	}
	items := make([]string, len(p.Items))
	for i, q := range p.Items {
		items[i] = q.String()
	}
	return "(" + strings.Join(items, ", ") + ")"
}

// String returns the level as text.
func (l Level) String() string {
	if l.Plus > 0 {
		return fmt.Sprintf("%d+%s", l.Plus, l.Base)
	}
	return l.Base
}

// TypeText returns a type as text.
func TypeText(t Type) string {
	switch t := t.(type) {
	case *NamedType:
		return t.Name
	case *TupleType:
		items := make([]string, len(t.Items))
		for i, u := range t.Items {
			items[i] = TypeText(u)
		}
		return "(" + strings.Join(items, ", ") + ")"
	case *FunType:
		if _, ok := t.From.(*FunType); ok {
			return "(" + TypeText(t.From) + ") -> " + TypeText(t.To)
		}
		return TypeText(t.From) + " -> " + TypeText(t.To)
	case *ArrayType:
		if t.Level != nil {
			return fmt.Sprintf("[%s]<%s>", TypeText(t.Elem), t.Level)
		}
		if t.Rank > 1 {
			return fmt.Sprintf("[%s]%d", TypeText(t.Elem), t.Rank)
		}
		return "[" + TypeText(t.Elem) + "]"
	case *ProgramType:
		of := TypeText(t.Of)
		if _, ok := t.Of.(*FunType); ok {
			of = "(" + of + ")"
		}
		return fmt.Sprintf("Program<%s> %s", t.Level, of)
	}
	panic(fmt.Sprintf("syntax: type %T", t))
}

// expr writes an expression, in parentheses where it binds weaker than least.
func (w *printer) expr(e Expr, least int) {
	if strength(e) < least {
		w.WriteString("(")
		w.expr(e, 0)
		w.WriteString(")")
		return
	}
	switch e := e.(type) {
	case *Number:
		w.WriteString(e.Text)
	case *Bool:
		fmt.Fprint(w, e.Value)
	case *Name:
		w.name(e)
	case *Param:
		w.WriteString("#" + e.Name)
	case *Tuple:
		w.tuple(e)
	case *Apply:
		w.expr(e.Fn, applying)
		w.WriteString(" ")
		w.expr(e.Arg, applying+1)
	case *Unary:
		w.WriteString(e.Op)
		w.expr(e.X, unary+1) // never "--", which begins a comment
	case *Binary:
		w.binary(e)
	default:
		w.construct(e)
	}
}

// construct writes what begins with a keyword.
func (w *printer) construct(e Expr) {
	switch e := e.(type) {
	case *Fn:
		w.WriteString("fn " + e.Param.String() + " => ")
		w.expr(e.Body, 0)
	case *If:
		w.WriteString("if ")
		w.expr(e.Cond, 0)
		w.WriteString(" then ")
		w.expr(e.Then, 0)
		w.WriteString(" else ")
		w.expr(e.Else, 0)
	case *Let:
		w.WriteString("let ")
		w.binding(e.Binding)
		w.WriteString(" in")
		w.line()
		w.expr(e.Body, 0)
	case *Do:
		w.do(e)
	default:
		panic(fmt.Sprintf("syntax: expression %T", e))
	}
}

func (w *printer) name(e *Name) {
	if precedence[e.Name] > 0 {
		w.WriteString("(" + e.Name + ")")
		return
	}
	w.WriteString(e.Name)
	if len(e.Levels) == 0 {
		return
	}
	texts := make([]string, len(e.Levels))
	for i, l := range e.Levels {
		texts[i] = l.String()
	}
	fmt.Fprintf(w, "<%s>", strings.Join(texts, " "))
}

func (w *printer) tuple(e *Tuple) {
	w.WriteString("(")
	for i, item := range e.Items {
		if i > 0 {
			w.WriteString(", ")
		}
		w.expr(item, 0)
	}
	w.WriteString(")")
}

func (w *printer) binary(e *Binary) {
	s := precedence[e.Op]
	left := s
	if s == comparing {
		left++
	}
	w.expr(e.Left, left)
	if e.Op == "|>" {
		w.line()
		w.WriteString("|> ")
	} else {
		w.WriteString(" " + e.Op + " ")
	}
	w.expr(e.Right, s+1)
}

func (w *printer) binding(b Binding) {
	w.head(b.Pattern.String(), b.Levels, b.Params)
	w.WriteString(" ")
	w.expr(b.Value, 0)
}

func (w *printer) do(e *Do) {
	w.WriteString("do")
	if e.Level != nil {
		fmt.Fprintf(w, "<%s>", e.Level)
	}
	w.indent++
	w.line()
	w.WriteString("{ ")
	for _, s := range e.Steps {
		w.step(s)
		w.line()
		w.WriteString("; ")
	}
	w.expr(e.Last, 0)
	w.line()
	w.WriteString("}")
	w.indent--
}

func (w *printer) step(s Step) {
	if s.Let {
		w.WriteString("let ")
		w.binding(s.Binding)
		return
	}
	w.WriteString(s.Pattern.String() + " <- ")
	w.expr(s.Value, 0)
}

// strength returns how strong an expression binds. What extends to the right as far as it
// can is the weakest.
func strength(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return precedence[e.Op]
	case *Unary:
		return unary
	case *Apply:
		return applying
	case *Fn, *Let, *If:
		return 0
	}
	return applying + 1
}
