package kernel

import (
	"html"
	"strings"

	"github.com/tailor-lang/tailor/internal/pictures"
	"github.com/tailor-lang/tailor/internal/session"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// Bounds of tables: a larger matrix is text.
const (
	mostTableRows    = 60
	mostTableColumns = 40
)

// valueData returns a value as text, and as HTML with its type below it: matrices of
// numbers, and of anything that is nested, as tables.
func valueData(v session.Shown) map[string]string {
	var b strings.Builder
	if isTable(v.Value) {
		writeTable(&b, v.Value)
	} else {
		b.WriteString(`<pre style="line-height:1.2">` + html.EscapeString(strings.TrimSuffix(v.Text, "\n")) + "</pre>")
	}
	b.WriteString(`<small style="opacity:0.7"><code>` + html.EscapeString(v.Note) + "</code></small>")
	text := v.Text
	if !strings.HasSuffix(text, "\n") && text != "" {
		text += "\n"
	}
	return map[string]string{"text/plain": text + v.Note, "text/html": b.String()}
}

// isTable reports whether a value is shown as a table.
func isTable(v *value.Array) bool {
	if v == nil || v.Rank() != 2 || v.Kind == value.Char {
		return false
	}
	rows, columns := v.Shape[0], v.Shape[1]
	return rows > 0 && columns > 0 && rows <= mostTableRows && columns <= mostTableColumns
}

func writeTable(b *strings.Builder, v *value.Array) {
	b.WriteString("<table>")
	for row := range v.Shape[0] {
		b.WriteString("<tr>")
		for column := range v.Shape[1] {
			b.WriteString("<td>" + cell(v.Item(row*v.Shape[1]+column)) + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
}

// cell returns an item of a table.
func cell(v *value.Array) string {
	if isTable(v) {
		var b strings.Builder
		writeTable(&b, v)
		return b.String()
	}
	text := prim.Display(&prim.Context{Precision: 10, Width: 1000}, v)
	text = html.EscapeString(strings.TrimSuffix(text, "\n"))
	if strings.Contains(text, "\n") {
		return "<pre>" + text + "</pre>"
	}
	return text
}

// pictureData returns a picture as SVG, and in characters.
func pictureData(p *pictures.Picture) map[string]string {
	data := map[string]string{"text/plain": p.Describe()}
	if svg, err := p.Encode("svg"); err == nil {
		data["image/svg+xml"] = string(svg)
	}
	if text, err := p.Text(80); err == nil {
		data["text/plain"] = text
	}
	return data
}
