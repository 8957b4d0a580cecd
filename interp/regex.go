package interp

import (
	"strings"
	"time"

	"github.com/dlclark/regexp2"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// replacement is patterns ⎕R transformations, or ⎕S where search is true.
type replacement struct {
	patterns []*V
	how      any // the transformations: an array, or a function
	search   bool
	options  options.Set
}

// matching are the options of ⎕R and ⎕S.
type matching struct {
	ignoreCase, dotAll, greedy, ucp bool
	mode                            byte // Mode: L lines, D the document, M mixed
	limit                           int  // ML: the most matches of a block; -n is the nth only
	overlap                         bool // OM
	normal                          bool // NEOL
	end                             string
	result                          string // ResultText
	literal, plain                  bool   // Regex: the patterns, and the transformations, are taken literally
}

// matchingNames are the names of the options, the principal one first.
const matchingNames = "IC Mode DotAll EOL NEOL ML Greedy OM UCP InEnc OutEnc Enc ResultText Regex"

// lineEndings are the values of the option EOL.
var lineEndings = map[string]string{
	"CR": "\r", "LF": "\n", "CRLF": "\r\n", "VT": "\v", "NEL": "\u0085", "FF": "\f", "LS": "\u2028", "PS": "\u2029",
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
		return nil, prim.Errorf(diag.WrongDomain, "the patterns are no texts")
	}
	patterns := []*V{p}
	if p.Kind == value.Mixed {
		patterns = p.AllItems()
	}
	return &replacement{patterns: patterns, how: right, search: search}, nil
}

func (r *replacement) with(given *V) (Function, error) {
	o, err := r.options.With(given, matchingNames)
	c := *r
	c.options = o
	return &c, err
}

// matchingOf reads the options.
func (r *replacement) matchingOf() (*matching, error) {
	o, m := r.options, &matching{}
	var errs [9]error
	m.ignoreCase, errs[0] = o.Flag("IC", false)
	m.dotAll, errs[1] = o.Flag("DotAll", false)
	m.greedy, errs[2] = o.Flag("Greedy", true)
	m.ucp, errs[3] = o.Flag("UCP", false)
	m.limit, errs[4] = o.Number("ML", 0)
	m.overlap, errs[5] = o.Flag("OM", false)
	m.normal, errs[6] = o.Flag("NEOL", false)
	m.result, errs[7] = o.Word("ResultText", "Implied", "Simple", "Nested")
	mode, err := o.Word("Mode", "L", "D", "M")
	errs[8] = err
	for _, e := range errs {
		if e != nil {
			return nil, e
		}
	}
	m.mode = mode[0]
	end, err := o.Word("EOL", "CRLF", "CR", "LF", "VT", "NEL", "FF", "LS", "PS")
	if err != nil {
		return nil, err
	}
	m.end = lineEndings[end]
	switch {
	case m.dotAll && m.mode == 'L':
		return nil, prim.Errorf(diag.WrongDomain, "DotAll needs the mode D or M")
	case m.overlap && !r.search:
		return nil, prim.Errorf(diag.WrongDomain, "OM is an option of ⎕S only")
	case o["ResultText"] != nil && r.search:
		return nil, prim.Errorf(diag.WrongDomain, "ResultText is an option of ⎕R only")
	}
	return m, m.regex(o["Regex"])
}

// regex reads the option Regex: a number for both operands, or one for each.
func (m *matching) regex(v *V) error {
	if v == nil {
		return nil
	}
	n, err := prim.Truths(v)
	if err != nil || len(n) < 1 || len(n) > 2 {
		return prim.Errorf(diag.WrongDomain, "the option Regex is one or two numbers 0 or 1")
	}
	m.literal, m.plain = n[0] == 0, n[len(n)-1] == 0
	return nil
}

