package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// left is what stands to the left of an assignment arrow: a target that
// starts at a token, or, for a modified assignment, atoms read so far.
type left struct {
	target Target
	start  int
	atoms  []unit
	h      int
}

// target reads what is assigned by the arrow at token i. For a modified
// assignment (x+←1) the target is nil: the function is read as an atom and
// modify finds the target later.
func (p *parser) target(lo, i int) (left, *diag.Error) {
	if i == lo {
		return left{}, diag.Errorf(diag.FaultyAssignment, p.span(i, i+1), "nothing to assign to")
	}
	j := i - 1
	t := p.toks[j]
	if u, start, err := p.member(lo, j); start <= j || err != nil {
		if err == nil && u.class == FunctionClass && start > lo { // x ns.f←y
			return left{start: i}, nil
		}
		m, ok := u.x.(*Member)
		var t *MemberTarget
		if ok {
			t = memberTarget(m)
		}
		if err == nil && t == nil {
			err = diag.Errorf(diag.FaultyAssignment, u.span(), "%s cannot be assigned", clip(u.span().Text()))
		}
		if err != nil {
			return left{}, err
		}
		if start == lo || !p.operandAt(start-1) { // else a function stands behind an array
			p.seeMembers(t)
		}
		return left{target: t, start: start, h: u.h}, nil
	}
	switch {
	case t.kind == tName:
		return p.nameTarget(lo, j)
	case t.kind == tSystem:
		if s := LookupSystem(quadName(p.text(j))); s != nil && s.Class == FunctionClass && j > lo {
			return left{start: i}, nil
		}
		if start := p.strandStart(lo, j); start < j {
			return p.strandTarget(p.span(start, j+1), start, j+1)
		}
		return p.systemTarget(j)
	case t.kind == tQuad:
		return left{target: &NameTarget{At{p.span(j, j+1)}, Glyphs[t.glyph].Glyph}, start: j, h: 1}, nil
	case p.is(j, tClose, ')'):
		return p.parenTarget(lo, int(t.match), j)
	case p.is(j, tClose, ']'):
		return p.indexTarget(lo, int(t.match), j)
	case j == lo || t.kind != tGlyph && t.kind != tClose && !p.operandOfGlyph(j):
		return left{}, diag.Errorf(diag.FaultyAssignment, p.span(j, j+1), "%s cannot be assigned", clip(p.text(j)))
	}
	return left{start: i}, nil
}

// operandAt reports whether token i may end an array.
func (p *parser) operandAt(i int) bool {
	switch p.toks[i].kind {
	case tName, tClose, tNumber, tString, tZilde:
		return true
	}
	return false
}

// operandOfGlyph reports whether token j is a constant behind a primitive, as
// in `x f⍤1←y`.
func (p *parser) operandOfGlyph(j int) bool {
	k := p.toks[j].kind
	return (k == tNumber || k == tString || k == tZilde) && p.toks[j-1].kind == tGlyph
}

// classOf returns the class that a name has, NoClass if it is unknown.
func (p *parser) classOf(i int) Class {
	switch p.text(i) {
	case "⍺", "⍵":
		return ArrayClass
	case "∇":
		return FunctionClass
	case "#", "##":
		return ArrayClass
	case "⍺⍺":
		return p.scope.left
	case "⍵⍵":
		return p.scope.right
	case "∇∇":
		return p.scope.self
	}
	b, _ := p.lookup(p.text(i))
	return b.class
}

func isFunctional(c Class) bool { return c > ArrayClass }

// nameTarget reads `x←`, `a b←` or the modified `x f←`.
func (p *parser) nameTarget(lo, j int) (left, *diag.Error) {
	if j > lo && isFunctional(p.classOf(j)) {
		return left{start: j + 1}, nil
	}
	start := p.strandStart(lo, j)
	if start == j {
		t, err := p.newName(j)
		return left{target: t, start: j, h: 1}, err
	}
	return p.strandTarget(p.span(start, j+1), start, j+1)
}

