package apl

import (
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
)

// name returns the unit of a use of a name.
func (p *parser) name(i int) (unit, *diag.Error) {
	ident := p.text(i)
	at := At{p.span(i, i+1)}
	if p.toks[i].glyph != 0 {
		return p.special(at, ident)
	}
	b, ok := p.lookup(ident)
	if !ok {
		return unit{}, p.unknownName(i)
	}
	if b.class == NoClass {
		return unit{}, errReported
	}
	if b.hybrid != "" {
		return unit{hybrid: true, op: &PrimOp{at, b.hybrid}, h: 1}, nil
	}
	return namedUnit(at, ident, b.class), nil
}

func namedUnit(at At, ident string, class Class) unit {
	switch class {
	case ArrayClass:
		return arrayUnit(&Var{at, ident}, 1)
	case FunctionClass:
		return functionUnit(&FuncName{at, ident}, 1)
	}
	return unit{class: class, op: &OpName{at, ident}, h: 1}
}

// special returns the unit of ⍺ ⍵ ⍺⍺ ⍵⍵ ∇ ∇∇.
func (p *parser) special(at At, ident string) (unit, *diag.Error) {
	class := NoClass
	switch ident {
	case "#", "##":
		p.refuse(diag.Errorf(diag.Namespaces, at.Where, "namespaces are not compiled: %s", ident))
		class = ArrayClass
	case "⍺", "⍵":
		if p.scope.dfn {
			class = ArrayClass
		}
	case "∇":
		if p.scope.dfn {
			class = FunctionClass
		}
	case "⍺⍺":
		class = p.scope.left
	case "⍵⍵":
		class = p.scope.right
	case "∇∇":
		class = p.scope.self
		if class == NoClass && p.scope.dfn {
			return unit{}, diag.Errorf(diag.Unreadable, at.Where, "∇∇ outside an operator: the dfn mentions neither ⍺⍺ nor ⍵⍵")
		}
	}
	if class == NoClass {
		return unit{}, diag.Errorf(diag.OutsideDfn, at.Where, "%s outside a dfn", ident)
	}
	return namedUnit(at, ident, class), nil
}

// unknownName is the error of a name that nothing before its use assigns. It
// is reported once a scope.
func (p *parser) unknownName(i int) *diag.Error {
	if len(p.errs) >= maxErrors {
		return errReported
	}
	ident := p.text(i)
	p.unknown = true
	p.scope.names[ident] = binding{}
	e := diag.Errorf(diag.UnknownName, p.span(i, i+1), "unknown name: %s", ident)
	for k := i + 1; k+1 < len(p.toks); k++ {
		if p.is(k, tOpen, '{') {
			k = int(p.toks[k].match)
		} else if p.toks[k].kind == tName && p.toks[k+1].kind == tArrow && p.text(k) == ident {
			e.Notes = append(e.Notes, diag.Note{Span: p.span(k, k+1), Message: ident + " is assigned later"})
			return e
		}
	}
	var known []string
	for sc := p.scope; sc != nil; sc = sc.parent {
		for name, b := range sc.names {
			if b.class == NoClass {
				continue
			}
			known = append(known, name)
		}
	}
	near := diag.DidYouMean(ident, known)
	switch word := foreignWords[strings.ToLower(ident)]; {
	case i > 0 && p.text(i-1) == "#" && p.startsStatement(i-1):
		e.Fix = "a comment begins with ⍝"
	case greek(ident) != "":
		e.Fix = greek(ident)
	case i+1 < len(p.toks) && p.text(i+1) == "=" && p.startsStatement(i):
		e.Fix = "= compares; a value is assigned with ←: " + ident + "←…"
	case near != "":
		e.Fix = near
	case word != "":
		e.Fix = word
	}
	return e
}

// foreignWords says how APL writes what unknown names of other languages mean.
var foreignWords = map[string]string{
	"if": "a choice is a guard in a dfn: {condition: value ⋄ other}", "then": "a choice is a guard in a dfn: {condition: value ⋄ other}",
	"else": "a choice is a guard in a dfn: {condition: value ⋄ other}", "for": "repetition is ¨, ⍤, ⍣ or ∇ in a dfn",
	"while": "repetition is ⍣ or ∇ in a dfn", "return": "the value of a dfn is its first expression that is not assigned",
	"print": "a value that is not assigned is displayed; ⎕← displays inside an expression", "sqrt": "the square root is x*0.5",
	"sum": "the sum is +/", "prod": "the product is ×/", "max": "the greatest is ⌈/, the greater of two ⌈", "min": "the least is ⌊/, the lesser of two ⌊",
	"len": "the length is ≢", "length": "the length is ≢", "range": "the first n numbers are ⍳n", "abs": "the magnitude is |x",
	"mod": "the remainder is y|x", "sin": "the sine is 1○x", "cos": "the cosine is 2○x", "pi": "π is ○1", "exp": "the exponential is *x",
	"log": "the logarithm is ⍟x", "floor": "floor is ⌊", "ceil": "ceiling is ⌈", "round": "rounding is ⌊0.5+x", "not": "not is ~",
	"and": "and is ∧", "or": "or is ∨", "true": "true is 1", "false": "false is 0", "sort": "sorting is x[⍋x]", "reverse": "reversing is ⌽",
	"def": "a function is a dfn: f←{…}", "function": "a function is a dfn: f←{…}", "let": "a value is assigned with ←",
}

// greekGlyphs are the glyphs that letters of Greek look like.
var greekGlyphs = map[rune]string{'ρ': "⍴", 'ι': "⍳", 'ω': "⍵", 'α': "⍺", 'ε': "∊", 'ο': "○"}

// greek says which glyph a name begins with that was typed as a letter, or "".
func greek(name string) string {
	letter, size := utf8.DecodeRuneInString(name)
	glyph := greekGlyphs[letter]
	if glyph == "" {
		return ""
	}
	return string(letter) + " is a letter of Greek; APL's is " + glyph + ": " + glyph + name[size:]
}

// startsStatement reports whether token i is the first of a statement.
func (p *parser) startsStatement(i int) bool {
	if i == 0 {
		return true
	}
	switch p.text(i - 1) {
	case "⋄", "\n", "{", ":":
		return true
	}
	return strings.Contains(p.text(i-1), "\n")
}
