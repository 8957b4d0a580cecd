package convert

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// The bits of the last column of the result of ⎕XML.
const (
	xmlElement = 1 << iota
	xmlChild
	xmlData
	xmlMarkup
	xmlComment
	xmlInstruction
)

// xmlForm holds the options of ⎕XML.
type xmlForm struct {
	space   string // Strip, Trim or Preserve
	markup  bool   // markup is kept
	replace bool   // unknown entities become ?
}

// xmlFormOf reads the options, which may be pairs of texts to the left, too.
func xmlFormOf(o options.Set, x *value.Array) (*xmlForm, error) {
	if x != nil {
		var err error
		if o, err = xmlLeft(o, x); err != nil {
			return nil, err
		}
	}
	space, err := o.Word("Whitespace", "Strip", "Trim", "Preserve")
	if err != nil {
		return nil, err
	}
	markup, err := o.Word("Markup", "Strip", "Preserve")
	if err != nil {
		return nil, err
	}
	unknown, err := o.Word("UnknownEntity", "Replace", "Preserve")
	if err != nil {
		return nil, err
	}
	return &xmlForm{space: space, markup: markup == "Preserve", replace: unknown == "Replace"}, nil
}

// xmlLeft reads options that are the left argument.
func xmlLeft(o options.Set, x *value.Array) (options.Set, error) {
	names := map[string]string{"whitespace": "Whitespace", "markup": "Markup", "unknown-entity": "UnknownEntity"}
	pairs := []*value.Array{x}
	if x.Kind == value.Mixed && x.Len() > 0 && x.Items[0].Kind == value.Mixed {
		pairs = x.Items
	}
	out := options.Set{}
	for k, v := range o {
		out[k] = v
	}
	for _, p := range pairs {
		if !options.IsPair(p) || p.Items[1].Kind != value.Char || p.Items[1].Len() == 0 || names[string(p.Items[0].Chars)] == "" {
			return nil, prim.Errorf(diag.WrongDomain, "the left argument of ⎕XML is pairs of names and words")
		}
		word := []rune(string(p.Items[1].Chars))
		word[0] = unicode.ToUpper(word[0])
		out[names[string(p.Items[0].Chars)]] = value.Characters(word)
	}
	return out, nil
}

// XML is ⎕XML: a text as a table, or a table as a text.
func XML(o options.Set, x, y *value.Array) (*value.Array, error) {
	f, err := xmlFormOf(o, x)
	if err != nil {
		return nil, err
	}
	if y.Rank() == 2 {
		return f.write(y)
	}
	if y.Kind == value.Mixed {
		var lines []string
		for _, l := range y.AllItems() {
			s, err := prim.TextOf(l, "a line of ⎕XML")
			if err != nil {
				return nil, err
			}
			lines = append(lines, s)
		}
		y = value.Text(strings.Join(lines, "\n"))
	}
	s, err := prim.TextOf(y, "the argument of ⎕XML")
	if err != nil {
		return nil, err
	}
	r := &xmlReader{xmlForm: f, in: strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)}
	if err := r.read(); err != nil {
		return nil, err
	}
	return r.table(), nil
}

// xmlRow is a row of the result.
type xmlRow struct {
	level      int
	name, data string
	pairs      []string // names and values of attributes
	kind       int
	preserve   bool // xml:space
}

// xmlReader reads a text.
type xmlReader struct {
	*xmlForm
	in   string
	at   int
	rows []*xmlRow
	open []*xmlRow
	data strings.Builder // character data that no row has yet
}

func (r *xmlReader) wrong(format string, args ...any) error {
	return prim.Errorf(diag.WrongDomain, "XML: "+format, args...)
}

// read reads all of the text.
func (r *xmlReader) read() error {
	for r.at < len(r.in) {
		i := strings.IndexByte(r.in[r.at:], '<')
		if i < 0 {
			i = len(r.in) - r.at
		}
		if i > 0 {
			s, err := r.expanded(r.in[r.at : r.at+i])
			if err != nil {
				return err
			}
			r.data.WriteString(s)
			r.at += i
			continue
		}
		if err := r.tag(); err != nil {
			return err
		}
	}
	r.flush()
	if len(r.open) > 0 {
		return r.wrong("the element %s does not end", r.open[len(r.open)-1].name)
	}
	return nil
}

