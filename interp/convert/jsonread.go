package convert

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// The types of the rows of ⎕JSON⍠'M'.
const (
	jsonObject = 1 + iota
	jsonArray
	jsonNumber
	jsonString
	jsonNull
	jsonWord
	jsonScript
)

// jsonNode is a value of a JSON text.
type jsonNode struct {
	kind   int
	text   string  // of a string or a word
	number float64 // of a number, whole where it has that form
	whole  bool
	names  []string // of the members of an object
	items  []*jsonNode
}

// jsonReader reads JSON, or JSON5.
type jsonReader struct {
	in   []rune
	at   int
	five bool
}

// parseJSON reads a text.
func parseJSON(s string, five bool) (*jsonNode, error) {
	r := &jsonReader{in: []rune(s), five: five}
	n, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if err := r.skip(); err != nil {
		return nil, err
	}
	if r.at < len(r.in) {
		return nil, r.wrong("more text behind the value")
	}
	return n, nil
}

func (r *jsonReader) wrong(format string, args ...any) error {
	return prim.Errorf(diag.WrongDomain, "JSON: %s at character %d", fmt.Sprintf(format, args...), r.at+1)
}

func (r *jsonReader) peek() rune {
	if r.at == len(r.in) {
		return 0
	}
	return r.in[r.at]
}

// skip passes white space, and the comments of JSON5.
func (r *jsonReader) skip() error {
	for r.at < len(r.in) {
		c := r.in[r.at]
		rest := string(r.in[r.at:min(len(r.in), r.at+2)])
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || r.five && (unicode.IsSpace(c) || c == '\ufeff'):
			r.at++
		case r.five && rest == "//":
			for r.at < len(r.in) && r.in[r.at] != '\n' && r.in[r.at] != '\r' {
				r.at++
			}
		case r.five && rest == "/*":
			i := strings.Index(string(r.in[r.at+2:]), "*/")
			if i < 0 {
				return r.wrong("a comment that does not end")
			}
			r.at += 4 + utf8.RuneCountInString(string(r.in[r.at+2:])[:i])
		default:
			return nil
		}
	}
	return nil
}

// maxJSONDepth is the depth that a text may have.
const maxJSONDepth = 10000

func (r *jsonReader) value(depth int) (*jsonNode, error) {
	if err := r.skip(); err != nil {
		return nil, err
	}
	if depth > maxJSONDepth {
		return nil, prim.Errorf(diag.TooDeep, "JSON: the text is too deep")
	}
	switch c := r.peek(); {
	case c == 0:
		return nil, r.wrong("the text ends")
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '"' || c == '\'' && r.five:
		s, err := r.text(c)
		return &jsonNode{kind: jsonString, text: s}, err
	}
	return r.word()
}

// members reads what stands between brackets: item reads one, up to the closing
// bracket.
func (r *jsonReader) members(end rune, item func() error) error {
	r.at++
	for first := true; ; first = false {
		if err := r.skip(); err != nil {
			return err
		}
		if r.peek() == end && (first || r.five) {
			r.at++
			return nil
		}
		if err := item(); err != nil {
			return err
		}
		if err := r.skip(); err != nil {
			return err
		}
		switch r.peek() {
		case end:
			r.at++
			return nil
		case ',':
			r.at++
		default:
			return r.wrong("%c or a comma is missing", end)
		}
	}
}

func (r *jsonReader) array(depth int) (*jsonNode, error) {
	n := &jsonNode{kind: jsonArray}
	return n, r.members(']', func() error {
		x, err := r.value(depth + 1)
		n.items = append(n.items, x)
		return err
	})
}

func (r *jsonReader) object(depth int) (*jsonNode, error) {
	n := &jsonNode{kind: jsonObject}
	return n, r.members('}', func() error {
		name, err := r.name()
		if err != nil {
			return err
		}
		if err := r.skip(); err != nil {
			return err
		}
		if r.peek() != ':' {
			return r.wrong("a colon is missing")
		}
		r.at++
		x, err := r.value(depth + 1)
		n.names, n.items = append(n.names, name), append(n.items, x)
		return err
	})
}

// name reads the name of a member.
func (r *jsonReader) name() (string, error) {
	c := r.peek()
	if c == '"' || c == '\'' && r.five {
		return r.text(c)
	}
	if !r.five {
		return "", r.wrong("a name is missing")
	}
	start := r.at
	for r.at < len(r.in) && (unicode.IsLetter(r.in[r.at]) || unicode.IsDigit(r.in[r.at]) || r.in[r.at] == '_' || r.in[r.at] == '$') {
		r.at++
	}
	if r.at == start {
		return "", r.wrong("a name is missing")
	}
	return string(r.in[start:r.at]), nil
}

