package interp

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
)

// Patterns are PCRE's; the library that matches them has .NET's. The translation
// covers line ends, ASCII classes, POSIX classes, possessive quantifiers, names and
// numbers of groups, and escapes. Recursion and \K are refused.

// lineEnds are the characters that end lines, in a class.
const lineEnds = `\n\r\v\f\x85\u2028\u2029`

// translation is the state of the translation of one pattern.
type translation struct {
	in     []rune
	at     int
	out    strings.Builder
	ucp    bool // \w and its like are Unicode's
	dotAll bool
	mode   byte // L, D or M
	lazy   bool // quantifiers are lazy, and greedy with ?
	names  []string
	open   []group
	atom   int // where the last atom begins in out; -1 if there is none
}

// group is an open parenthesis.
type group struct {
	start  int
	dotAll bool
}

// translate returns a pattern in the library's syntax and the names of its groups,
// the first for the whole.
func translate(s string, m *matching) (string, []string, error) {
	t := &translation{in: []rune(s), ucp: m.ucp, dotAll: m.dotAll, mode: m.mode, lazy: !m.greedy, names: []string{""}, atom: -1}
	for t.at < len(t.in) {
		if err := t.next(); err != nil {
			return "", nil, err
		}
	}
	return t.out.String(), t.names, nil
}

func (t *translation) peek(s string) bool {
	return strings.HasPrefix(string(t.in[t.at:min(len(t.in), t.at+len(s))]), s)
}

// unit writes an atom.
func (t *translation) unit(s string) {
	t.atom = t.out.Len()
	t.out.WriteString(s)
}

// next translates the next piece of a pattern.
func (t *translation) next() error {
	c := t.in[t.at]
	switch c {
	case '\\':
		return t.escape()
	case '[':
		return t.class()
	case '(':
		return t.openGroup()
	case ')':
		t.at++
		t.out.WriteByte(')')
		if n := len(t.open); n > 0 {
			t.atom, t.dotAll = t.open[n-1].start, t.open[n-1].dotAll
			t.open = t.open[:n-1]
		}
		return nil
	case '.':
		any := "[^" + lineEnds + "]"
		if t.dotAll {
			any = `[\s\S]`
		}
		t.unit(any)
	case '^', '$':
		t.anchor(c)
	case '*', '+', '?', '{':
		if t.quantifier() {
			return nil
		}
		t.unit(`\{`)
	case '|':
		t.out.WriteByte('|')
		t.atom = -1
	default:
		t.unit(literalRune(c))
	}
	t.at++
	return nil
}