// until returns the text up to an end mark, and moves behind it.
func (r *xmlReader) until(end string) (string, error) {
	i := strings.Index(r.in[r.at:], end)
	if i < 0 {
		return "", r.wrong("%s is missing", end)
	}
	s := r.in[r.at : r.at+i]
	r.at += i + len(end)
	return s, nil
}

// tag reads what begins with <.
func (r *xmlReader) tag() error {
	rest := r.in[r.at:]
	switch {
	case strings.HasPrefix(rest, "<![CDATA["):
		r.at += len("<![CDATA[")
		s, err := r.until("]]>")
		r.data.WriteString(s)
		return err
	case strings.HasPrefix(rest, "<!--"):
		r.at += 4
		s, err := r.until("-->")
		r.mark("!--"+s+"--", xmlComment)
		return err
	case strings.HasPrefix(rest, "<?"):
		r.at++
		s, err := r.until("?>")
		r.mark(s+"?", xmlInstruction)
		return err
	case strings.HasPrefix(rest, "<!"):
		return r.declaration()
	case strings.HasPrefix(rest, "</"):
		return r.end()
	}
	return r.begin()
}

// mark adds a row of markup, if markup is kept.
func (r *xmlReader) mark(s string, kind int) {
	if !r.markup {
		return
	}
	r.flush()
	r.add(&xmlRow{name: s, kind: kind})
}

// declaration reads <!…>, which may hold others.
func (r *xmlReader) declaration() error {
	depth := 0
	for i := r.at; i < len(r.in); i++ {
		switch r.in[i] {
		case '<', '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth--; depth == 0 {
				s := r.in[r.at+1 : i]
				r.at = i + 1
				r.mark(s, xmlMarkup)
				return nil
			}
		}
	}
	return r.wrong("> is missing")
}

// add adds a row at the level of what is open.
func (r *xmlReader) add(row *xmlRow) {
	row.level = len(r.open)
	if n := len(r.open); n > 0 {
		kind := row.kind
		if kind&xmlElement != 0 {
			kind = xmlChild
		}
		r.open[n-1].kind |= kind
		row.preserve = row.preserve || r.open[n-1].preserve
	}
	r.rows = append(r.rows, row)
}

// flush adds the character data that was read as a row.
func (r *xmlReader) flush() {
	s := r.data.String()
	r.data.Reset()
	preserve := r.space == "Preserve"
	if n := len(r.open); n > 0 {
		preserve = preserve || r.open[n-1].preserve
	}
	if !preserve {
		s = strings.Trim(s, " \t\n")
		if r.space == "Strip" {
			s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c == ' ' || c == '\t' || c == '\n' }), " ")
		}
	}
	if s != "" && (len(r.open) > 0 || strings.Trim(s, " \t\n") != "") {
		r.add(&xmlRow{data: s, kind: xmlData})
	}
}

