package syntax

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// maxDepth is how deep expressions and types may nest.
const maxDepth = 1000

// maxRank is how many axes arrays have at most.
const maxRank = 8

// Parse returns the tree of a source; the error is a *diag.Error.
func Parse(src *diag.Source) (p *Program, err error) {
	return parse(src, func(ps *parser) *Program { return ps.program(src) })
}

// ParseBody is Parse of a source that may be an expression as well: that is the body of a
// function main with the given parameters.
func ParseBody(src *diag.Source, params ...string) (p *Program, err error) {
	return parse(src, func(ps *parser) *Program {
		if ps.is("fun") || ps.is("sig") {
			return ps.program(src)
		}
		f := &Fun{Name: "main", At: ps.peek().at}
		for _, name := range params {
			f.Params = append(f.Params, Pattern{Name: name, At: f.At})
		}
		f.Body = ps.expr()
		if ps.peek().kind != tokenEnd {
			ps.fail(diag.Unreadable, "the end of the expression is expected, not %s", ps.peek())
		}
		return &Program{Source: src, Funs: []*Fun{f}, Order: []Decl{f}}
	})
}

// parse reads the tokens of a source by a method of the parser.
func parse(src *diag.Source, read func(ps *parser) *Program) (p *Program, err error) {
	tokens, fault := scan(src)
	if fault != nil {
		return nil, fault
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*diag.Error)
			if !ok {
				panic(r)
			}
			p, err = nil, e
		}
	}()
	return read(&parser{tokens: tokens}), nil
}

// parser has the tokens and the place in them. Its methods panic with a *diag.Error,
// which Parse returns.
type parser struct {
	tokens []token
	next   int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.next] }

// ahead returns the token n after the next one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.next+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.peek()
	if t.kind != tokenEnd {
		p.next++
	}
	return t
}

// last returns the token before the next one.
func (p *parser) last() token { return p.tokens[max(p.next-1, 0)] }

// is reports whether the next token is a keyword or symbol of the given text.
func (p *parser) is(text string) bool { return p.peek().is(text) }

func (t token) is(text string) bool {
	return (t.kind == tokenSymbol || t.kind == tokenKeyword) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.next++
		return true
	}
	return false
}

// expect takes a keyword or symbol; where says what it belongs to.
func (p *parser) expect(text, where string) token { return p.expectAfter(token{}, text, where) }

// expectAfter is expect of a keyword or symbol that ends or goes on with what another one begins.
func (p *parser) expectAfter(begin token, text, where string) token {
	if p.is(text) {
		return p.take()
	}
	code := diag.Unreadable
	if strings.Contains(")]}", text) {
		code = diag.UnbalancedBrackets
	}
	e := diag.Errorf(code, p.peek().at, "%q is expected %s, not %s", text, where, p.peek())
	if begin.kind != noToken {
		e.Notes = []diag.Note{{Span: begin.at, Message: strconv.Quote(begin.text) + " is here"}}
	}
	e.Fix = p.advice()
	panic(e)
}

// advice says how to write what other languages write as what comes next, or "".
func (p *parser) advice() string {
	switch {
	case p.is("=") || p.ahead(1).is("="):
		return "== compares; let x = e in f names a value, fun f x = e a function"
	case p.is("/") && joined(p.peek(), p.ahead(1), "/"):
		return "a comment begins with --"
	case p.is("["):
		return "index a i is an element; generate n (fn i => e) makes an array"
	case p.is("{"):
		return "do<l> { x <- p; q } runs one program after the other"
	}
	return ""
}

func (t token) String() string {
	if t.kind == tokenEnd {
		return "the end of the program"
	}
	return strconv.Quote(t.text)
}

func (p *parser) fail(code diag.Code, format string, args ...any) {
	panic(diag.Errorf(code, p.peek().at, format, args...))
}

