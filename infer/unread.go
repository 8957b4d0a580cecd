package infer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/apl"
)

// Results that nobody reads: in
//
//	_←{k←⍵ ⋄ {i←⍵ ⋄ {d[i;⍵]⌊←d[i;k]+d[k;⍵]}¨⍳n}¨⍳n}¨⍳n
//
// the dfns change d, and what they give, a vector of vectors of vectors, goes to a
// name that is not mentioned again. Such dfns are applied for what they change.

// findUnread notes the dfns that ¨ applies in the statements of a body whose
// results nobody reads. The value of the last statement of a dfn is its result.
func (g *infer) findUnread(body []apl.Stmt, program bool) {
	if len(body) == 0 || g.searched[body[0]] {
		return
	}
	g.searched[body[0]] = true
	from, to := body[0].Span(), body[len(body)-1].Span()
	text := from.Src.Text[from.Start:to.End]
	if strings.Contains(text, "⍎") {
		return // which may mention any name
	}
	read := mentioned(text)
	for i, s := range body {
		x, ok := s.(*apl.ExprStmt)
		if !ok || i == len(body)-1 && !program {
			continue
		}
		a, ok := x.X.(*apl.Assign)
		if !ok || a.F != nil {
			continue
		}
		if t, ok := a.Target.(*apl.NameTarget); ok && t.Ident != "⎕" && t.Ident != "⍞" && !isSystem(t.Ident) && !read[t.Ident] {
			g.dropResults(a.Y)
		}
	}
}

// findUnreadIn is findUnread for the body of a function that was read from text.
func (g *infer) findUnreadIn(c *closure) {
	if d, ok := c.node.(*apl.Dfn); !ok || !d.Made() {
		g.findUnread(c.body, false)
	}
}

// mentioned returns, for every name in a text, whether anything but assignments
// to it mentions it.
func mentioned(text string) map[string]bool {
	read := map[string]bool{}
	letter := func(r rune) bool {
		return r == '_' || r == '∆' || r == '⍙' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	for text != "" {
		n := strings.IndexFunc(text, func(r rune) bool { return !letter(r) })
		if n < 0 {
			n = len(text)
		}
		name, rest := text[:n], text[n:]
		if n > 0 && !strings.HasPrefix(strings.TrimLeft(rest, " "), "←") {
			read[name] = true
		}
		_, size := utf8.DecodeRuneInString(rest)
		text = rest[size:]
	}
	return read
}

// dropResults notes the dfns that ¨ applies in an expression whose value nobody
// reads, and in theirs.
func (g *infer) dropResults(x apl.Expr) {
	var f apl.Func
	switch x := x.(type) {
	case *apl.Paren:
		g.dropResults(x.X)
		return
	case *apl.Monadic:
		f = x.F
	case *apl.Dyadic:
		f = x.F
	}
	d := derivedByEach(f)
	if d == nil {
		return
	}
	dfn, ok := d.Left.Func.(*apl.Dfn)
	if !ok || len(dfn.Body) == 0 {
		return
	}
	g.unread[dfn] = true
	if last, ok := dfn.Body[len(dfn.Body)-1].(*apl.ExprStmt); ok {
		g.dropResults(last.X)
	}
}

// givesUnread reports whether nobody reads what a function gives.
func (g *infer) givesUnread(f function) bool {
	c, ok := f.(*closure)
	return ok && g.unread[c.node]
}