func nameCharacter(c byte) bool {
	return c >= 0x80 || c == '_' || c == ':' || c == '-' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// name reads a name.
func (r *xmlReader) name() (string, error) {
	start := r.at
	for r.at < len(r.in) && nameCharacter(r.in[r.at]) {
		r.at++
	}
	if s := r.in[start:r.at]; s != "" && !strings.ContainsAny(s[:1], "-.0123456789") {
		return s, nil
	}
	return "", r.wrong("a name is missing")
}

func (r *xmlReader) blanks() {
	for r.at < len(r.in) && strings.IndexByte(" \t\n", r.in[r.at]) >= 0 {
		r.at++
	}
}

// begin reads a tag that begins an element.
func (r *xmlReader) begin() error {
	r.at++
	name, err := r.name()
	if err != nil {
		return err
	}
	row := &xmlRow{name: name, kind: xmlElement}
	for {
		r.blanks()
		switch {
		case r.at == len(r.in):
			return r.wrong("the tag %s does not end", name)
		case strings.HasPrefix(r.in[r.at:], "/>"):
			r.at += 2
			r.flush()
			r.add(row)
			return nil
		case r.in[r.at] == '>':
			r.at++
			r.flush()
			r.add(row)
			r.open = append(r.open, row)
			return nil
		}
		if err := r.attribute(row); err != nil {
			return err
		}
	}
}

// attribute reads a name and a value.
func (r *xmlReader) attribute(row *xmlRow) error {
	name, err := r.name()
	if err != nil {
		return err
	}
	r.blanks()
	if r.at == len(r.in) || r.in[r.at] != '=' {
		return r.wrong("the attribute %s has no value", name)
	}
	r.at++
	r.blanks()
	if r.at == len(r.in) || r.in[r.at] != '"' && r.in[r.at] != '\'' {
		return r.wrong("the value of %s has no quotes", name)
	}
	quote := r.in[r.at : r.at+1]
	r.at++
	s, err := r.until(quote)
	if err != nil {
		return err
	}
	if s, err = r.expanded(s); err != nil {
		return err
	}
	if name == "xml:space" {
		if s != "default" && s != "preserve" {
			return r.wrong("xml:space is default or preserve")
		}
		row.preserve = s == "preserve"
	}
	row.pairs = append(row.pairs, name, s)
	return nil
}

// end reads a tag that ends an element. Data that is all of its content moves into
// its row.
func (r *xmlReader) end() error {
	r.at += 2
	name, err := r.name()
	if err != nil {
		return err
	}
	r.blanks()
	if r.at == len(r.in) || r.in[r.at] != '>' {
		return r.wrong("the end of %s has no >", name)
	}
	r.at++
	n := len(r.open)
	if n == 0 || r.open[n-1].name != name {
		return r.wrong("</%s> ends no element that is open", name)
	}
	r.flush()
	row := r.open[n-1]
	r.open = r.open[:n-1]
	if last := r.rows[len(r.rows)-1]; row.kind == xmlElement|xmlData && last.kind == xmlData && r.rows[len(r.rows)-2] == row {
		row.data = last.data
		r.rows = r.rows[:len(r.rows)-1]
	}
	return nil
}

var xmlEntities = map[string]rune{"lt": '<', "gt": '>', "amp": '&', "quot": '"', "apos": '\''}

// expanded replaces references to entities and characters.
func (r *xmlReader) expanded(s string) (string, error) {
	if !strings.Contains(s, "&") {
		return s, nil
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "&")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, behind, ends := strings.Cut(rest, ";")
		if !ends {
			return "", r.wrong("& is no reference")
		}
		c, ok := xmlEntities[name]
		if digits, numeric := strings.CutPrefix(name, "#"); numeric {
			base := 10
			if hex, ok := strings.CutPrefix(digits, "x"); ok {
				digits, base = hex, 16
			}
			k, err := strconv.ParseUint(digits, base, 21)
			if err != nil {
				return "", r.wrong("&%s; is no reference", name)
			}
			c, ok = rune(k), true
		}
		switch {
		case ok:
			out.WriteRune(c)
		case r.replace:
			out.WriteByte('?')
		default:
			out.WriteString("\x1b" + name + ";")
		}
		s = behind
	}
}

// table returns the rows as a matrix.
func (r *xmlReader) table() *value.Array {
	if len(r.rows) == 0 {
		return value.Empty([]int{0, 5}, value.Int64(0))
	}
	var items []*value.Array
	for _, row := range r.rows {
		pairs := value.Empty([]int{0, 2}, value.Text(""))
		if n := len(row.pairs); n > 0 {
			pairs = value.Texts(row.pairs).WithShape([]int{n / 2, 2})
		}
		items = append(items, value.Integer(row.level), value.Text(row.name), value.Text(row.data), pairs, value.Integer(row.kind))
	}
	return value.FromItems([]int{len(r.rows), 5}, items)
}