func (p *parser) name(what string) token {
	if p.peek().kind != tokenName {
		p.fail(diag.Unreadable, "%s is expected, not %s", what, p.peek())
	}
	return p.take()
}

// deeper counts a level of nesting; the function it returns ends it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(diag.TooDeep, "more than %d levels of nesting", maxDepth)
	}
	return func() { p.depth-- }
}

func (p *parser) program(src *diag.Source) *Program {
	prog := &Program{Source: src}
	for p.peek().kind != tokenEnd {
		switch {
		case p.accept("sig"):
			s := p.sig()
			prog.Sigs, prog.Order = append(prog.Sigs, s), append(prog.Order, s)
		case p.accept("fun"):
			f := p.fun()
			prog.Funs, prog.Order = append(prog.Funs, f), append(prog.Order, f)
		default:
			e := diag.Errorf(diag.Unreadable, p.peek().at, "\"fun\" or \"sig\" is expected, not %s", p.peek())
			if e.Fix = p.advice(); e.Fix == "" && p.peek().kind == tokenName {
				e.Fix = "fun f x = e defines a function"
			}
			panic(e)
		}
	}
	return prog
}

func (p *parser) sig() *Sig {
	name := p.name("the name of a function")
	s := &Sig{Name: name.text, At: name.at}
	p.expect(":", "after the name of a signature")
	start := p.peek().at
	if p.accept("forall") {
		p.binders(s)
	}
	s.Type = p.typ()
	s.Scheme = start.Join(p.last().at)
	return s
}

// binders reads the variables of a forall, up to its point.
func (p *parser) binders(s *Sig) {
	levels := map[string]diag.Span{}
	for !p.accept(".") {
		switch t := p.peek(); {
		case t.kind == tokenTypeVar:
			p.next++
			v := TypeVar{Name: t.text, At: t.at}
			if p.accept(":") {
				v.Kind = p.name("a kind").text
			}
			s.Vars = append(s.Vars, v)
		case t.is("<"):
			s.Levels = append(s.Levels, p.levelVars(levels)...)
		default:
			p.fail(diag.Unreadable, "a variable or \".\" is expected in a forall, not %s", t)
		}
	}
}

// levelVars reads <l m>, whose names differ from each other and from those before.
func (p *parser) levelVars(first map[string]diag.Span) []string {
	var names []string
	p.expect("<", "before level variables")
	for !p.is(">") {
		l := p.name("a level variable")
		once(first, l.text, l.at)
		names = append(names, l.text)
		p.accept(",")
	}
	p.take()
	return names
}

func (p *parser) fun() *Fun {
	name := p.name("the name of a function")
	f := &Fun{Name: name.text, At: name.at}
	if p.is("<") {
		f.Levels = p.levelVars(map[string]diag.Span{})
	}
	f.Params = p.patterns()
	p.expect("=", "after the parameters of a function")
	f.Body = p.expr()
	return f
}

// patterns reads parameters, whose names differ.
func (p *parser) patterns() []Pattern {
	var all []Pattern
	first := map[string]diag.Span{}
	for !p.is("=") {
		all = append(all, p.patternIn(first))
	}
	return all
}

// pattern reads a pattern, whose names differ.
func (p *parser) pattern() Pattern { return p.patternIn(map[string]diag.Span{}) }

// once fails where a name is bound a second time; first has those bound before.
func once(first map[string]diag.Span, name string, at diag.Span) {
	if before, twice := first[name]; twice && name != "_" {
		e := diag.Errorf(diag.FaultyAssignment, at, "%q is bound twice", name)
		e.Notes = []diag.Note{{Span: before, Message: "the first time"}}
		panic(e)
	}
	first[name] = at
}

