package interp

import (
	"strings"

	"github.com/dlclark/regexp2"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// compiled is a pattern of ⎕R or ⎕S: what matches it, its text and the names of its
// groups.
type compiled struct {
	re    *regexp2.Regexp
	text  string
	names []string
}

// match is one match of one of the patterns in a block of text.
type match struct {
	*regexp2.Match
	pattern int
	names   []string
	block   string
	number  int // of the block
}

// searching is one call of ⎕R or ⎕S.
type searching struct {
	in       *Interp
	r        *replacement
	m        *matching
	patterns []compiled
	how      transformation
	streamed bool // ⎕S writes to a file
}

// walk is a search through one block. It keeps the next match of each pattern.
type walk struct {
	s      *searching
	block  string
	runes  []rune
	number int
	found  []*regexp2.Match
	asked  []int // from where a match was asked for; -1 is never
	count  int
}

func (s *searching) walk(b block, number int) *walk {
	w := &walk{s: s, block: b.text, runes: []rune(b.text), number: number}
	w.found, w.asked = make([]*regexp2.Match, len(s.patterns)), make([]int, len(s.patterns))
	for k := range w.asked {
		w.asked[k] = -1
	}
	return w
}

// of returns the first match of a pattern from a place on, or nil.
func (w *walk) of(k, from int) (*regexp2.Match, error) {
	if m := w.found[k]; w.asked[k] >= 0 && from >= w.asked[k] && (m == nil || m.Index >= from) {
		return m, nil
	}
	if from > len(w.runes) {
		return nil, nil
	}
	m, err := w.s.patterns[k].re.FindRunesMatchStartingAt(w.runes, from)
	if err != nil {
		return nil, prim.Errorf(diag.AtLimit, "%v", err)
	}
	w.found[k], w.asked[k] = m, from
	return m, nil
}

// next returns the leftmost match from a place on, of several the first pattern's;
// behind, in the place itself only of patterns from that number on. It is nil if
// there is none, or the limit is reached.
func (w *walk) next(from, behind int) (*match, error) {
	var best *match
	for k := range w.s.patterns {
		start := from
		if k < behind {
			start++
		}
		m, err := w.of(k, start)
		if err != nil {
			return nil, err
		}
		if m != nil && (best == nil || m.Index < best.Index) {
			best = &match{Match: m, pattern: k, names: w.s.patterns[k].names, block: w.block, number: w.number}
		}
	}
	return best, nil
}

// each calls f for the matches of a block that the limit lets through.
func (w *walk) each(f func(*match) error) error {
	limit := w.s.m.limit
	for from, behind := 0, 0; from <= len(w.runes); {
		m, err := w.next(from, behind)
		if err != nil || m == nil {
			return err
		}
		w.count++
		if limit >= 0 || w.count == -limit {
			if err := f(m); err != nil {
				return err
			}
		}
		if limit != 0 && (w.count == limit || w.count == -limit) {
			return nil
		}
		switch {
		case w.s.m.overlap:
			from, behind = m.Index, m.pattern+1
		case m.Length == 0:
			from = m.Index + 1
		default:
			from = m.Index + m.Length
		}
	}
	return nil
}

// replaceAll returns the text of the blocks with their matches transformed.
func (s *searching) replaceAll(blocks []block) (string, error) {
	var out strings.Builder
	for i, b := range blocks {
		if err := s.replace(&out, b, i); err != nil {
			return "", err
		}
		out.WriteString(b.end)
	}
	return out.String(), nil
}

// replace writes a block with its matches transformed.
func (s *searching) replace(out *strings.Builder, b block, number int) error {
	w := s.walk(b, number)
	at := 0
	err := w.each(func(m *match) error {
		out.WriteString(string(w.runes[at:m.Index]))
		v, err := s.how.apply(s, m)
		if err != nil {
			return err
		}
		if v == nil {
			return prim.Errorf(diag.MissingValue, "the transformation gave no text")
		}
		new, err := prim.TextOf(v, "the text that replaces a match")
		out.WriteString(new)
		at = m.Index + m.Length
		return err
	})
	out.WriteString(string(w.runes[at:]))
	return err
}

// findAll returns the items that ⎕S makes of all matches.
func (s *searching) findAll(blocks []block) (*V, error) {
	var found []*V
	for i, b := range blocks {
		err := s.walk(b, i).each(func(m *match) error {
			v, err := s.how.apply(s, m)
			if v != nil {
				found = append(found, v)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return s.how.none(), nil
	}
	return value.Vector(found...), nil
}

// group returns the text of a group, and false if it did not take part.
func (m *match) group(k int) (string, bool) {
	g := m.GroupByNumber(k)
	if g == nil || len(g.Captures) == 0 {
		return "", false
	}
	return g.String(), true
}

// named returns the number of a group, or that of none.
func (m *match) named(name string) int {
	for k, s := range m.names {
		if s == name && k > 0 {
			return k
		}
	}
	return len(m.names)
}
