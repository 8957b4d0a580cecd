package apl

import "github.com/tailor-lang/tailor/internal/diag"

// maxNesting is the number of brackets that may be open at once.
const maxNesting = 1000

// pairer matches brackets.
type pairer struct {
	*scanner
	open   []int // the open brackets' tokens, innermost last
	braces []int // the open braces among them
	lost   int   // brackets that were reported as not closed on their line
	failed bool  // it is not known where bodies end
}

// pair gives every bracket the index of the other one and every { what its own
// body mentions. Every bracket without a partner is reported, and its token
// becomes bad. It returns false if braces do not match, or brackets nest too deep.
func (s *scanner) pair() bool {
	p := &pairer{scanner: s}
	for i := range s.toks {
		if len(s.errs) >= maxErrors {
			return false
		}
		switch t := &s.toks[i]; t.kind {
		case tOpen:
			if len(p.open) == maxNesting {
				e := diag.Errorf(diag.TooDeep, s.span(int(t.start), int(t.end)), "brackets are nested deeper than %d", maxNesting)
				s.errs = append(s.errs, e)
				return false
			}
			p.open = append(p.open, i)
			if p.char(i) == '{' {
				p.braces = append(p.braces, i)
			}
		case tClose:
			p.close(i)
		case tSeparator:
			p.lineEnd(i)
		case tName:
			p.mention(t)
		}
	}
	if n := len(p.braces); n > 0 {
		p.unclosed(p.braces[n-1], "")
	}
	return !p.failed
}

func (p *pairer) char(i int) byte { return p.text[p.toks[i].start] }

func (p *pairer) bracket(i int, fix, format string, args ...any) *diag.Error {
	p.failed = p.failed || p.char(i) == '{' || p.char(i) == '}'
	p.toks[i].kind = tBad
	return p.fail(diag.UnbalancedBrackets, int(p.toks[i].start), int(p.toks[i].end), fix, format, args...)
}

var closers = map[byte]string{'(': ")", '[': "]", '{': "}"}

func (p *pairer) unclosed(i int, where string) {
	c := p.char(i)
	p.bracket(i, "", "%c is not closed%s: no %s", c, where, closers[c])
}

// close matches a closing bracket with the innermost open one.
func (p *pairer) close(i int) {
	c := p.char(i)
	if c == '}' && len(p.braces) > 0 {
		p.drop(" before }")
	}
	n := len(p.open)
	if n == 0 || c != '}' && p.char(p.open[n-1]) == '{' {
		p.stray(i)
		return
	}
	o := p.open[n-1]
	if n > 1 && closers[p.char(o)] != string(c) && closers[p.char(p.open[n-2])] == string(c) {
		p.unclosed(o, " before "+string(c))
		o, n = p.open[n-2], n-1
	}
	p.open = p.open[:n-1]
	p.toks[o].match, p.toks[i].match = int32(i), int32(o)
	if p.toks[o].kind == tBad {
		p.toks[i].kind = tBad
		return
	}
	if p.char(o) == '{' {
		p.braces = p.braces[:len(p.braces)-1]
		return
	}
	if closers[p.char(o)] != string(c) {
		p.failed = p.failed || c == '{' || p.char(o) == '{'
		p.toks[o].kind = tBad
		e := p.bracket(i, "", "%c closes %c", c, p.char(o))
		e.Also = p.span(int(p.toks[o].start), int(p.toks[o].end))
	}
}

// stray reports a closing bracket without an opening one, unless the opening
// one was lost at a line end.
func (p *pairer) stray(i int) {
	if p.lost > 0 && p.char(i) != '}' {
		p.lost--
		p.toks[i].kind = tBad
		return
	}
	c := p.char(i)
	opener := map[byte]string{')': "(", ']': "[", '}': "{"}[c]
	p.bracket(i, "", "%c closes nothing: no %s before it", c, opener)
}

// lineEnd reports parentheses and brackets that are open at a line end, but for those
// of an array that is written over several lines.
func (p *pairer) lineEnd(i int) {
	n := len(p.open)
	if p.toks[i].glyph == 0 && (n == 0 || !p.closedLater(p.open[n-1], i+1)) {
		p.drop(" on its line")
	}
}

// closedLater reports whether open bracket o is closed behind token i, at the
// level of the brackets that are open there.
func (p *pairer) closedLater(o, i int) bool {
	if p.char(o) == '{' {
		return false
	}
	for depth := 1; i < len(p.toks); i++ {
		switch p.toks[i].kind {
		case tOpen:
			depth++
		case tClose:
			if depth--; depth == 0 {
				return closers[p.char(o)] == p.text[p.toks[i].start:p.toks[i].end]
			}
		}
	}
	return false
}

// drop forgets the open parentheses and brackets inside the innermost brace
// and reports the outermost of them.
func (p *pairer) drop(where string) {
	first := -1
	for n := len(p.open); n > 0 && p.char(p.open[n-1]) != '{'; n-- {
		first = p.open[n-1]
		p.open = p.open[:n-1]
		p.toks[first].kind = tBad
		p.lost++
	}
	if first >= 0 {
		p.unclosed(first, where)
	}
}

// mention notes a special name at the innermost brace.
func (p *pairer) mention(t *token) {
	if t.glyph == 0 || len(p.braces) == 0 {
		return
	}
	own := &p.toks[p.braces[len(p.braces)-1]].own
	double := t.end-t.start > 3
	switch g := Glyphs[t.glyph].Glyph; {
	case g == "∇":
		*own |= hasSelf
	case g == "⍺" && double:
		*own |= hasLeft
	case g == "⍵" && double:
		*own |= hasRight
	case g == "⍺":
		*own |= hasAlpha
	}
}
