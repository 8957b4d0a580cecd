package interp

import (
	"strings"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// replacement is patterns ⎕R transformations, or ⎕S where search is true.
type replacement struct {
	patterns []*V
	how      any // the transformations: an array, or a function
	search   bool
	options  matching
}

// matching are the options that ⍠ sets.
type matching struct {
	ignoreCase bool // IC
	dotAll     bool // DotAll
	mode       byte // Mode: L lines, D the document, M mixed
	limit      int  // ML: the most matches; 0 is all
	overlap    bool // OM
	resultText bool // ResultText: a text, not lines
}

func deriveReplace(_ *Interp, left, right any) (Function, error) {
	return deriveMatching(left, right, false)
}

func deriveSearch(_ *Interp, left, right any) (Function, error) {
	return deriveMatching(left, right, true)
}

func deriveMatching(left, right any, search bool) (Function, error) {
	p, ok := left.(*V)
	if !ok {
		return nil, prim.Errorf(diag.Domain, "the patterns are no texts")
	}
	patterns := []*V{p}
	if p.Kind == value.Mixed {
		patterns = p.AllItems()
	}
	return &replacement{patterns: patterns, how: right, search: search, options: matching{mode: 'L'}}, nil
}

// with sets options: a pair of name and value, pairs, or the value of IC alone.
func (r *replacement) with(options *V) (Function, error) {
	c := *r
	pairs := []*V{options}
	if options.Kind == value.Mixed && options.Len() > 0 && options.Item(0).Kind == value.Mixed {
		pairs = options.AllItems()
	}
	for _, p := range pairs {
		if p.Len() == 1 {
			p = value.Vector(value.Text("IC"), p.Item(0))
		}
		if p.Len() != 2 {
			return nil, prim.Errorf(diag.Length, "an option is a name and a value")
		}
		name, err := text(p.Item(0), "the name of an option")
		if err != nil {
			return nil, err
		}
		if err := c.options.set(name, p.Item(1)); err != nil {
			return nil, err
		}
	}
	return &c, nil
}

func (m *matching) set(name string, v *V) error {
	switch name {
	case "Mode":
		s, err := text(v, "the mode")
		if err != nil || s == "" || !strings.Contains("LDM", s[:1]) {
			return prim.Errorf(diag.Domain, "the mode is L, D or M")
		}
		m.mode = s[0]
		return nil
	case "EOL", "NEOL", "InEnc", "OutEnc":
		return nil
	}
	n, err := prim.Whole(v)
	if err != nil {
		return err
	}
	switch name {
	case "IC":
		m.ignoreCase = n == 1
	case "DotAll":
		m.dotAll = n == 1
	case "ML":
		m.limit = n
	case "OM":
		m.overlap = n == 1
	case "ResultText":
		m.resultText = n == 1
	case "UCP", "ON":
	default:
		return prim.Errorf(diag.Domain, "there is no option %s", name)
	}
	return nil
}

// match is one match of one of the patterns in a block of text.
type match struct {
	*regexp2.Match
	pattern int
	block   string
	number  int // of the block
}

func (r *replacement) Call(_ *Interp, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.Syntax, "⎕R and ⎕S take one argument")
	}
	blocks, single, err := r.blocks(y)
	if err != nil {
		return nil, err
	}
	compiled, err := r.compile()
	if err != nil {
		return nil, err
	}
	s := &searching{r: r, patterns: compiled}
	if r.search {
		return s.findAll(blocks)
	}
	out := make([]string, len(blocks))
	for i, b := range blocks {
		if out[i], err = s.replace(b, i); err != nil {
			return nil, err
		}
	}
	if single || r.options.resultText {
		return value.Text(strings.Join(out, "\n")), nil
	}
	return value.Texts(strings.Split(strings.Join(out, "\n"), "\n")), nil
}

// blocks returns the parts of the argument that are searched: its lines, or the
// whole in the modes D and M.
func (r *replacement) blocks(y *V) ([]string, bool, error) {
	var lines []string
	single := y.Kind != value.Mixed
	if single {
		s, err := text(y, "the argument")
		if err != nil {
			return nil, false, err
		}
		lines = strings.Split(s, "\n")
	} else {
		for _, x := range y.AllItems() {
			s, err := text(x, "a line")
			if err != nil {
				return nil, false, err
			}
			lines = append(lines, s)
		}
	}
	if r.options.mode != 'L' {
		lines = []string{strings.Join(lines, "\n")}
	}
	return lines, single, nil
}

func (r *replacement) compile() ([]*regexp2.Regexp, error) {
	flags := regexp2.RegexOptions(regexp2.None)
	if r.options.ignoreCase {
		flags |= regexp2.IgnoreCase
	}
	if r.options.dotAll {
		flags |= regexp2.Singleline
	}
	if r.options.mode == 'M' {
		flags |= regexp2.Multiline
	}
	var out []*regexp2.Regexp
	for _, p := range r.patterns {
		s, err := text(p, "a pattern")
		if err != nil {
			return nil, err
		}
		re, err := regexp2.Compile(s, flags)
		if err != nil {
			return nil, prim.Errorf(diag.Domain, "%v", err)
		}
		re.MatchTimeout = time.Minute
		out = append(out, re)
	}
	return out, nil
}

