package interp

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/letters"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// transformation makes a value of a match; none is the result of ⎕S without matches.
type transformation interface {
	apply(s *searching, m *match) (*V, error)
	none() *V
}

// transformOf reads the right operand of ⎕R or ⎕S.
func transformOf(r *replacement, m *matching) (transformation, error) {
	how, ok := r.how.(*V)
	if !ok {
		return &calling{f: r.how.(Function), space: value.NewNamespace("")}, nil
	}
	if how.Kind.Numeric() && how.Len() > 0 {
		if !r.search {
			return nil, prim.Errorf(diag.WrongDomain, "⎕R cannot replace by numbers")
		}
		return codesOf(how)
	}
	items := []*V{how}
	if how.Kind == value.Mixed {
		items = how.AllItems()
	}
	if len(items) != 1 && len(items) != len(r.patterns) {
		return nil, prim.Errorf(diag.WrongLength, "%d transformations for %d patterns", len(items), len(r.patterns))
	}
	var out templates
	for _, x := range items {
		s, err := prim.TextOf(x, "a transformation")
		if err != nil {
			return nil, err
		}
		t := template{{text: s}}
		if !m.plain {
			if t, err = parseTemplate(s); err != nil {
				return nil, err
			}
		}
		out = append(out, t)
	}
	return out, nil
}

// codes are a transformation by numbers: 0 the offset, 1 the length, 2 the number of
// the block, 3 that of the pattern.
type codes struct {
	shape []int
	which []int64
}

func codesOf(how *V) (transformation, error) {
	n, err := prim.Ints(how)
	if err != nil {
		return nil, err
	}
	for _, k := range n {
		if k < 0 || k > 3 {
			return nil, prim.Errorf(diag.WrongDomain, "there is no transformation %d", k)
		}
	}
	return &codes{how.Shape, n}, nil
}

func (c *codes) none() *V { return value.Zilde() }

func (c *codes) apply(_ *searching, m *match) (*V, error) {
	facts := [4]int{m.Index, m.Length, m.number, m.pattern}
	out := make([]int, len(c.which))
	for i, k := range c.which {
		out[i] = facts[k]
	}
	return value.Sizes(out).WithShape(c.shape), nil
}

// calling is a transformation by a function of a namespace.
type calling struct {
	f     Function
	space *value.Namespace
}

func (c *calling) none() *V { return value.Zilde() }

func (c *calling) apply(s *searching, m *match) (*V, error) {
	p := s.patterns[m.pattern]
	var offsets, lengths []int
	var names []string
	for k, name := range p.names {
		at, length := -1, -1
		if g := m.GroupByNumber(k); g != nil && len(g.Captures) > 0 {
			at, length = g.Index, g.Length
		}
		offsets, lengths, names = append(offsets, at), append(lengths, length), append(names, name)
	}
	last := len(offsets)
	for last > 1 && offsets[last-1] < 0 {
		last--
	}
	n := c.space
	n.Set("Block", value.Text(m.block))
	n.Set("BlockNum", value.Integer(m.number))
	n.Set("Pattern", value.Text(p.text))
	n.Set("PatternNum", value.Integer(m.pattern))
	n.Set("Match", value.Text(m.String()))
	n.Set("Offsets", value.Sizes(offsets[:last]))
	n.Set("Lengths", value.Sizes(lengths[:last]))
	n.Set("Names", value.Texts(names[:last]))
	n.Set("ReplaceMode", value.Truth(!s.r.search))
	n.Set("TextOnly", value.Truth(!s.r.search || s.streamed))
	return c.f.Call(s.in, nil, value.Reference(n))
}

// templates are transformations by texts, one for all patterns or one for each.
type templates []template

func (t templates) none() *V { return value.Texts(nil) }

