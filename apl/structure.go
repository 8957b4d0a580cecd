package apl

import "github.com/tailor-lang/tailor/internal/diag"

// Block is a control structure outside of functions: it runs as the body of a function
// without arguments and local names.
type Block struct {
	At
	Fn *Tradfn
}

func (*Block) stmt() {}

// opens reports whether a control word that opens a structure stands at token i.
func (p *parser) opens(i int) bool {
	w := p.controlWord(i)
	return w != NoWord && words[w].opens != NoWord
}

// controlWord returns the control word at token i, or NoWord.
func (p *parser) controlWord(i int) Word {
	if i+1 < len(p.toks) && p.toks[i].kind == tColon && p.toks[i+1].kind == tName {
		return wordOf(p.text(i + 1))
	}
	return NoWord
}

// structure reads the control structure that starts at token lo. It returns the token
// behind it.
func (p *parser) structure(lo, hi int) (Stmt, int) {
	refusal := diag.Errorf(diag.OldForms, p.span(lo, lo+2), "control structures are not compiled: :%s", p.text(lo+1))
	p.refuse(fix(refusal, "in a dfn guards choose, ∇ and ⍣ repeat, and ¨ goes through items"))
	if p.loose == nil {
		return nil, hi
	}
	end := p.structureEnd(lo, hi)
	at := At{p.span(lo, end)}
	t := &Tradfn{At: at, Header: &Header{At: at, Name: &Name{At: at}}, labels: map[string]int{}}
	first := p.lineOf(lo)
	t.count = p.lineOf(end-1) - first + 1
	back := p.enter(p.tradScope(t, lo, end), p.base+1)
	p.tradBody(t, lo, end, first-1)
	back()
	return &Block{at, t}, end
}

// structureEnd returns the token behind the structure that starts at token lo, or hi if
// it is not closed.
func (p *parser) structureEnd(lo, hi int) int {
	depth := 0
	for i := lo; i < hi; {
		end := i
		for end < hi && p.toks[end].kind != tSeparator {
			end = p.after(end)
		}
		switch w := p.controlWord(i); {
		case w == NoWord:
		case words[w].opens != NoWord:
			depth++
		case w.Closes() || w == End || w == Until:
			depth--
		}
		if depth == 0 && !p.conditionFollows(end+1) {
			return end
		}
		i = end + 1
	}
	return hi
}

// conditionFollows reports whether :AndIf or :OrIf stands at token i.
func (p *parser) conditionFollows(i int) bool {
	w := p.controlWord(i)
	return w == AndIf || w == OrIf
}
