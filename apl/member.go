package apl

import "github.com/tailor-lang/tailor/internal/diag"

// member reads X.name and X.(…), which end with token i and where X is an array, and
// returns where that starts; behind i if it is nothing of the kind.
func (p *parser) member(lo, i int) (unit, int, *diag.Error) {
	none := i + 1
	first := i
	switch t := p.toks[i]; {
	case p.is(i, tClose, ')') || p.is(i, tClose, '}'):
		first = int(t.match)
	case t.kind == tSystem || p.text(i) == "##":
	case t.kind == tGlyph && Glyphs[t.glyph].Class == FunctionGlyph:
	case t.kind != tName || t.glyph != 0:
		return unit{}, none, nil
	}
	if !p.dotted(lo, first) || !p.arrayBefore(lo, first-2) {
		return unit{}, none, nil
	}
	start := p.primary(lo, first-2)
	x, err := p.value(start, first-1)
	if err != nil || x.class != ArrayClass {
		return unit{}, none, err
	}
	at := At{x.span().Join(p.span(first, i+1))}
	name := p.span(first, i+1).Text()
	if p.loose == nil && (p.running || p.spaces || p.definesNames()) {
		p.refuse(diag.Errorf(diag.Namespaces, at.Where, "namespaces are not compiled: %s", clip(at.Where.Text())))
	}
	class := p.memberClass(x.x, name)
	if first < i {
		class = p.innerClass(first, i)
	}
	switch class {
	case FunctionClass:
		return functionUnit(&MemberFunc{at, x.x, name}, x.h+1), start, nil
	case MonadicOperator, DyadicOperator:
		return unit{class: class, op: &MemberOp{at, x.x, name}, h: x.h + 1}, start, nil
	}
	return arrayUnit(&Member{at, x.x, name}, x.h+1), start, nil
}

// innerClass returns the class of what stands in parentheses or braces behind a dot,
// as far as its form tells: a dfn, what ends in a glyph of a function or of a monadic
// operator, or an array.
func (p *parser) innerClass(first, i int) Class {
	if p.is(i, tClose, '}') {
		class := FunctionClass
		for k := first + 1; k < i; k++ {
			switch {
			case p.is(k, tOpen, '{'):
				k = int(p.toks[k].match)
			case p.text(k) == "⍵⍵":
				return DyadicOperator
			case p.text(k) == "⍺⍺":
				class = MonadicOperator
			}
		}
		return class
	}
	if t := p.toks[i-1]; t.kind == tGlyph {
		switch Glyphs[t.glyph].Class {
		case FunctionGlyph, MonadicGlyph, HybridGlyph:
			return FunctionClass
		}
	}
	return ArrayClass
}

// dotted reports whether a dot, and more before it, stand before token i.
func (p *parser) dotted(lo, i int) bool { return i-2 >= lo && p.text(i-1) == "." }

// primary returns where the name, the member, the parentheses or the indexed array
// starts that ends with token i.
func (p *parser) primary(lo, i int) int {
	for {
		switch {
		case p.is(i, tClose, ']'):
			i = int(p.toks[i].match) - 1
			continue
		case p.is(i, tClose, ')'):
			i = int(p.toks[i].match)
		}
		if !p.dotted(lo, i) || !p.arrayBefore(lo, i-2) {
			return i
		}
		i -= 2
	}
}

// arrayBefore reports whether what ends with token i is an array, as far as its form
// and its names tell: a name, a member, or something in parentheses that does not
// end in a function.
func (p *parser) arrayBefore(lo, i int) bool {
	switch t := p.toks[i]; {
	case p.text(i) == "##":
		return true
	case t.kind == tName && p.dotted(lo, i) && p.arrayBefore(lo, i-2):
		return true
	case t.kind == tName:
		return p.classOf(i) == ArrayClass
	case t.kind == tSystem:
		switch quadName(p.text(i)) {
		case "⎕THIS", "⎕DMX", "⎕SE":
			return true
		}
		return false
	case p.is(i, tClose, ')'):
		last, open := i-1, int(t.match)
		if p.members(open, i) {
			return true
		}
		if p.dotted(lo, open) && p.arrayBefore(lo, open-2) {
			return p.innerClass(open, i) == ArrayClass
		}
		switch k := p.toks[last]; {
		case k.kind == tString || k.kind == tNumber || k.kind == tZilde:
			return true
		default:
			return p.arrayBefore(int(t.match)+1, last)
		}
	case p.is(i, tClose, ']'):
		open := int(t.match)
		return open-1 >= lo && p.arrayBefore(lo, open-1)
	}
	return false
}
