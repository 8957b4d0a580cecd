package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/check"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/session"
)

// hover returns what is known of the token at a byte as Markdown, and where it is; nil for
// nothing.
func hover(d *document, a *analysis, offset int) *protocol.Hover {
	t := d.index.tokenAt(offset)
	if t == nil {
		return nil
	}
	text := ""
	switch word := t.Text(d.src); t.Kind {
	case apl.NameToken:
		if y := d.index.of[t.Start]; y != nil {
			text = describe(d, a, y)
		} else if g := apl.LookupGlyph(word[:runeLength(word)]); g != nil {
			text = aboutGlyph(g)
		}
	case apl.SystemToken:
		if s := apl.LookupSystem(word); s != nil {
			text = fmt.Sprintf("`%s` %s", s.Name, s.Doc)
		} else if g := apl.LookupGlyph(word); g != nil {
			text = aboutGlyph(g)
		}
	case apl.CommentToken, apl.NoteToken, apl.StringToken, apl.NumberToken, apl.LineEndToken:
	default:
		if g := apl.LookupGlyph(word); g != nil {
			text = aboutGlyph(g)
		}
	}
	if text == "" {
		return nil
	}
	at := d.span(t.Start, t.End)
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: text}, Range: &at}
}

func runeLength(text string) int {
	for i := range text {
		if i > 0 {
			return i
		}
	}
	return len(text)
}

// aboutGlyph says what a glyph is called and how it is typed.
func aboutGlyph(g *apl.Glyph) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` %s", g.Glyph, g.Name)
	if g.Class == apl.MonadicGlyph || g.Class == apl.DyadicGlyph {
		fmt.Fprint(&b, ", an operator")
	}
	monadic, dyadic := "`"+g.Glyph+"⍵`", "`⍺"+g.Glyph+"⍵`"
	if g.Class != apl.FunctionGlyph {
		monadic, dyadic = "use", "second use"
	}
	if g.Monadic != "" {
		fmt.Fprintf(&b, "\n\n- %s: %s", monadic, g.Monadic)
	}
	if g.Dyadic != "" {
		fmt.Fprintf(&b, "\n- %s: %s", dyadic, g.Dyadic)
	}
	if g.Key != "" && g.Key != g.Glyph {
		fmt.Fprintf(&b, "\n\ntyped with %c and then %s, or by name", session.DefaultPrefix, g.Key)
	}
	return b.String()
}

// describe says what a name is: its type, the comment in front of its definition.
func describe(d *document, a *analysis, y *symbol) string {
	if y.scope.parent != nil {
		line := d.position(y.defs[0].start).Line + 1
		kind := "local variable"
		if y.function {
			kind = "local function"
		}
		return fmt.Sprintf("`%s` %s, first assigned in line %d", y.name, kind, line)
	}
	text := ""
	if a != nil {
		text = a.typeOf(y.name)
	}
	if text == "" {
		text = y.name
	}
	out := "```apl\n" + text + "\n```"
	if doc := comment(d, y.defs[0].start); doc != "" {
		out += "\n\n" + doc
	}
	return out
}

// comment returns the comments in front of the line of a byte, or those at the head of a
// definition by ∇.
func comment(d *document, offset int) string {
	var doc []string
	for line := int(d.position(offset).Line) - 1; line >= 0; line-- {
		text, ok := strings.CutPrefix(strings.TrimSpace(d.line(line)), "⍝")
		if !ok || strings.HasPrefix(text, ":") {
			break
		}
		doc = append([]string{strings.TrimSpace(text)}, doc...)
	}
	if strings.HasPrefix(strings.TrimSpace(d.line(int(d.position(offset).Line))), "∇") {
		for line := int(d.position(offset).Line) + 1; line < len(d.lines); line++ {
			text, ok := strings.CutPrefix(strings.TrimSpace(d.line(line)), "⍝")
			if !ok {
				break
			}
			doc = append(doc, strings.TrimSpace(text))
		}
	}
	return strings.Join(doc, "\n")
}

// line returns a line without its end.
func (d *document) line(n int) string {
	end := len(d.src.Text)
	if n+1 < len(d.lines) {
		end = d.lines[n+1] - 1
	}
	return strings.TrimSuffix(d.src.Text[d.lines[n]:end], "\r")
}

// inlayHint is one of the protocol's 3.17.
type inlayHint struct {
	Position    protocol.Position `json:"position"`
	Label       string            `json:"label"`
	Kind        int               `json:"kind"` // 1: a type
	PaddingLeft bool              `json:"paddingLeft,omitempty"`
}

// hints returns the types of variables, behind their names, and of functions, behind their
// braces, that have no annotation.
func hints(d *document, a *analysis, at protocol.Range) []inlayHint {
	all := []inlayHint{}
	if a == nil || a.doc != d {
		return all
	}
	from, to := d.offset(at.Start), d.offset(at.End)
	noted := map[string]bool{}
	for _, r := range a.reports {
		noted[r.Name] = true
	}
	for _, y := range d.index.symbols {
		if y.scope.parent != nil || noted[y.name] {
			continue
		}
		last := y.defs[len(y.defs)-1]
		text := a.types[y.name]
		for _, s := range a.schemes {
			if s.Name == y.name {
				text = s.Principal
			}
		}
		if text != "" && from <= last.end && last.end <= to && last.scope == y.scope {
			all = append(all, inlayHint{Position: d.position(last.end), Label: ": " + text, Kind: 1})
		}
	}
	return all
}

// lenses returns the verdicts on annotations, and what becomes of lines.
func lenses(a *analysis) []protocol.CodeLens {
	all := []protocol.CodeLens{}
	for _, r := range a.reports {
		span := r.Note.Span()
		if span.Src != a.doc.src {
			continue
		}
		_, verdict, _ := strings.Cut(check.Describe(r), "   ")
		all = append(all, a.lens(int(a.doc.position(span.Start).Line), verdict, reportText(r)))
	}
	for _, s := range a.plan() {
		if s.Line < 1 || s.Line > len(a.doc.lines) || len(s.Items) == 0 {
			continue
		}
		title := strings.TrimSpace(s.Items[0])
		if more := len(s.Items) - 1; more > 0 {
			title += fmt.Sprintf(" (+%d)", more)
		}
		all = append(all, a.lens(s.Line-1, title, strings.Join(s.Items, "\n")))
	}
	return all
}

func (a *analysis) lens(line int, title, text string) protocol.CodeLens {
	start := a.doc.lines[line]
	return protocol.CodeLens{
		Range:   a.doc.span(start, start+len(a.doc.line(line))),
		Command: &protocol.Command{Title: title, Command: showCommand, Arguments: []any{text}},
	}
}

// reportText says all of a report.
func reportText(r *infer.Report) string {
	text := check.Describe(r)
	for _, c := range r.Claims {
		if c.Reason != "" {
			text += "\n" + c.Part + ": " + c.Reason
		}
	}
	return text
}
