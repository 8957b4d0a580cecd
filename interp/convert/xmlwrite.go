package convert

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// xmlWriter writes a table as XML.
type xmlWriter struct {
	*xmlForm
	out  strings.Builder
	open []xmlOpen
}

// xmlOpen is an element that has not ended: its name, and whether its white space
// is preserved.
type xmlOpen struct {
	name     string
	preserve bool
}

// write returns the text of a table.
func (f *xmlForm) write(y *value.Array) (*value.Array, error) {
	rows, columns := y.Shape[0], y.Shape[1]
	if columns < 3 || columns > 5 {
		return nil, prim.Errorf(diag.WrongDomain, "XML: a table has 3 to 5 columns, not %d", columns)
	}
	w := &xmlWriter{xmlForm: f}
	for i := 0; i < rows; i++ {
		level, err := prim.Whole(y.Item(i * columns))
		if err != nil || level < 0 || level > len(w.open) && !(i == 0 && level == 0) {
			return nil, prim.Errorf(diag.WrongDomain, "XML: the level of row %d", i+1)
		}
		next := -1
		if i+1 < rows {
			if next, err = prim.Whole(y.Item((i + 1) * columns)); err != nil {
				return nil, prim.Errorf(diag.WrongDomain, "XML: the level of row %d", i+2)
			}
		}
		for len(w.open) > level {
			w.close()
		}
		pairs := value.Zilde()
		if columns > 3 {
			pairs = y.Item(i*columns + 3)
		}
		if err := w.row(y.Item(i*columns+1), y.Item(i*columns+2), pairs, next > level); err != nil {
			return nil, err
		}
	}
	for len(w.open) > 0 {
		w.close()
	}
	return value.Text(w.out.String()), nil
}

// preserved reports whether the white space of the content is preserved.
func (w *xmlWriter) preserved() bool {
	if n := len(w.open); n > 0 {
		return w.open[n-1].preserve
	}
	return w.space == "Preserve"
}

// line begins a line, unless white space is preserved.
func (w *xmlWriter) line() {
	if w.preserved() || w.out.Len() == 0 {
		return
	}
	w.out.WriteString("\n" + strings.Repeat("  ", len(w.open)))
}

// close ends an element.
func (w *xmlWriter) close() {
	last := w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	if !last.preserve {
		w.line()
	}
	w.out.WriteString("</" + last.name + ">")
}

// row writes a row. children tells that rows below it follow.
func (w *xmlWriter) row(tag, data, pairs *value.Array, children bool) error {
	name, err := prim.TextOf(tag, "XML: a name")
	if err != nil {
		return err
	}
	content, err := w.field(data)
	if err != nil {
		return err
	}
	w.line()
	if name == "" {
		w.out.WriteString(w.escaped(w.spaced(content), false))
		return nil
	}
	if strings.HasPrefix(name, "!") || strings.HasPrefix(name, "?") {
		w.out.WriteString("<" + name + ">")
		return nil
	}
	if !validName(name) {
		return prim.Errorf(diag.WrongDomain, "XML: %s is no name", name)
	}
	w.out.WriteString("<" + name)
	preserve, err := w.attributes(pairs)
	if err != nil {
		return err
	}
	w.open = append(w.open, xmlOpen{name: name, preserve: preserve})
	content = w.spaced(content)
	if content == "" && !children {
		w.out.WriteString("/>")
		w.open = w.open[:len(w.open)-1]
		return nil
	}
	w.out.WriteString(">")
	if content != "" && children {
		w.line()
	}
	w.out.WriteString(w.escaped(content, false))
	if !children {
		w.out.WriteString("</" + name + ">")
		w.open = w.open[:len(w.open)-1]
	}
	return nil
}

// spaced handles the white space of character data.
func (w *xmlWriter) spaced(s string) string {
	if w.preserved() {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// field returns character data or a number as a text.
func (w *xmlWriter) field(v *value.Array) (string, error) {
	if v.Kind.Numeric() && v.Kind != value.Complex && v.Len() > 0 {
		return prim.Plain(v, 17), nil
	}
	return prim.TextOf(v, "XML: character data")
}

// attributes writes the pairs of a row and returns whether its white space is
// preserved.
func (w *xmlWriter) attributes(pairs *value.Array) (bool, error) {
	preserve := w.preserved()
	if pairs.Len()%2 != 0 || pairs.Rank() > 2 {
		return false, prim.Errorf(diag.WrongDomain, "XML: attributes are pairs")
	}
	for k := 0; k+1 < pairs.Len(); k += 2 {
		name, err := prim.TextOf(pairs.Item(k), "XML: the name of an attribute")
		if err != nil {
			return false, err
		}
		s, err := w.field(pairs.Item(k + 1))
		if err != nil {
			return false, err
		}
		if !validName(name) {
			return false, prim.Errorf(diag.WrongDomain, "XML: %s is no name", name)
		}
		if name == "xml:space" {
			preserve = s == "preserve" || w.space == "Preserve"
		}
		w.out.WriteString(" " + name + `="` + w.escaped(s, true) + `"`)
	}
	return preserve, nil
}

func validName(s string) bool {
	if s == "" || strings.ContainsAny(s[:1], "-.0123456789") {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !nameCharacter(s[i]) {
			return false
		}
	}
	return true
}

// escaped writes characters that mean something as references.
func (w *xmlWriter) escaped(s string, attribute bool) string {
	s = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
	if attribute {
		s = strings.NewReplacer(`"`, "&quot;", "\n", "&#10;", "\t", "&#9;").Replace(s)
	}
	if !w.replace {
		s = strings.ReplaceAll(s, "\x1b", "&")
	}
	return s
}
