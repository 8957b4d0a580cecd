package interp

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
)

// asciiClasses are the classes of ASCII characters, as they stand in brackets, with
// their complements.
var asciiClasses = map[rune][2]string{
	'd': {`0-9`, `\x00-/:-\x{10FFFF}`},
	'w': {`0-9A-Z_a-z`, "\\x00-/:-@\\[-\\^`\\{-\\x{10FFFF}"},
	's': {` \t-\r`, `\x00-\x08\x0E-\x1F!-\x{10FFFF}`},
	'h': {` \t\xA0\u1680\u2000-\u200A\u202F\u205F\u3000`, `\x00-\x08\n-\x1F!-\x9F¡-\u167F\u1681-\u1FFF\u200B-\u202E\u2030-\u205E\u2060-\u2FFF\u3001-\x{10FFFF}`},
	'v': {`\n-\r\x85\u2028\u2029`, `\x00-\t\x0E-\x84\x86-\u2027\u202A-\x{10FFFF}`},
}

// posixClasses are the classes between [: and :].
var posixClasses = map[string]string{
	"alpha": `A-Za-z`, "digit": `0-9`, "alnum": `0-9A-Za-z`, "upper": `A-Z`, "lower": `a-z`, "space": ` \t-\r`,
	"blank": ` \t`, "punct": "!-/:-@\\[-`\\{-~", "xdigit": `0-9A-Fa-f`, "word": `0-9A-Z_a-z`, "cntrl": `\x00-\x1F\x7F`,
	"print": ` -~`, "graph": `!-~`, "ascii": `\x00-\x7F`,
}

// lastRune is the range end that the tables of classes spell \x{10FFFF}.
var lastRune = strings.NewReplacer(`\x{10FFFF}`, "\U0010FFFF")

// asciiClass returns the class of an escape as it stands in brackets, or "".
func (t *translation) asciiClass(c rune) string {
	lower := c | 0x20
	pair, ok := asciiClasses[lower]
	if !ok || t.ucp && lower != 'h' && lower != 'v' {
		return ""
	}
	if c == lower {
		return pair[0]
	}
	return lastRune.Replace(pair[1])
}

// boundary is \b where words are of ASCII letters, digits and underscores.
const boundary = `(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))`

