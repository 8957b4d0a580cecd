package syntax

import (
	"fmt"

	"github.com/tailor-lang/tailor/internal/diag"
)

// precedence of the operators with two operands, from weak to strong. Those of
// comparisons do not chain.
var precedence = map[string]int{
	"|>": 1, "||": 2, "&&": 3,
	"==": 4, "!=": 4, "<": 4, "<=": 4, ">": 4, ">=": 4,
	"<<": 5, ">>": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}

const (
	comparing = 4
	unary     = 8
	applying  = 9
)

func (p *parser) expr() Expr {
	defer p.deeper()()
	return p.binary(1)
}

// operator returns the operator that comes next and how many tokens it takes.
func (p *parser) operator() (string, int) {
	t, u := p.peek(), p.ahead(1)
	if t.kind != tokenSymbol {
		return "", 0
	}
	if t.text == "<" || t.text == ">" || t.text == "!" {
		for _, second := range []string{"<", ">", "="} {
			if joined(t, u, second) && precedence[t.text+second] > 0 {
				return t.text + second, 2
			}
		}
	}
	return t.text, 1
}

// binary reads operators of the given precedence and stronger ones.
func (p *parser) binary(least int) Expr {
	left := p.unary()
	for {
		op, n := p.operator()
		strength := precedence[op]
		if strength < least || n == 0 || strength == 0 {
			return left
		}
		p.next += n
		right := p.binary(strength + 1)
		left = &Binary{op, left, right, left.Span().Join(right.Span())}
		if next, _ := p.operator(); strength == comparing && precedence[next] == comparing {
			e := diag.Errorf(diag.Unreadable, p.peek().at, "comparisons do not chain: put one of them into parentheses")
			e.Fix = "&& joins comparisons: a < b && b < c"
			panic(e)
		}
	}
}

func (p *parser) unary() Expr {
	if t := p.peek(); t.is("-") || t.is("!") {
		defer p.deeper()()
		p.next++
		x := p.unary()
		return &Unary{t.text, x, t.at.Join(x.Span())}
	}
	return p.application()
}

func (p *parser) application() Expr {
	f := p.atom()
	for p.startsAtom() {
		arg := p.atom()
		f = &Apply{f, arg, f.Span().Join(arg.Span())}
	}
	return f
}

// startsAtom reports whether an argument comes next. A name before "=" is that of
// another binding of a let.
func (p *parser) startsAtom() bool {
	t := p.peek()
	switch t.kind {
	case tokenInt, tokenFloat, tokenParam:
		return true
	case tokenName:
		return !p.ahead(1).is("=")
	case tokenKeyword:
		switch t.text {
		case "true", "false", "fn", "let", "if", "do":
			return true
		}
		return false
	}
	return t.is("(")
}

func (p *parser) atom() Expr {
	t := p.peek()
	if !p.startsAtom() {
		e := diag.Errorf(diag.Unreadable, t.at, "an expression is expected, not %s", t)
		e.Fix = p.advice()
		if op, _ := p.operator(); precedence[op] > 0 && e.Fix == "" {
			e.Fix = fmt.Sprintf("(%s) is the function of the operator; fn x => x %[1]s y has one operand", op)
		}
		panic(e)
	}
	p.next++
	switch {
	case t.kind == tokenInt || t.kind == tokenFloat:
		return &Number{t.text, t.kind == tokenFloat, t.at}
	case t.kind == tokenParam:
		return &Param{t.text[1:], t.at}
	case t.kind == tokenName:
		levels := p.levelArgs()
		return &Name{t.text, levels, t.at.Join(p.last().at)}
	case t.is("("):
		return p.parenthesis(t)
	}
	return p.construct(t)
}

// construct reads what begins with a keyword, which has been taken.
func (p *parser) construct(t token) Expr {
	switch t.text {
	case "fn":
		param := p.pattern()
		p.expect("=>", "after the parameter of a function")
		body := p.expr()
		return &Fn{param, body, t.at.Join(body.Span())}
	case "let":
		return p.let(t)
	case "if":
		cond := p.expr()
		p.expectAfter(t, "then", "after a condition")
		then := p.expr()
		p.expectAfter(t, "else", "after a branch")
		other := p.expr()
		return &If{cond, then, other, t.at.Join(other.Span())}
	case "do":
		return p.do(t)
	}
	return &Bool{t.text == "true", t.at}
}