// text reads a string.
func (r *jsonReader) text(quote rune) (string, error) {
	var out []rune
	for r.at++; r.at < len(r.in); r.at++ {
		c := r.in[r.at]
		switch {
		case c == quote:
			r.at++
			return string(out), nil
		case c < ' ' && !r.five:
			return "", r.wrong("a control character in a string")
		case c != '\\':
			out = append(out, c)
			continue
		}
		r.at++
		d, err := r.escape()
		if err != nil {
			return "", err
		}
		if n := len(out); n > 0 && out[n-1] >= 0xD800 && out[n-1] < 0xDC00 && d >= 0xDC00 && d < 0xE000 {
			out[n-1] = (out[n-1]-0xD800)<<10 + d - 0xDC00 + 0x10000
		} else if d >= 0 {
			out = append(out, d)
		}
	}
	return "", r.wrong("a string that does not end")
}

var jsonEscapes = map[rune]rune{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads what stands behind a backslash; -1 is nothing.
func (r *jsonReader) escape() (rune, error) {
	c := r.peek()
	if d, ok := jsonEscapes[c]; ok {
		return d, nil
	}
	digits := 0
	switch {
	case c == 'u':
		digits = 4
	case c == 'x' && r.five:
		digits = 2
	case c == '\n' && r.five:
		return -1, nil
	case c == 'v' && r.five:
		return '\v', nil
	case c == '0' && r.five:
		return 0, nil
	case c == 0 || !r.five:
		return 0, r.wrong("an escape that there is not")
	default:
		return c, nil
	}
	end := r.at + 1 + digits
	if end > len(r.in) {
		return 0, r.wrong("the text ends")
	}
	k, err := strconv.ParseUint(string(r.in[r.at+1:end]), 16, 32)
	if err != nil {
		return 0, r.wrong("digits are missing")
	}
	r.at = end - 1
	return rune(k), nil
}

// word reads a number, or true, false, null, and in JSON5 Infinity and NaN.
func (r *jsonReader) word() (*jsonNode, error) {
	start := r.at
	for r.at < len(r.in) && (unicode.IsLetter(r.in[r.at]) || unicode.IsDigit(r.in[r.at]) || strings.ContainsRune("+-.", r.in[r.at])) {
		r.at++
	}
	s := string(r.in[start:r.at])
	switch {
	case s == "null":
		return &jsonNode{kind: jsonNull, text: s}, nil
	case s == "true" || s == "false":
		return &jsonNode{kind: jsonWord, text: s}, nil
	case r.five && (s == "Infinity" || s == "-Infinity" || s == "NaN" || s == "-NaN"):
		return &jsonNode{kind: jsonWord, text: s}, nil
	}
	x, whole, ok := jsonNumberOf(s, r.five)
	if !ok {
		r.at = start
		return nil, r.wrong("neither a value nor a number")
	}
	return &jsonNode{kind: jsonNumber, number: x, whole: whole}, nil
}

// jsonNumberOf reads a number.
func jsonNumberOf(s string, five bool) (x float64, whole, ok bool) {
	digits := strings.TrimPrefix(s, "-")
	if five {
		digits = strings.TrimPrefix(strings.TrimPrefix(s, "+"), "-")
		if strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0X") {
			k, err := strconv.ParseInt(digits[2:], 16, 64)
			if x = float64(k); strings.HasPrefix(s, "-") {
				x = -x
			}
			return x, true, err == nil
		}
	} else if digits == "" || digits[0] == '.' || digits[len(digits)-1] == '.' || strings.Contains(digits, ".e") || strings.Contains(digits, ".E") ||
		len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return 0, false, false
	}
	if digits == "" || strings.Trim(digits, "0123456789.eE+-") != "" || digits[0] != '.' && (digits[0] < '0' || digits[0] > '9') {
		return 0, false, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, x == math.Trunc(x) && math.Abs(x) < 1<<53, err == nil
}

// array returns the value as it is with the option Format 'D'.
func (n *jsonNode) array(null *value.Array) *value.Array {
	switch n.kind {
	case jsonObject:
		space := value.NewNamespace("#.[JSON object]")
		for i, name := range n.names {
			space.Set(mangled(name), n.items[i].array(null))
		}
		return value.Reference(space)
	case jsonArray:
		items := make([]*value.Array, len(n.items))
		for i, x := range n.items {
			items[i] = x.array(null)
		}
		return value.Vector(items...)
	}
	return n.simple(null)
}

// simple returns the value of a node that is neither an object nor an array.
func (n *jsonNode) simple(null *value.Array) *value.Array {
	switch n.kind {
	case jsonNumber:
		if n.whole {
			return value.Int64(int64(n.number))
		}
		return value.Number(n.number)
	case jsonString:
		return value.Text(n.text)
	case jsonNull:
		return null
	}
	return value.Enclose(value.Text(n.text))
}

// rows appends the rows of the option Format 'M': depth, name, value and type.
func (n *jsonNode) rows(out []*value.Array, depth int, name string, null *value.Array) []*value.Array {
	v := value.Text("")
	if n.kind != jsonObject && n.kind != jsonArray {
		v = n.simple(null)
	}
	out = append(out, value.Integer(depth), value.Text(name), v, value.Integer(n.kind))
	for i, x := range n.items {
		name := ""
		if n.kind == jsonObject {
			name = n.names[i]
		}
		out = x.rows(out, depth+1, name, null)
	}
	return out
}