// strandStart returns the token where the items of a strand assignment begin that
// stand before token j: names, and names in parentheses that are not all
// functions.
func (p *parser) strandStart(lo, j int) int {
	for j > lo {
		if p.strandable(j - 1) {
			j--
			continue
		}
		if !p.is(j-1, tClose, ')') {
			break
		}
		open := int(p.toks[j-1].match)
		if only, functional := p.onlyNames(open+1, j-1); open < lo || !only || functional {
			break
		}
		j = open
	}
	return j
}

// strandable reports whether token i is an item of a strand assignment.
func (p *parser) strandable(i int) bool {
	switch p.toks[i].kind {
	case tName:
		return p.toks[i].glyph == 0 && !isFunctional(p.classOf(i))
	case tSystem:
		s := LookupSystem(quadName(p.text(i)))
		return s != nil && s.Assigned
	}
	return false
}

// newName makes the name of token j an array of this scope.
func (p *parser) newName(j int) (Target, *diag.Error) {
	at := p.span(j, j+1)
	if p.toks[j].kind == tSystem {
		t, err := p.systemTarget(j)
		return t.target, err
	}
	if p.text(j) == "⍺" && p.scope.dfn {
		return &NameTarget{At{at}, "⍺"}, nil
	}
	if p.toks[j].glyph != 0 {
		return nil, diag.Errorf(diag.FaultyAssignment, at, "%s cannot be assigned", p.text(j))
	}
	return &NameTarget{At{at}, p.text(j)}, p.define(at, p.text(j), ArrayClass)
}

func (p *parser) systemTarget(j int) (left, *diag.Error) {
	at := p.span(j, j+1)
	s := LookupSystem(quadName(p.text(j)))
	if s == nil {
		return left{}, p.unknownSystem(j)
	}
	if !s.Assigned {
		return left{}, diag.Errorf(diag.FaultyAssignment, at, "%s cannot be assigned", s.Name)
	}
	return left{target: &NameTarget{At{at}, s.Name}, start: j, h: 1}, nil
}

// onlyNames reports whether the tokens are names, or names in parentheses, as
// in a strand assignment, and whether all of them are functions or operators
// so far.
func (p *parser) onlyNames(lo, hi int) (only, functional bool) {
	functional = true
	for i := lo; i < hi; i++ {
		switch {
		case p.strandable(i):
			functional = false
		case p.toks[i].kind == tName && p.toks[i].glyph == 0:
		case !p.is(i, tOpen, '(') && !p.is(i, tClose, ')'):
			return false, false
		}
	}
	return lo < hi, functional
}

// strandTarget reads the names [lo,hi), from right to left as all assignment.
func (p *parser) strandTarget(at diag.Span, lo, hi int) (left, *diag.Error) {
	s := &StrandTarget{At: At{at}}
	l := left{target: s, start: lo, h: 1}
	for i := lo; i < hi; i = p.after(i) {
		var t Target
		var err *diag.Error
		if p.toks[i].kind == tOpen {
			match := int(p.toks[i].match)
			if i+1 == match {
				return l, diag.Errorf(diag.FaultyBrackets, p.span(i, match+1), "nothing inside ()")
			}
			var inner left
			inner, err = p.strandTarget(p.span(i, match+1), i+1, match)
			t, l.h = inner.target, max(l.h, inner.h)
		} else {
			t, err = p.newName(i)
		}
		if err != nil {
			return l, err
		}
		s.Items = append(s.Items, t)
	}
	l.h++
	return l, nil
}