// searching is one call of ⎕R or ⎕S.
type searching struct {
	r        *replacement
	patterns []*regexp2.Regexp
	matches  int // so far
}

// next returns the leftmost match from a position on, of several the first
// pattern's; nil if there is none, or the limit is reached.
func (s *searching) next(block string, runes []rune, from, number int) (*match, error) {
	if s.r.options.limit > 0 && s.matches == s.r.options.limit {
		return nil, nil
	}
	var best *match
	for k, re := range s.patterns {
		m, err := re.FindRunesMatchStartingAt(runes, from)
		if err != nil {
			return nil, prim.Errorf(diag.Limit, "%v", err)
		}
		if m != nil && (best == nil || m.Index < best.Index) {
			best = &match{Match: m, pattern: k, block: block, number: number}
		}
	}
	if best != nil {
		s.matches++
	}
	return best, nil
}

// replace returns a block with its matches transformed.
func (s *searching) replace(block string, number int) (string, error) {
	runes := []rune(block)
	var out strings.Builder
	at := 0
	for from := 0; from <= len(runes); {
		m, err := s.next(block, runes, from, number)
		if err != nil {
			return "", err
		}
		if m == nil {
			break
		}
		out.WriteString(string(runes[at:m.Index]))
		v, err := s.transform(m)
		if err != nil {
			return "", err
		}
		new, err := text(v, "what a match is replaced by")
		if err != nil {
			return "", err
		}
		out.WriteString(new)
		at = m.Index + m.Length
		if from = at; m.Length == 0 {
			from++
		}
	}
	out.WriteString(string(runes[min(at, len(runes)):]))
	return out.String(), nil
}

// findAll returns what ⎕S makes of all matches.
func (s *searching) findAll(blocks []string) (*V, error) {
	var found []*V
	for i, b := range blocks {
		runes := []rune(b)
		for from := 0; from <= len(runes); {
			m, err := s.next(b, runes, from, i)
			if err != nil {
				return nil, err
			}
			if m == nil {
				break
			}
			v, err := s.transform(m)
			if err != nil {
				return nil, err
			}
			found = append(found, v)
			if from = m.Index + m.Length; m.Length == 0 || s.r.options.overlap {
				from = m.Index + 1
			}
		}
	}
	return value.Vector(found...), nil
}

// transform returns what stands for a match.
func (s *searching) transform(m *match) (*V, error) {
	how, ok := s.r.how.(*V)
	if !ok {
		return nil, prim.Errorf(diag.Unsupported, "a function as a transformation: its argument is a namespace")
	}
	if how.Kind == value.Mixed && how.Len() == 1 {
		how = how.Item(0)
	} else if how.Kind == value.Mixed {
		if how.Len() != len(s.patterns) {
			return nil, prim.Errorf(diag.Length, "%d transformations for %d patterns", how.Len(), len(s.patterns))
		}
		how = how.Item(m.pattern)
	}
	if how.Kind.Numeric() {
		return m.codes(how)
	}
	t, err := text(how, "a transformation")
	if err != nil {
		return nil, err
	}
	return value.Text(m.expand(t)), nil
}

// codes is a transformation by numbers: 0 the offset, 1 the length, 2 the number of
// the block, 3 that of the pattern.
func (m *match) codes(how *V) (*V, error) {
	n, err := prim.Ints(how)
	if err != nil {
		return nil, err
	}
	facts := []int{m.Index, m.Length, m.number, m.pattern}
	out := make([]int, len(n))
	for i, k := range n {
		if k < 0 || int(k) >= len(facts) {
			return nil, prim.Errorf(diag.Domain, "there is no transformation %d", k)
		}
		out[i] = facts[k]
	}
	if how.Rank() == 0 {
		return value.Integer(out[0]), nil
	}
	return value.Sizes(out), nil
}

// expand writes the text of a transformation: & is the match, \0 … \9 its groups, %
// the block; \u and \l change the case of what follows.
func (m *match) expand(how string) string {
	var out strings.Builder
	to := func(s string) string { return s }
	write := func(s string) {
		out.WriteString(to(s))
		to = func(s string) string { return s }
	}
	runes := []rune(how)
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		if c != '\\' || i+1 == len(runes) {
			switch c {
			case '&':
				write(m.String())
			case '%':
				write(m.block)
			default:
				out.WriteRune(c)
			}
			continue
		}
		i++
		switch d := runes[i]; {
		case d >= '0' && d <= '9':
			if g := m.GroupByNumber(int(d - '0')); g != nil {
				write(g.String())
			}
		case d == 'u' || d == 'l':
			if to = strings.ToLower; d == 'u' {
				to = strings.ToUpper
			}
			if i+1 < len(runes) && runes[i+1] >= '0' && runes[i+1] <= '9' { // \u1 is the group in upper case
				i++
				if g := m.GroupByNumber(int(runes[i] - '0')); g != nil {
					write(g.String())
				}
			}
		case d == 'n':
			out.WriteByte('\n')
		case d == 'r':
			out.WriteByte('\r')
		default:
			out.WriteRune(d)
		}
	}
	return out.String()
}