func (p *parser) parenthesis(open token) Expr {
	if op, n := p.operator(); n > 0 && precedence[op] > 1 && p.ahead(n).is(")") {
		p.next += n
		return &Name{op, nil, open.at.Join(p.take().at)}
	}
	var items []Expr
	for !p.is(")") {
		items = append(items, p.expr())
		if !p.accept(",") {
			break
		}
	}
	end := p.expectAfter(open, ")", "after what stands in parentheses")
	if len(items) == 1 { // parentheses are part of the span
		*place(items[0]) = open.at.Join(end.at)
		return items[0]
	}
	return &Tuple{items, open.at.Join(end.at)}
}

// bindings reads those of a let.
func (p *parser) bindings() []Binding {
	all := []Binding{p.binding()}
	for p.peek().kind == tokenName && p.ahead(1).is("=") {
		all = append(all, p.binding())
	}
	return all
}

// let reads a let, which has been taken; of several bindings each is in the scope of
// those before it.
func (p *parser) let(t token) Expr {
	return p.letIn(t, p.bindings())
}

// letIn reads what follows the bindings of a let.
func (p *parser) letIn(t token, bindings []Binding) Expr {
	p.expectAfter(t, "in", "after the bindings of a let")
	body := p.expr()
	for i := len(bindings) - 1; i >= 0; i-- {
		body = &Let{bindings[i], body, t.at.Join(body.Span())}
	}
	return body
}

func (p *parser) binding() Binding {
	b := Binding{Pattern: p.pattern()}
	if !b.Pattern.Tuple {
		if p.is("<") {
			b.Levels = p.levelVars(map[string]diag.Span{})
		}
		b.Params = p.patterns()
	}
	p.expect("=", "in a binding")
	b.Value = p.expr()
	return b
}

func (p *parser) do(t token) Expr {
	d := &Do{}
	if p.is("<") {
		l := p.levelIn("after do")
		d.Level = &l
	}
	p.expect("{", "after do")
	for {
		if last := p.step(d); last {
			break
		}
	}
	p.accept(";")
	end := p.expectAfter(t, "}", "after the steps of a do")
	d.At = t.at.Join(end.at)
	return d
}

// step reads a step of a do, and reports whether it was the last one.
func (p *parser) step(d *Do) bool {
	defer p.deeper()()
	switch {
	case p.is("let"):
		let := p.take()
		bindings := p.bindings()
		if p.is("in") {
			d.Last = p.letIn(let, bindings)
		} else {
			for _, b := range bindings {
				d.Steps = append(d.Steps, Step{b, true})
			}
			p.endStep()
			return false
		}
	case p.startsBind():
		pattern := p.pattern()
		p.next += 2
		d.Steps = append(d.Steps, Step{Binding{Pattern: pattern, Value: p.expr()}, false})
		p.endStep()
		return false
	}
	if d.Last == nil {
		d.Last = p.expr()
	}
	if p.is(";") && !p.ahead(1).is("}") {
		e := diag.Errorf(diag.Unreadable, p.peek().at, "only the last step of a do is an expression: bind its result, as in _ <- e")
		if _, let := d.Last.(*Let); let {
			e.Fix = "let x = e is a step of its own, without in"
		}
		panic(e)
	}
	return true
}

// endStep reads the end of a step that is not the last one.
func (p *parser) endStep() {
	if end := p.ahead(1); p.is("}") || p.is(";") && end.is("}") {
		e := diag.Errorf(diag.Unreadable, p.peek().at, "the last step of a do is a program without a name")
		e.Fix = "return<l> x is the program that gives x; steps are separated by ;"
		panic(e)
	}
	p.expect(";", "after a step")
}

// startsBind reports whether a pattern and "<-" come next.
func (p *parser) startsBind() bool {
	i := 0
	for depth := 0; ; i++ {
		switch t := p.ahead(i); {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case t.kind != tokenName && !t.is("_") && !t.is(","):
			return false
		}
		if depth <= 0 {
			break
		}
	}
	arrow := p.ahead(i + 1)
	return arrow.is("<") && joined(arrow, p.ahead(i+2), "-")
}