func (r *replacement) Call(in *Interp, x, y *V) (*V, error) {
	m, err := r.matchingOf()
	if err != nil {
		return nil, err
	}
	var out *tie
	if x != nil {
		if out, err = in.tiedFile(x); err != nil {
			return nil, err
		}
	}
	y, enc, tied, err := r.document(in, y)
	if err != nil {
		return nil, err
	}
	if enc, err = r.outEncoding(enc); err != nil {
		return nil, err
	}
	blocks, single, err := m.blocks(y)
	if err != nil {
		return nil, err
	}
	s := &searching{in: in, r: r, m: m, streamed: out != nil}
	if err := s.compile(); err != nil {
		return nil, err
	}
	if s.how, err = transformOf(r, m); err != nil {
		return nil, err
	}
	if r.search {
		found, err := s.findAll(blocks)
		if err != nil || out == nil {
			return found, err
		}
		text, err := writeMatches(found, m.end)
		if err != nil {
			return nil, err
		}
		return in.appendStream(out, text, enc)
	}
	text, err := s.replaceAll(blocks)
	switch {
	case err != nil:
		return nil, err
	case out != nil:
		return in.appendStream(out, ended(text, m.end), enc)
	case m.result == "Simple" || single && !tied && m.result != "Nested":
		return value.Text(text), nil
	}
	var lines []string
	for _, b := range splitLines(text) {
		lines = append(lines, b.text)
	}
	if n := len(lines) - 1; tied && n > 0 && lines[n] == "" {
		lines = lines[:n]
	}
	return value.Texts(lines), nil
}

// block is a part of the document that is searched, and the line end behind it.
type block struct{ text, end string }

// splitLines cuts a text at its line ends. The last line has none.
func splitLines(s string) []block {
	var out []block
	for {
		i := strings.IndexAny(s, "\n\r\v\f\u0085\u2028\u2029")
		if i < 0 {
			return append(out, block{s, ""})
		}
		n := 1
		switch {
		case strings.HasPrefix(s[i:], "\r\n"), strings.HasPrefix(s[i:], "\u0085"):
			n = 2
		case s[i] >= 0x80:
			n = 3
		}
		out = append(out, block{s[:i], s[i : i+n]})
		s = s[i+n:]
	}
}

// blocks returns the parts of the argument that are searched: its lines, or the
// whole in the modes D and M. It reports whether the argument is one text.
func (m *matching) blocks(y *V) ([]block, bool, error) {
	single := y.Kind != value.Mixed
	items := []*V{y}
	if !single {
		items = y.AllItems()
	} else if y.Rank() == 1 && y.Len() == 0 && y.Kind != value.Char {
		items = nil
	}
	var lines []block
	for i, x := range items {
		s, err := prim.TextOf(x, "the argument of ⎕R and ⎕S")
		if err != nil {
			return nil, false, err
		}
		new := splitLines(s)
		if m.normal {
			for k := range new[:len(new)-1] {
				new[k].end = m.end
			}
		}
		if i < len(items)-1 {
			new[len(new)-1].end = m.end
		}
		lines = append(lines, new...)
	}
	if n := len(lines); n > 1 && single && lines[n-1].text == "" {
		lines = lines[:n-1]
	}
	if m.mode == 'L' {
		return lines, single, nil
	}
	var all strings.Builder
	for _, l := range lines {
		all.WriteString(l.text + l.end)
	}
	return []block{{all.String(), ""}}, single, nil
}

// compile compiles the patterns.
func (s *searching) compile() error {
	flags := regexp2.RegexOptions(regexp2.None)
	if s.m.ignoreCase {
		flags |= regexp2.IgnoreCase
	}
	for _, p := range s.r.patterns {
		t, err := prim.TextOf(p, "a pattern")
		if err != nil {
			return err
		}
		re, names := regexp2.Escape(t), []string{""}
		if !s.m.literal {
			if re, names, err = translate(t, s.m); err != nil {
				return err
			}
		}
		c, err := regexp2.Compile(re, flags)
		if err != nil {
			return prim.Errorf(diag.WrongDomain, "the pattern %s: %v", t, err)
		}
		c.MatchTimeout = time.Minute
		s.patterns = append(s.patterns, compiled{re: c, text: t, names: names})
	}
	return nil
}