func (p *parser) patternIn(first map[string]diag.Span) Pattern {
	defer p.deeper()()
	t := p.peek()
	switch {
	case t.kind == tokenName || t.is("_"):
		p.next++
		once(first, t.text, t.at)
		return Pattern{Name: t.text, At: t.at}
	case !t.is("("):
		p.fail(diag.Unreadable, "a name or a tuple of names is expected, not %s", t)
	}
	p.next++
	var items []Pattern
	for !p.is(")") {
		items = append(items, p.patternIn(first))
		if !p.accept(",") {
			break
		}
	}
	end := p.expect(")", "after the names of a tuple")
	if len(items) == 1 {
		return items[0]
	}
	return Pattern{Tuple: true, Items: items, At: t.at.Join(end.at)}
}

func (p *parser) typ() Type {
	defer p.deeper()()
	from := p.typeOperand()
	if p.accept("->") {
		return &FunType{from, p.typ()}
	}
	return from
}

func (p *parser) typeOperand() Type {
	defer p.deeper()()
	t := p.take()
	switch {
	case t.kind == tokenTypeVar:
		return &NamedType{t.text, t.at}
	case t.kind == tokenName && t.text == "Program":
		l := p.levelIn("after Program")
		of := p.typeOperand()
		return &ProgramType{l, of, t.at.Join(p.last().at)}
	case t.kind == tokenName:
		return &NamedType{t.text, t.at}
	case t.is("["):
		return p.arrayType(t)
	case t.is("("):
		return p.tupleType(t)
	}
	p.next--
	p.fail(diag.Unreadable, "a type is expected, not %s", t)
	return nil
}

func (p *parser) arrayType(open token) Type {
	elem := p.typ()
	p.expect("]", "after the type of elements")
	a := &ArrayType{Elem: elem, Rank: 1}
	if t := p.peek(); t.kind == tokenInt {
		n, err := strconv.Atoi(t.text)
		if err != nil || n < 1 || n > maxRank {
			p.fail(diag.Unreadable, "an array has 1 to %d axes, not %s", maxRank, t.text)
		}
		a.Rank = n
		p.next++
	}
	if a.Rank == 1 && p.is("<") {
		l := p.levelIn("after ]")
		a.Level = &l
	}
	a.At = open.at.Join(p.last().at)
	return a
}

func (p *parser) tupleType(open token) Type {
	var items []Type
	for !p.is(")") {
		items = append(items, p.typ())
		if !p.accept(",") {
			break
		}
	}
	end := p.expect(")", "after the types of a tuple")
	if len(items) == 1 {
		return items[0]
	}
	return &TupleType{items, open.at.Join(end.at)}
}

// levelIn reads <level>.
func (p *parser) levelIn(where string) Level {
	p.expect("<", where)
	l, ok := p.level()
	if !ok {
		p.fail(diag.Unreadable, "a level is expected, not %s", p.peek())
	}
	p.expect(">", "after a level")
	return l
}

// level reads a level; without success it may have moved.
func (p *parser) level() (Level, bool) {
	l := Level{At: p.peek().at}
	for p.peek().kind == tokenInt {
		n, err := strconv.Atoi(p.take().text)
		if err != nil || n > 100 || !p.accept("+") {
			return l, false
		}
		l.Plus += n
	}
	if p.peek().kind != tokenName {
		return l, false
	}
	base := p.take()
	l.Base, l.At = base.text, l.At.Join(base.at)
	return l, true
}

// levelArgs reads the level arguments of a name; where none are written it does not move.
func (p *parser) levelArgs() []Level {
	start := p.next
	if !p.accept("<") {
		return nil
	}
	var all []Level
	for !p.is(">") {
		l, ok := p.level()
		if !ok {
			p.next = start
			return nil
		}
		all = append(all, l)
	}
	end := p.take()
	if joined(end, p.peek(), "=") || joined(end, p.peek(), "==") || joined(end, p.peek(), ">") || len(all) == 0 {
		p.next = start
		return nil
	}
	return all
}

// joined reports whether b is a symbol that follows a without space.
func joined(a, b token, text string) bool {
	return b.is(text) && a.at.End == b.at.Start
}
