package coverage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// Reference writes docs/reference.md: the glyphs with what they mean, how they are typed,
// an example and what is not compiled. What an example shows is written by
// docs.TestExamples.
func Reference(all []Section, shown func(program string) string) string {
	rows := map[string][]Row{} // by glyph
	for _, s := range all[:4] {
		for _, r := range s.Rows {
			if g := glyphOf(r.Key); g != "" {
				rows[g] = append(rows[g], r)
			}
		}
	}
	var b strings.Builder
	b.WriteString(opening)
	for _, part := range []struct {
		title   string
		classes []apl.GlyphClass
	}{
		{"Functions", []apl.GlyphClass{apl.FunctionGlyph}},
		{"Functions and operators", []apl.GlyphClass{apl.HybridGlyph}},
		{"Operators", []apl.GlyphClass{apl.MonadicGlyph, apl.DyadicGlyph}},
	} {
		fmt.Fprintf(&b, "\n## %s\n", part.title)
		for _, g := range apl.Glyphs {
			if slices.Contains(part.classes, g.Class) {
				entry(&b, g, rows[g.Glyph], shown)
			}
		}
	}
	syntaxTable(&b)
	systemTable(&b)
	return b.String()
}

const opening = `# The language by glyph

This page is made from the tables of the compiler: ` + "`go test ./internal/coverage -update`" + `. The
examples are run by a test. A key is typed behind the prefix key, which is ` + "`` ` ``" + `. Where nothing
else is said, a form is compiled for all arguments whose types are known; [coverage.md](coverage.md)
counts the forms. In the forms x and y are arrays, f and g functions, a and n arrays.
`

// glyphOf returns the glyph that a form is listed under, or "".
func glyphOf(key string) string {
	switch key {
	case "n[/":
		return "/"
	case "∘.f":
		return "∘."
	case "f.g":
		return "."
	}
	runes := []rune(key)
	switch {
	case len(runes) < 2:
		return ""
	case strings.ContainsRune("12fan", runes[0]):
		return string(runes[1])
	}
	return ""
}

// entry writes what is said of a glyph.
func entry(b *strings.Builder, g apl.Glyph, rows []Row, shown func(string) string) {
	fmt.Fprintf(b, "\n### %s\n\n", heading(g))
	if g.Key != "" && g.Key != g.Glyph {
		fmt.Fprintf(b, "Key `` ` `` %s.\n\n", code(g.Key))
	}
	for _, r := range rows {
		m := meanings[r.Key]
		if m.text == "" {
			m.text = unshown[r.Key]
		}
		fmt.Fprintf(b, "%s, %s: %s\n\n", code(r.Form), r.Name, m.text)
		if m.example != "" {
			fmt.Fprintf(b, "```apl\n%s\n```\n```text\n%s```\n\n", m.example, shown(m.example))
		}
		switch {
		case r.Status == Refused && r.Interpreted > 0:
			b.WriteString("It is interpreted, never compiled.\n\n")
		case r.Status == Refused:
			b.WriteString("It is refused by name.\n\n")
		}
		for _, l := range r.Refusal {
			what := l.What
			if what == "" {
				what = l.Message
			}
			fmt.Fprintf(b, "- Not compiled: %s, as in %s.\n", what, code(l.Source))
		}
		if len(r.Refusal) > 0 {
			b.WriteString("\n")
		}
	}
}

// heading is a glyph with its name.
func heading(g apl.Glyph) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "|", "\\|", "<", "&lt;", ">", "&gt;", "~", "\\~").Replace(g.Glyph) + " " + g.Name
}

// code writes a text between backquotes.
func code(text string) string { return "`" + text + "`" }

// syntaxTable writes the glyphs that are neither functions nor operators.
func syntaxTable(b *strings.Builder) {
	b.WriteString("\n## Syntax\n\n| glyph | name | key | is |\n|---|---|---|---|\n")
	for _, g := range apl.Glyphs {
		if g.Class == apl.SyntaxGlyph {
			key := ""
			if g.Key != "" && g.Key != g.Glyph {
				key = "`` ` `` `" + cell(g.Key) + "`"
				if g.Key == "`" {
					key = "`` ` `` `` ` ``"
				}
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", cell(g.Glyph), g.Name, key, g.Dyadic)
		}
	}
	b.WriteString("\n| form | name |\n|---|---|\n")
	for _, r := range syntax {
		fmt.Fprintf(b, "| `%s` | %s |\n", cell(r.Form), r.Name)
	}
	b.WriteString("\nAxes in brackets:\n\n| form | name |\n|---|---|\n")
	for _, r := range axes {
		fmt.Fprintf(b, "| `%s` | %s |\n", cell(r.Form), r.Name)
	}
}

// systemTable writes the system names.
func systemTable(b *strings.Builder) {
	b.WriteString("\n## System names\n\n| name | is |\n|---|---|\n")
	for _, n := range apl.SystemNames {
		fmt.Fprintf(b, "| `%s` | %s |\n", n.Name, n.Doc)
	}
}
