package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

type (
	// NamespaceDef is `:Namespace name` … `:EndNamespace`.
	NamespaceDef struct {
		At
		Name *Name
		Body []Stmt
	}
	// MemberFunc and MemberOp are `X.Name` where the name is one of a function or of an
	// operator.
	MemberFunc struct {
		At
		X    Expr
		Name string
	}
	MemberOp struct {
		At
		X    Expr
		Name string
	}
)

func (*NamespaceDef) stmt()   {}
func (*MemberFunc) function() {}
func (*MemberOp) operator()   {}

// anySpace stands for every namespace in the table of classes.
const anySpace = "*."

// wordAt reports whether `:word` stands at token i.
func (p *parser) wordAt(i int, word string) bool {
	return i+1 < len(p.toks) && p.toks[i].kind == tColon && p.toks[i+1].kind == tName && equalWord(p.text(i+1), word)
}

// namespaceEnd returns the token of the :EndNamespace that belongs to token lo, or -1.
func (p *parser) namespaceEnd(lo, hi int) int {
	depth := 0
	for i := lo; i < hi; i = p.after(i) {
		switch {
		case i > 0 && p.toks[i-1].kind != tSeparator:
		case p.wordAt(i, "Namespace"):
			depth++
		case p.wordAt(i, "EndNamespace"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// namespace reads the script of a namespace that starts at token lo. It returns the
// token behind it.
func (p *parser) namespace(lo, hi int) (Stmt, int) {
	at := p.span(lo, lo+2)
	p.refuse(diag.Errorf(diag.Namespaces, at, "namespaces are not compiled"))
	if p.loose == nil {
		return nil, hi
	}
	end := p.namespaceEnd(lo, hi)
	if end < 0 {
		p.report(diag.Errorf(diag.Unreadable, at, ":Namespace is not closed: no :EndNamespace"))
		return nil, hi
	}
	start := p.endOfLine(lo, end)
	for i := lo; i < start; i++ {
		if p.toks[i].kind == tSeparator {
			start = i
		}
	}
	if start != lo+3 || !p.plainName(lo+2) {
		p.report(fix(diag.Errorf(diag.Unreadable, p.span(lo, start), ":Namespace without a name"), "write :Namespace name"))
		return nil, p.endOfLine(end, hi)
	}
	n := &NamespaceDef{At: At{p.span(lo, end+2)}, Name: p.nameNode(lo + 2)}
	p.declare(n.Name, ArrayClass)
	back := p.enter(&scope{names: map[string]binding{}, space: p.scope.space + n.Name.Ident + "."}, p.base+1)
	n.Body = p.body(start, end)
	back()
	return n, min(end+2, hi)
}

// path returns an expression of names and dots as it is written, or "".
func path(x Expr) string {
	switch x := x.(type) {
	case *Var:
		return x.Ident
	case *Member:
		if before := path(x.X); before != "" && x.Name[0] != '(' {
			return before + "." + x.Name
		}
	}
	return ""
}

// memberClass returns the class of a name in the namespace that x refers to.
func (p *parser) memberClass(x Expr, name string) Class {
	if s := LookupSystem(quadName(name)); s != nil {
		return s.Class
	}
	if LookupGlyph(name) != nil {
		return FunctionClass
	}
	if p.loose == nil || name[0] == '(' {
		return ArrayClass
	}
	whole := path(x) + "." + name
	if class, ok := p.loose.given[whole]; ok {
		return class
	}
	if class, sure := p.loose.before[whole].only(); sure && whole[0] != '.' {
		return class
	}
	if class, sure := p.loose.before[p.resolved(whole)].only(); sure {
		return class
	}
	class, _ := p.loose.before[anySpace+name].only()
	if class == NoClass {
		class = ArrayClass
	}
	if whole[0] != '.' {
		p.assume(whole, class)
	}
	return class
}

// seeMember notes that a name in the namespace that x refers to is given a class.
func (p *parser) seeMember(x Expr, name string, class Class) {
	if p.loose == nil {
		return
	}
	p.loose.seen[anySpace+name] |= 1 << class
	if before := path(x); before != "" {
		whole := before + "." + name
		p.loose.seen[whole] |= 1 << class
		if full := p.resolved(whole); full != whole && full != "" {
			p.loose.seen[full] |= 1 << class
		}
	}
}

// resolved returns a path as it is from #, where # and ## are at its beginning only, and other
// names those of the namespace whose script is read; "" for others.
func (p *parser) resolved(path string) string {
	if rest, ok := strings.CutPrefix(path, "#."); ok {
		return rest
	}
	space := ""
	for sc := p.scope; sc != nil && space == ""; sc = sc.parent {
		space = sc.space
	}
	for strings.HasPrefix(path, "##.") {
		if space == "" {
			return ""
		}
		space = space[:strings.LastIndexByte(space[:len(space)-1], '.')+1]
		path = path[len("##."):]
	}
	if path == "" || path[0] == '.' {
		return ""
	}
	return space + path
}

// seeMembers notes that the names of a target are given arrays.
func (p *parser) seeMembers(t *MemberTarget) {
	if t.Names == nil {
		p.seeMember(t.X, t.Name, ArrayClass)
		return
	}
	var see func(s *StrandTarget)
	see = func(s *StrandTarget) {
		for _, x := range s.Items {
			switch x := x.(type) {
			case *NameTarget:
				p.seeMember(t.X, x.Ident, ArrayClass)
			case *StrandTarget:
				see(x)
			}
		}
	}
	see(t.Names)
}

// assignedMember makes the assignment of a function or an operator to a name in a namespace.
func (p *parser) assignedMember(u unit, start int, v unit, err *diag.Error) (unit, int, *diag.Error) {
	if err != nil {
		return v, start, err
	}
	at := At{u.span()}
	p.refuse(diag.Errorf(diag.Namespaces, at.Where, "namespaces are not compiled: %s", clip(at.Where.Text())))
	x, name := Expr(nil), ""
	switch {
	case u.op != nil:
		m := u.op.(*MemberOp)
		x, name = m.X, m.Name
	case u.f != nil:
		m := u.f.(*MemberFunc)
		x, name = m.X, m.Name
	case u.x != nil:
		m := u.x.(*Member)
		x, name = m.X, m.Name
	}
	if x == nil || path(x) == "" {
		return v, start, diag.Errorf(diag.FaultyAssignment, at.Where, "%s cannot be assigned a function", clip(at.Where.Text()))
	}
	p.seeMember(x, name, v.class)
	w := p.assignment(At{at.Where.Join(v.span())}, &Name{at, path(x) + "." + name}, v)
	return w, start, p.tall(w)
}

// memberTarget is the target `X.name←` or `X.(a b)←` that a member is, or nil.
func memberTarget(m *Member) *MemberTarget {
	t := &MemberTarget{At: m.At, X: m.X, Name: m.Name}
	if m.Name[0] == '(' {
		if t.Names = namesIn(m); t.Names == nil {
			return nil
		}
	}
	return t
}

// namesIn returns the names in the parentheses of X.(a b), where there is nothing else.
func namesIn(m *Member) *StrandTarget {
	open := []*StrandTarget{{At: m.At}}
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(m.Name)) {
		top := open[len(open)-1]
		switch {
		case word == "(":
			inner := &StrandTarget{At: m.At}
			top.Items, open = append(top.Items, inner), append(open, inner)
		case word == ")" && len(top.Items) > 0:
			open = open[:len(open)-1]
		case IsName(word):
			top.Items = append(top.Items, &NameTarget{m.At, word})
		default:
			return nil
		}
	}
	return open[0].Items[0].(*StrandTarget)
}

// memberElement is the target `X.name[i]←`.
func (p *parser) memberElement(u unit, start, open, j int) (left, *diag.Error) {
	m, ok := u.x.(*Member)
	if !ok || m.Name[0] == '(' {
		return left{}, diag.Errorf(diag.FaultyAssignment, u.span(), "%s cannot be assigned by index", clip(u.span().Text()))
	}
	b, err := p.bracket(open, j)
	if err != nil {
		return left{}, err
	}
	return left{target: &MemberTarget{At: m.At, X: m.X, Name: m.Name, Items: b.index.items}, start: start, h: max(u.h, b.h) + 1}, nil
}

// namespace writes the script of a namespace.
func (p *printer) namespace(n *NamespaceDef) {
	p.word(":Namespace ")
	p.word(n.Name.Ident)
	p.indent++
	for _, s := range n.Body {
		p.newline()
		p.statement(s)
	}
	p.indent--
	p.newline()
	p.word(":EndNamespace")
}