func (t templates) apply(_ *searching, m *match) (*V, error) {
	one := t[0]
	if len(t) > 1 {
		one = t[m.pattern]
	}
	var out strings.Builder
	for i := range one {
		out.WriteString(one[i].expand(m))
	}
	return value.Text(out.String()), nil
}

// template is a text whose pieces are literal or taken from the match.
type template []piece

// piece is a literal text; or the block (%), a group by its number or its name,
// mapped by a function.
type piece struct {
	text  string
	kind  byte // 0 a text, '%', 'n' a number, '<' a name
	group int
	to    func(rune) rune
}

func (p *piece) expand(m *match) string {
	s := p.text
	switch p.kind {
	case '%':
		s = m.block
	case 'n':
		s, _ = m.group(p.group)
	case '<':
		s, _ = m.group(m.named(p.text))
	}
	if p.to != nil {
		s = strings.Map(p.to, s)
	}
	return s
}

// parseTemplate reads a transformation: & is the match, % the block, \1 … \9 \(n)
// \<name> groups; u l f behind the backslash map letters.
func parseTemplate(s string) (template, error) {
	r := []rune(s)
	var out template
	for i := 0; i < len(r); i++ {
		switch r[i] {
		case '&':
			out = append(out, piece{kind: 'n'})
		case '%':
			out = append(out, piece{kind: '%'})
		case '\\':
			p, n, err := parseEscape(r[i+1:])
			if err != nil {
				return nil, err
			}
			out = append(out, p)
			i += n
		default:
			out = append(out, piece{text: string(r[i])})
		}
	}
	return out, nil
}

var mappings = map[rune]func(rune) rune{'u': letters.Upper, 'l': letters.Lower, 'f': letters.Fold}

// parseEscape reads what follows a backslash, and returns its length.
func parseEscape(r []rune) (piece, int, error) {
	p := piece{}
	n := 0
	if len(r) > 1 && mappings[r[0]] != nil {
		p.to = mappings[r[0]]
		n = 1
	}
	wrong := func() (piece, int, error) {
		return p, 0, prim.Errorf(diag.WrongDomain, "a transformation has an escape \\%s", string(r[:min(len(r), n+1)]))
	}
	if n == len(r) {
		return wrong()
	}
	switch c := r[n]; {
	case c >= '0' && c <= '9':
		p.kind, p.group = 'n', int(c-'0')
		return p, n + 1, nil
	case c == '(' || c == '<' || c == 'x' && p.to == nil:
		return p.delimited(r, n, wrong)
	case c == '&' && p.to != nil:
		p.kind = 'n'
		return p, n + 1, nil
	case c == '%' && p.to != nil:
		p.kind = '%'
		return p, n + 1, nil
	case p.to != nil:
		return wrong()
	case c == 'n':
		p.text = "\n"
	case c == 'r':
		p.text = "\r"
	case c == '\\' || c == '%' || c == '&':
		p.text = string(c)
	default:
		return wrong()
	}
	return p, n + 1, nil
}

// delimited reads (n), <name> or x{n}.
func (p piece) delimited(r []rune, n int, wrong func() (piece, int, error)) (piece, int, error) {
	c, start := r[n], n+1
	end := map[rune]rune{'(': ')', '<': '>', 'x': '}'}[c]
	if c == 'x' {
		if start == len(r) || r[start] != '{' {
			return wrong()
		}
		start++
	}
	stop := start
	for stop < len(r) && r[stop] != end {
		stop++
	}
	if stop == len(r) {
		return wrong()
	}
	body := string(r[start:stop])
	switch c {
	case '<':
		p.kind, p.text = '<', body
	case '(':
		k, err := strconv.Atoi(body)
		if err != nil || k < 0 || k > 63 {
			return wrong()
		}
		p.kind, p.group = 'n', k
	default:
		k, err := strconv.ParseUint(body, 16, 32)
		if err != nil || k < 1 || k > 0x10FFFF {
			return wrong()
		}
		p.text = string(rune(k))
	}
	return p, stop + 1, nil
}