// literalRune writes a character that stands for itself.
func literalRune(c rune) string {
	if c < 128 && strings.ContainsRune(`\.[](){}^$|*+?#`, c) {
		return `\` + string(c)
	}
	return string(c)
}

// anchor translates ^ and $: in mode M they stand at line ends, too.
func (t *translation) anchor(c rune) {
	s := `\A`
	switch {
	case c == '^' && t.mode == 'M':
		s = `(?:\A|(?:(?<=[\n\v\f\x85\u2028\u2029])|(?<=\r)(?!\n))(?!\z))`
	case c == '$' && t.mode == 'M':
		s = `(?=\r|(?<!\r)\n|[\v\f\x85\u2028\u2029]|\z)`
	case c == '$' && t.mode == 'D':
		s = `(?=(?:\r\n|\r|(?<!\r)\n|[\v\f\x85\u2028\u2029])?\z)`
	case c == '$':
		s = `\z`
	}
	t.unit(s)
}

// quantifier translates * + ? {n,m} with ? or + behind; false if a brace is none.
func (t *translation) quantifier() bool {
	start := t.at
	end := start + 1
	if t.in[start] == '{' {
		for end < len(t.in) && (t.in[end] >= '0' && t.in[end] <= '9' || t.in[end] == ',') {
			end++
		}
		body := string(t.in[start+1 : end])
		if end == len(t.in) || t.in[end] != '}' || body == "" || body[0] == ',' || strings.Count(body, ",") > 1 {
			return false
		}
		end++
	}
	q := string(t.in[start:end])
	t.at = end
	switch {
	case t.peek("+"):
		t.at++
		t.possess(q)
		return true
	case t.peek("?"):
		t.at++
		if !t.lazy {
			q += "?"
		}
	case t.lazy:
		q += "?"
	}
	t.out.WriteString(q)
	return true
}

// possess writes a possessive quantifier: an atomic group around the atom.
func (t *translation) possess(q string) {
	if t.atom < 0 {
		t.out.WriteString(q + "+")
		return
	}
	s := t.out.String()
	t.out.Reset()
	t.out.WriteString(s[:t.atom] + "(?>" + s[t.atom:] + q + ")")
}

// openGroup translates what an open parenthesis begins.
func (t *translation) openGroup() error {
	start := t.out.Len()
	push := func(s string, skip int) {
		t.open = append(t.open, group{start, t.dotAll})
		t.out.WriteString(s)
		t.at += skip
		t.atom = -1
	}
	if !t.peek("(?") {
		if t.peek("(*") {
			return prim.Errorf(diag.NotCompiled, "verbs in regular expressions")
		}
		t.names = append(t.names, "")
		push("(", 1)
		return nil
	}
	for _, s := range []string{"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if t.peek(s) {
			push(s, len(s))
			return nil
		}
	}
	if t.peek("(?#") {
		for t.at < len(t.in) && t.in[t.at] != ')' {
			t.at++
		}
		t.at++
		return nil
	}
	for _, s := range []string{"(?P<", "(?<", "(?'"} {
		if t.peek(s) {
			name, skip := t.nameAt(t.at + len(s))
			if name == "" {
				return prim.Errorf(diag.WrongDomain, "a group of the pattern has no name")
			}
			t.names = append(t.names, name)
			push("(", skip-t.at)
			return nil
		}
	}
	if t.peek("(?P=") {
		name, skip := t.nameAt(t.at + 4)
		t.at = skip
		return t.reference(name)
	}
	return t.flags(push)
}

// nameAt reads the name that ends before > ' } or ), and returns the place behind.
func (t *translation) nameAt(from int) (string, int) {
	for i := from; i < len(t.in); i++ {
		if strings.ContainsRune(">'})", t.in[i]) {
			return string(t.in[from:i]), i + 1
		}
	}
	return "", len(t.in)
}

// flags translates (?imsx-imsx) and (?imsx-imsx:.
func (t *translation) flags(push func(string, int)) error {
	end := t.at + 2
	for end < len(t.in) && strings.ContainsRune("imsx-", t.in[end]) {
		end++
	}
	if end == len(t.in) || end == t.at+2 || t.in[end] != ')' && t.in[end] != ':' {
		return prim.Errorf(diag.NotCompiled, "recursion and conditions in regular expressions")
	}
	s := string(t.in[t.at : end+1])
	on, off, _ := strings.Cut(s[2:len(s)-1], "-")
	outer := t.dotAll
	dotAll := (outer || strings.Contains(on, "s")) && !strings.Contains(off, "s")
	if strings.Contains(on, "m") {
		t.mode = 'M'
	}
	if t.in[end] == ':' {
		push(s, len(s))
	} else {
		t.out.WriteString(s)
		t.at = end + 1
	}
	t.dotAll = dotAll
	return nil
}

// reference writes a back-reference to a group by its name or number.
func (t *translation) reference(name string) error {
	n, err := strconv.Atoi(name)
	if err != nil {
		n = -1
		for k, s := range t.names {
			if s == name && name != "" {
				n = k
			}
		}
	} else if n < 0 {
		n += len(t.names)
	}
	if n < 1 {
		return prim.Errorf(diag.WrongDomain, "the pattern refers to a group %s that it does not have", name)
	}
	t.unit(`(?:\` + strconv.Itoa(n) + `)`)
	return nil
}
