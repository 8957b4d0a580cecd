package apl

import (
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

// maxDepth is the height that a tree may have, so that nobody who walks it
// recursively runs out of stack.
const maxDepth = 10000

// maxItems is the number of items that an expression may have at one level of
// brackets; the numbers of a literal count as one.
const maxItems = 1 << 20

// unit is a piece of an expression between reading its tokens and building its
// tree: exactly one of x, f, op and index is set.
type unit struct {
	class  Class // NoClass for an index and for hybrids
	hybrid bool  // op is / ⌿ \ ⍀: an operator, or a function by what is before it
	x      Expr
	f      Func
	op     Operator
	index  *index
	run    [2]int32 // of a literal: the tokens of its numbers
	h      int      // height of the tree
}

// index is `[i;j]`.
type index struct {
	items []Expr
	where diag.Span
}

func (u unit) span() diag.Span {
	switch {
	case u.x != nil:
		return u.x.Span()
	case u.f != nil:
		return u.f.Span()
	case u.op != nil:
		return u.op.Span()
	}
	return u.index.where
}

func arrayUnit(x Expr, h int) unit    { return unit{class: ArrayClass, x: x, h: h} }
func functionUnit(f Func, h int) unit { return unit{class: FunctionClass, f: f, h: h} }

// tall returns an error if the tree of u is too high.
func (p *parser) tall(u unit) *diag.Error {
	if p.base+u.h <= maxDepth {
		return nil
	}
	at := u.span()
	at.End = min(at.End, at.Start+1)
	return diag.Errorf(diag.TooDeep, at, "expression is nested deeper than %d", maxDepth)
}

// value reads an expression of any class, from right to left.
func (p *parser) value(lo, hi int) (unit, *diag.Error) {
	var y *unit      // the assignment to the right, or nil
	var atoms []unit // from right to left
	modify := false  // a modified assignment stands to the right
	calls := 0       // atoms that are no arrays; the tree is at least an eighth as high
	for i := hi - 1; i >= lo; {
		if p.toks[i].kind != tArrow || p.shows(lo, i, hi) {
			u, start, err := p.atom(lo, i)
			if err != nil {
				return unit{}, err
			}
			atoms = append(atoms, u)
			if u.class != ArrayClass {
				calls++
			}
			if len(atoms) > maxItems || calls > 8*maxDepth {
				return unit{}, diag.Errorf(diag.AtLimit, u.span(), "expression is too long: more than %d items in it", len(atoms)-1)
			}
			i = start - 1
			continue
		}
		v, err := p.segment(i+1, hi, atoms, y, modify)
		if err != nil {
			return unit{}, err
		}
		if v.class != ArrayClass {
			u, start, err := p.assignedFunction(lo, i, v)
			if err != nil {
				return unit{}, err
			}
			y, atoms, modify = nil, []unit{u}, false
			i = start - 1
			continue
		}
		y, atoms, modify = &v, nil, false
		t, err := p.target(lo, i)
		if err != nil {
			return unit{}, err
		}
		if t.target == nil {
			modify, atoms = true, t.atoms
		} else {
			at := t.target.Span().Join(v.span())
			*y = arrayUnit(&Assign{At{at}, t.target, nil, v.x}, max(v.h, t.h)+1)
			if err := p.tall(*y); err != nil {
				return unit{}, err
			}
		}
		i = t.start - 1
	}
	u, err := p.segment(lo, hi, atoms, y, modify)
	if err == nil {
		err = p.tall(u)
	}
	return u, err
}

// segment builds the expression of the atoms, which are in reverse order,
// applied to y if that is not nil. The tokens are for messages.
func (p *parser) segment(lo, hi int, atoms []unit, y *unit, modify bool) (unit, *diag.Error) {
	slices.Reverse(atoms)
	if y == nil && len(atoms) == 1 && isFunctional(atoms[0].class) && atoms[0].op != nil {
		return atoms[0], nil
	}
	if y == nil && len(atoms) > 1 && atoms[0].class == DyadicOperator && !isPrimOp(atoms[0], ".") && !outerAt(atoms, 0) {
		if u, ok := p.curried(atoms); ok {
			return u, nil
		}
	}
	units, err := p.bind(atoms)
	if err != nil {
		return unit{}, err
	}
	if y == nil {
		if len(units) == 0 {
			return unit{}, p.nothing(lo, hi)
		}
		return p.tree(units)
	}
	if modify {
		if units, *y, err = p.modify(units, *y); err != nil {
			return unit{}, err
		}
	}
	return p.apply(units, *y)
}

// nothing is the error of an empty expression.
func (p *parser) nothing(lo, hi int) *diag.Error {
	if lo > 0 && p.toks[lo-1].kind == tArrow {
		return diag.Errorf(diag.FaultyAssignment, p.span(lo-1, lo), "nothing to assign")
	}
	return diag.Errorf(diag.FaultyBrackets, p.span(max(lo-1, 0), min(hi+1, len(p.toks))), "nothing inside %s", clip(p.span(max(lo-1, 0), min(hi+1, len(p.toks))).Text()))
}

// atom reads the atom whose last token is i and returns where it starts.
func (p *parser) atom(lo, i int) (unit, int, *diag.Error) {
	t := p.toks[i]
	at := At{p.span(i, i+1)}
	if u, start, err := p.member(lo, i); start <= i || err != nil {
		return u, start, err
	}
	switch t.kind {
	case tNumber:
		return p.numbers(lo, i)
	case tString:
		return arrayUnit(&Literal{at, unquote(p.text(i))}, 1), i, nil
	case tZilde:
		return arrayUnit(&Literal{at, array.New(array.Int, 0)}, 1), i, nil
	case tName:
		u, err := p.name(i)
		return u, i, err
	case tSystem:
		u, err := p.system(i)
		return u, i, err
	case tQuad:
		return arrayUnit(&Var{at, Glyphs[t.glyph].Glyph}, 1), i, nil
	case tGlyph:
		return p.glyph(i), i, nil
	case tClose:
		u, err := p.bracketed(i)
		return u, int(t.match), err
	case tArrow:
		return p.output(i), i - 2, nil
	case tBad:
		return unit{}, i, errReported
	}
	return unit{}, i, diag.Errorf(diag.Unreadable, at.Where, "%s does not belong here", p.text(i))
}

// shows reports whether ⎕∘← ends with token i, an arrow: as a function, it stands before
// an operator or at the end.
func (p *parser) shows(lo, i, hi int) bool {
	if i-2 < lo || p.text(i-1) != "∘" || p.toks[i-2].kind != tQuad {
		return false
	}
	if i+1 >= hi {
		return true
	}
	if t := p.toks[i+1]; t.kind == tGlyph {
		return Glyphs[t.glyph].Class == MonadicGlyph || Glyphs[t.glyph].Class == DyadicGlyph
	}
	return false
}

// output makes the function ⎕∘←, whose arrow is token i: {⎕←⍵}.
func (p *parser) output(i int) unit {
	at := At{p.span(i-2, i+1)}
	y := &Var{at, "⍵"}
	show := &Assign{At: at, Target: &NameTarget{at, Glyphs[p.toks[i-2].glyph].Glyph}, Y: y}
	return functionUnit(&Dfn{At: at, Body: []Stmt{&ExprStmt{At: at, X: show, Silent: true}}, names: &Names{}}, 3)
}

// numbers reads the run of numbers that ends with token i.
func (p *parser) numbers(lo, i int) (unit, int, *diag.Error) {
	start := i
	for start > lo && p.toks[start-1].kind == tNumber {
		start--
	}
	run := make([]value, 0, i+1-start)
	for k := start; k <= i; k++ {
		v, ok := parseNumber(p.text(k))
		if !ok {
			return unit{}, i, diag.Errorf(diag.TooLarge, p.span(k, k+1), "number is too large: %s", clip(p.text(k)))
		}
		run = append(run, v)
	}
	u := arrayUnit(&Literal{At{p.span(start, i+1)}, literal(run)}, 1)
	u.run = [2]int32{int32(start), int32(i + 1)}
	return u, start, nil
}

// glyph returns the unit of a primitive.
func (p *parser) glyph(i int) unit {
	g := &Glyphs[p.toks[i].glyph]
	at := At{p.span(i, i+1)}
	if g.Glyph == "∘" && i+1 < len(p.toks) && p.toks[i+1].kind == tArrow { // x∘←y is x⊢←y
		return functionUnit(&Prim{at, "⊢"}, 1)
	}
	switch g.Class {
	case FunctionGlyph:
		return functionUnit(&Prim{at, g.Glyph}, 1)
	case HybridGlyph:
		return unit{hybrid: true, op: &PrimOp{at, g.Glyph}, h: 1}
	case MonadicGlyph:
		return unit{class: MonadicOperator, op: &PrimOp{at, g.Glyph}, h: 1}
	case DyadicGlyph:
		return unit{class: DyadicOperator, op: &PrimOp{at, g.Glyph}, h: 1}
	}
	panic("internal error: apl: no unit for glyph " + g.Glyph)
}

// system returns the unit of a system name.
func (p *parser) system(i int) (unit, *diag.Error) {
	at := At{p.span(i, i+1)}
	s := LookupSystem(quadName(p.text(i)))
	if s == nil {
		return unit{}, p.unknownSystem(i)
	}
	switch s.Class {
	case FunctionClass:
		return functionUnit(&Prim{at, s.Name}, 1), nil
	case DyadicOperator:
		return unit{class: DyadicOperator, op: &PrimOp{at, s.Name}, h: 1}, nil
	}
	return arrayUnit(&Var{at, s.Name}, 1), nil
}

func (p *parser) unknownSystem(i int) *diag.Error {
	var names []string
	for _, s := range SystemNames {
		names = append(names, s.Name)
	}
	name := quadName(p.text(i))
	e := diag.Errorf(diag.SystemName, p.span(i, i+1), "system name %s is not supported", name)
	e.Fix = diag.DidYouMean(name, names)
	return e
}

// quadName returns a system name in its canonical spelling.
func quadName(text string) string {
	upper := strings.ToUpper(text)
	for _, q := range glyphLooks("⎕") {
		if s, ok := strings.CutPrefix(upper, string(q)); ok {
			return "⎕" + s
		}
	}
	return upper
}

func glyphLooks(glyph string) string { return LookupGlyph(glyph).Looks }

// bracketed reads what is in the brackets that token i closes.
func (p *parser) bracketed(i int) (unit, *diag.Error) {
	open := int(p.toks[i].match)
	switch p.char(i) {
	case ')':
		return p.paren(open, i)
	case ']':
		return p.bracket(open, i)
	}
	return p.brace(open, i), nil
}

func (p *parser) paren(open, i int) (unit, *diag.Error) {
	at := At{p.span(open, i+1)}
	if p.members(open, i) {
		return p.namespaceLit(open, i)
	}
	if p.separated(open+1, i) {
		return p.notation(open, i)
	}
	if err := p.plain(open+1, i); err != nil {
		return unit{}, err
	}
	u, err := p.value(open+1, i)
	if err != nil {
		return unit{}, err
	}
	switch u.class {
	case ArrayClass:
		return arrayUnit(&Paren{at, u.x}, u.h+1), nil
	case FunctionClass:
		return functionUnit(&ParenFunc{at, u.f}, u.h+1), nil
	}
	return u, nil
}

// plain refuses statement punctuation between brackets.
func (p *parser) plain(lo, hi int) *diag.Error {
	for i := lo; i < hi; i = p.after(i) {
		if p.toks[i].kind == tBad {
			return errReported
		}
	}
	for i := lo; i < hi; i = p.after(i) {
		switch p.toks[i].kind {
		case tColon:
			return diag.Errorf(diag.FaultyGuard, p.span(i, i+1), "a guard inside brackets")
		case tSemicolon:
			return fix(diag.Errorf(diag.FaultyBrackets, p.span(i, i+1), "; outside brackets"), "statements are divided by ⋄, and ; divides indices: m[1;2]")
		case tBranch:
			return diag.Errorf(diag.OldForms, p.span(i, i+1), "branch (→) is not supported")
		}
	}
	return nil
}

// bracket reads `[i;j]` as a unit of its own.
func (p *parser) bracket(open, i int) (unit, *diag.Error) {
	if p.separated(open+1, i) {
		return p.notation(open, i)
	}
	b := &index{where: p.span(open, i+1)}
	u := unit{index: b}
	hi := i
	for k := i - 1; k >= open; k-- {
		if p.toks[k].kind == tClose {
			k = int(p.toks[k].match)
			continue
		}
		if p.toks[k].kind != tSemicolon && k > open {
			continue
		}
		if k+1 == hi {
			b.items = append(b.items, nil)
		} else {
			if err := p.plain(k+1, hi); err != nil {
				return u, err
			}
			x, err := p.array(k+1, hi)
			if err != nil {
				return u, err
			}
			b.items, u.h = append(b.items, x.x), max(u.h, x.h)
		}
		hi = k
	}
	slices.Reverse(b.items)
	return u, nil
}

// brace makes a dfn or an operator whose body is read later.
func (p *parser) brace(open, i int) unit {
	own := p.toks[open].own
	at := At{p.span(open, i+1)}
	d := pending{lo: open + 1, hi: i, scope: p.scope}
	dyadic, recursive := own&hasAlpha != 0, own&hasSelf != 0
	u := functionUnit(nil, 1)
	if own&(hasLeft|hasRight) == 0 {
		d.dfn = &Dfn{At: at, Dyadic: dyadic, Recursive: recursive}
		u.f = d.dfn
	} else {
		d.dop = &Dop{At: at, Dyadic: dyadic, Recursive: recursive, DyadicOperator: own&hasRight != 0}
		u = unit{class: operatorClass(d.dop), op: d.dop, h: 1}
	}
	p.pending = append(p.pending, d)
	return u
}

func operatorClass(op Operator) Class {
	switch op := op.(type) {
	case *Dop:
		if op.DyadicOperator {
			return DyadicOperator
		}
	case *PrimOp:
		if g := LookupGlyph(op.Glyph); g.Class == DyadicGlyph {
			return DyadicOperator
		}
	}
	return MonadicOperator
}