// parenTarget reads `(a b)←`, the selective `(2↑x)←` or the modified `x(f)←`.
// Names in parentheses are assigned even if an outer body has functions of
// these names, unless all of them are functions and something is modified.
func (p *parser) parenTarget(lo, open, j int) (left, *diag.Error) {
	at := p.span(open, j+1)
	if only, functional := p.onlyNames(open+1, j); only && (!functional || open == lo) {
		if start := p.strandStart(lo, open); start < open {
			return p.strandTarget(p.span(start, j+1), start, j+1)
		}
		l, err := p.strandTarget(at, open+1, j)
		l.start = open
		return l, err
	}
	u, err := p.paren(open, j)
	if err != nil {
		return left{}, err
	}
	if isFunctional(u.class) {
		return left{start: open, atoms: []unit{u}}, nil
	}
	inner, ok := u.x.(*Paren)
	if !ok || !selects(inner.X) {
		return left{}, fix(diag.Errorf(diag.FaultyAssignment, at, "%s selects nothing that can be assigned", clip(at.Text())), "write (names)←, name[…]← or (selection of name)←")
	}
	return left{target: &SelectTarget{At{at}, inner.X}, start: open, h: u.h}, nil
}

// The primitives that a selective assignment may apply, by themselves and with a
// left argument. Mix and split make new items, and are none of them.
const (
	selectingMonadic = ",⍪⌽⊖⍉⌷⊃∊⊢⊣"
	selectingDyadic  = "↑↓/⌿\\⍀⍴⌽⊖⍉⌷⊃⊢"
)

// selects reports whether x is selecting functions applied to a name that can
// be assigned.
func selects(x Expr) bool {
	switch v := Selected(x).(type) {
	case nil:
		return false
	case *Var:
		if glyphPrefix(v.Ident, "⍺", "⍵", "⎕") {
			return false
		}
	case *Member:
		if v.Name[0] == '(' {
			return false
		}
	}
	called := false
	for {
		ok := true
		switch e := x.(type) {
		case *Paren:
			x = e.X
			continue
		case *Index:
			x = e.X
		case *Monadic:
			x, ok = e.Y, selectsBy(e.F, selectingMonadic)
		case *Dyadic:
			x, ok = e.Y, selectsBy(e.F, selectingDyadic)
		default:
			return called
		}
		if !ok {
			return false
		}
		called = true
	}
}

// selectsBy reports whether f is one of the given primitives, or applies one to
// parts of its right argument.
func selectsBy(f Func, selecting string) bool {
	switch f := f.(type) {
	case *Prim:
		return strings.Contains(selecting, f.Glyph)
	case *Axis:
		return selectsBy(f.F, selecting)
	case *ParenFunc:
		return selectsBy(f.F, selecting)
	case *Derived:
		op, ok := f.Op.(*PrimOp)
		return ok && (op.Glyph == "¨" || op.Glyph == "⍤") && f.Left.Func != nil && selectsBy(f.Left.Func, selecting)
	}
	return false
}

// indexTarget reads `x[i]←` or the modified `x f[k]←`.
func (p *parser) indexTarget(lo, open, j int) (left, *diag.Error) {
	if open == lo {
		return left{}, diag.Errorf(diag.FaultyBrackets, p.span(open, j+1), "nothing before %s to index", clip(p.span(open, j+1).Text()))
	}
	n := open - 1
	if u, start, err := p.member(lo, n); err == nil && start <= n {
		return p.memberElement(u, start, open, j)
	}
	name := p.toks[n].kind == tName
	if name && isFunctional(p.classOf(n)) || p.toks[n].kind == tGlyph || p.is(n, tClose, '}') {
		return left{start: j + 1}, nil
	}
	if !name && p.toks[n].kind == tClose && p.is(int(p.toks[n].match), tOpen, '(') {
		return p.indexedSelection(int(p.toks[n].match), open, j)
	}
	if !name {
		return left{}, fix(diag.Errorf(diag.NotCompiled, p.span(n, j+1), "only a name can be assigned by index"), "assign the whole to a name first")
	}
	b, err := p.bracket(open, j)
	if err != nil {
		return left{}, err
	}
	at := p.span(n, j+1)
	if p.toks[n].glyph != 0 {
		return left{}, fix(diag.Errorf(diag.FaultyAssignment, at, "%s cannot be assigned", p.text(n)), "copy it to a name first: x←"+p.text(n))
	}
	if _, err := p.name(n); err != nil {
		return left{}, err
	}
	return left{target: &IndexTarget{At{at}, p.text(n), b.index.items}, start: n, h: b.h + 1}, nil
}