// escape translates a backslash and what follows it, outside of brackets.
func (t *translation) escape() error {
	if t.at+1 == len(t.in) {
		return prim.Errorf(diag.WrongDomain, "the pattern ends in \\")
	}
	c := t.in[t.at+1]
	if s := t.asciiClass(c); s != "" {
		t.at += 2
		t.unit("[" + s + "]")
		return nil
	}
	switch {
	case c == 'Q':
		return t.quoted()
	case c == 'R':
		t.unit(`(?>\r\n|[` + lineEnds + `])`)
	case c == 'N':
		t.unit("[^" + lineEnds + "]")
	case (c == 'b' || c == 'B') && !t.ucp:
		s := boundary
		if c == 'B' {
			s = "(?!" + boundary + ")"
		}
		t.unit(s)
	case c == 'K' || c == 'X' || c == 'C':
		return prim.Errorf(diag.NotCompiled, "\\%c in regular expressions", c)
	case c == 'Z':
		t.unit(`(?=(?:\r\n|[` + lineEnds + `])?\z)`)
	case c == 'g' || c == 'k':
		return t.named(c)
	case c >= '1' && c <= '9':
		return t.digits()
	case c == 'p' || c == 'P':
		return t.property()
	case strings.ContainsRune("AzGbBdDwWsS", c):
		t.unit(`\` + string(c))
	default:
		r, err := t.character()
		if err != nil {
			return err
		}
		t.unit(literalRune(r))
		return nil
	}
	t.at += 2
	return nil
}

// quoted translates \Q…\E.
func (t *translation) quoted() error {
	rest := string(t.in[t.at+2:])
	body, _, ends := strings.Cut(rest, `\E`)
	for _, c := range body {
		t.unit(literalRune(c))
	}
	t.at += 2 + len([]rune(body))
	if ends {
		t.at += 2
	}
	return nil
}

// named translates \g1 \g{-1} \g{name} \k<name> \k'name' \k{name}.
func (t *translation) named(c rune) error {
	at := t.at + 2
	if at == len(t.in) {
		return prim.Errorf(diag.WrongDomain, "the pattern ends in \\%c", c)
	}
	name := ""
	if strings.ContainsRune("<'{", t.in[at]) {
		if c == 'g' && t.in[at] != '{' {
			return prim.Errorf(diag.NotCompiled, "calls of groups in regular expressions")
		}
		name, at = t.nameAt(at + 1)
	} else {
		for ; at < len(t.in) && (t.in[at] >= '0' && t.in[at] <= '9' || t.in[at] == '-'); at++ {
			name += string(t.in[at])
		}
	}
	t.at = at
	return t.reference(name)
}

// digits translates \1 and its like.
func (t *translation) digits() error {
	name := ""
	for t.at++; t.at < len(t.in) && t.in[t.at] >= '0' && t.in[t.at] <= '9' && len(name) < 2; t.at++ {
		name += string(t.in[t.at])
	}
	return t.reference(name)
}

// property translates \pL \p{Lu} \P{^Lu}.
func (t *translation) property() error {
	at := t.at + 2
	name := ""
	switch {
	case at == len(t.in):
		return prim.Errorf(diag.WrongDomain, "the pattern ends in \\p")
	case t.in[at] == '{':
		name, at = t.nameAt(at + 1)
	default:
		name, at = string(t.in[at]), at+1
	}
	letter := string(t.in[t.at+1])
	if strings.HasPrefix(name, "^") {
		name = name[1:]
		letter = map[string]string{"p": "P", "P": "p"}[letter]
	}
	t.at = at
	t.unit(`\` + letter + "{" + name + "}")
	return nil
}

// character reads an escape that stands for one character.
func (t *translation) character() (rune, error) {
	c := t.in[t.at+1]
	t.at += 2
	switch c {
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'f':
		return '\f', nil
	case 'a':
		return '\a', nil
	case 'e':
		return 27, nil
	case 'x':
		return t.hex()
	case '0':
		return t.number(8, 2), nil
	case 'c':
		if t.at < len(t.in) {
			t.at++
			return t.in[t.at-1] &^ 0x60, nil
		}
	}
	if c < 128 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
		return 0, prim.Errorf(diag.WrongDomain, "the pattern has an escape \\%c", c)
	}
	return c, nil
}

// number reads up to n digits of a base.
func (t *translation) number(base, n int) rune {
	from := t.at
	for t.at < len(t.in) && t.at < from+n {
		if _, err := strconv.ParseUint(string(t.in[t.at]), base, 8); err != nil {
			break
		}
		t.at++
	}
	k, _ := strconv.ParseUint(string(t.in[from:t.at]), base, 32)
	return rune(k)
}

// hex reads the digits behind \x.
func (t *translation) hex() (rune, error) {
	if !t.peek("{") {
		return t.number(16, 2), nil
	}
	digits, behind := t.nameAt(t.at + 1)
	k, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || k > 0x10FFFF {
		return 0, prim.Errorf(diag.WrongDomain, "the pattern has an escape \\x{%s}", digits)
	}
	t.at = behind
	return rune(k), nil
}

// class translates brackets.
func (t *translation) class() error {
	var b strings.Builder
	b.WriteByte('[')
	t.at++
	if t.peek("^") {
		b.WriteByte('^')
		t.at++
	}
	for first := true; ; first = false {
		switch {
		case t.at == len(t.in):
			return prim.Errorf(diag.WrongDomain, "the pattern has a [ without ]")
		case t.in[t.at] == ']' && !first:
			t.at++
			b.WriteByte(']')
			t.unit(b.String())
			return nil
		}
		if err := t.member(&b); err != nil {
			return err
		}
	}
}

// member translates one member of brackets.
func (t *translation) member(b *strings.Builder) error {
	c := t.in[t.at]
	if t.peek("[:") {
		if end := strings.Index(string(t.in[t.at:]), ":]"); end > 0 {
			name := string([]rune(string(t.in[t.at:])[2:end]))
			class, ok := posixClasses[name]
			if !ok {
				return prim.Errorf(diag.WrongDomain, "there is no class %s of characters", name)
			}
			b.WriteString(class)
			t.at += end + 2
			return nil
		}
	}
	if c != '\\' || t.at+1 == len(t.in) {
		t.at++
		if c != '-' {
			b.WriteString(classRune(c))
		} else {
			b.WriteRune(c)
		}
		return nil
	}
	d := t.in[t.at+1]
	if s := t.asciiClass(d); s != "" {
		b.WriteString(s)
		t.at += 2
		return nil
	}
	switch {
	case strings.ContainsRune("dDwWsS", d):
		b.WriteString(`\` + string(d))
		t.at += 2
	case d == 'p' || d == 'P':
		before := t.out.Len()
		if err := t.property(); err != nil {
			return err
		}
		s := t.out.String()
		t.out.Reset()
		t.out.WriteString(s[:before])
		b.WriteString(s[before:])
	case d == 'b':
		b.WriteString(`\x08`)
		t.at += 2
	default:
		r, err := t.character()
		if err != nil {
			return err
		}
		b.WriteString(classRune(r))
	}
	return nil
}

// classRune writes a character that stands for itself in brackets.
func classRune(c rune) string {
	if strings.ContainsRune(`\[]^-`, c) {
		return `\` + string(c)
	}
	return string(c)
}