// indexedSelection reads `(selection of x)[i]←`, or `(f)[k]←` of a function.
func (p *parser) indexedSelection(paren, open, j int) (left, *diag.Error) {
	u, err := p.paren(paren, open-1)
	if err != nil {
		return left{}, err
	}
	if isFunctional(u.class) {
		return left{start: j + 1}, nil
	}
	b, err := p.bracket(open, j)
	if err != nil {
		return left{}, err
	}
	at := At{p.span(paren, j+1)}
	x := &Index{At: at, X: u.x, Items: b.index.items, Brackets: p.span(open, j+1)}
	if !selects(x) {
		return left{}, fix(diag.Errorf(diag.NotCompiled, at.Where, "only a name or a selection can be assigned by index"), "assign the whole to a name first")
	}
	return left{target: &SelectTarget{at, x}, start: paren, h: max(u.h, b.h) + 1}, nil
}

// modify makes the modified assignment of y from units that end with a target
// and a function. It returns the units before them and the assignment.
func (p *parser) modify(units []unit, y unit) ([]unit, unit, *diag.Error) {
	n := len(units)
	if n == 0 {
		return nil, y, diag.Errorf(diag.FaultyAssignment, y.span(), "nothing to assign to")
	}
	f := units[n-1]
	if f.class != FunctionClass || n < 2 || units[n-2].class != ArrayClass {
		return nil, y, diag.Errorf(diag.FaultyAssignment, f.span(), "%s cannot be assigned", clip(f.span().Text()))
	}
	x := units[n-2]
	t := targetOf(x.x)
	if t == nil {
		return nil, y, diag.Errorf(diag.FaultyAssignment, x.span(), "%s cannot be assigned", clip(x.span().Text()))
	}
	a := &Assign{At{x.span().Join(y.span())}, t, f.f, y.x}
	return units[:n-2], arrayUnit(a, max(x.h, f.h, y.h)+2), nil
}

// targetOf returns the target that an expression read as a value is, or nil.
func targetOf(x Expr) Target {
	switch x := x.(type) {
	case *Var:
		if s := LookupSystem(x.Ident); x.Ident == "⍺" || x.Ident == "⍵" || s != nil && !s.Assigned {
			return nil
		}
		return &NameTarget{x.At, x.Ident}
	case *Member:
		if t := memberTarget(x); t != nil {
			return t
		}
	case *Index:
		switch v := targetOf(x.X).(type) {
		case *NameTarget:
			return &IndexTarget{x.At, v.Ident, x.Items}
		case *MemberTarget:
			return &MemberTarget{At: x.At, X: v.X, Name: v.Name, Items: x.Items}
		}
		if selects(x) {
			return &SelectTarget{x.At, x}
		}
	case *Strand:
		return targetsOf(x.At, x.Items)
	case *Paren:
		switch inner := x.X.(type) {
		case *Strand:
			if t := targetsOf(x.At, inner.Items); t != nil {
				return t
			}
		case *Var, *Paren:
			return targetsOf(x.At, []Expr{inner})
		}
		if selects(x.X) {
			return &SelectTarget{x.At, x.X}
		}
	}
	return nil
}

// targetsOf returns the strand target of expressions that are targets, or nil.
func targetsOf(at At, items []Expr) Target {
	s := &StrandTarget{At: at}
	for _, x := range items {
		t := targetOf(x)
		switch t.(type) {
		case *NameTarget, *StrandTarget:
			s.Items = append(s.Items, t)
		default:
			return nil
		}
	}
	return s
}
