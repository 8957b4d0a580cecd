package interp

import (
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// phrase is a phrase of the left argument of ⎕FMT: a form of one column (A E F G I),
// a move (T X), a text ('t') or the end of a group (')').
type phrase struct {
	form          byte
	repeat        int
	width, places int
	text          []rune // the inserted text, or the pattern of G
	group         []phrase

	blank, commas, left, zeros bool            // B C L Z
	scale                      int             // K
	subs                       map[rune]rune   // S
	instead                    []instead       // O
	affixes                    map[byte][]rune // M N P Q R
}

// instead is the text that stands for a value.
type instead struct {
	value float64
	text  []rune
}

// formatError is an error in the left argument of ⎕FMT.
func formatError(format string, args ...any) error {
	e := asFault(prim.Errorf(diag.WrongDomain, format, args...))
	e.number = 7
	return e
}

// specReader reads the left argument of ⎕FMT.
type specReader struct {
	text []rune
	at   int
}

// parseSpec returns the phrases of a format, groups repeated.
func parseSpec(s string) ([]phrase, error) {
	r := &specReader{text: []rune(s)}
	list, err := r.list(false)
	if err != nil {
		return nil, err
	}
	var out []phrase
	return appendPhrases(out, list)
}

// maxPhrases is the number of phrases that a format may expand to.
const maxPhrases = 100000

// appendPhrases writes out groups and repetitions. A phrase ')' stands behind each
// pass through a group.
func appendPhrases(out, list []phrase) ([]phrase, error) {
	var err error
	for _, p := range list {
		for i := 0; i < p.repeat; i++ {
			if p.form != '(' {
				out = append(out, p)
			} else if out, err = appendPhrases(out, p.group); err == nil {
				out = append(out, phrase{form: ')'})
			}
			if len(out) > maxPhrases {
				return nil, prim.Errorf(diag.AtLimit, "the format has too many phrases")
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (r *specReader) blanks() {
	for r.at < len(r.text) && r.text[r.at] == ' ' {
		r.at++
	}
}

// peek returns the next character that is not a blank, or 0.
func (r *specReader) peek() rune {
	r.blanks()
	if r.at == len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// list reads phrases that commas separate, up to the end or a parenthesis.
func (r *specReader) list(inside bool) ([]phrase, error) {
	var out []phrase
	for {
		p, err := r.phrase()
		if err != nil {
			return nil, err
		}
		out = append(out, p)
		switch c := r.peek(); {
		case c == ',':
			r.at++
		case c == ')' && inside:
			r.at++
			return out, nil
		case c == 0 && !inside:
			return out, nil
		default:
			return nil, formatError("the format is ill-formed at character %d", r.at+1)
		}
	}
}

// phrase reads one phrase.
func (r *specReader) phrase() (phrase, error) {
	p := phrase{repeat: 1}
	r.blanks()
	if n, ok := r.digits(); ok {
		p.repeat = n
	}
	for {
		c := r.peek()
		if c == 0 {
			return p, formatError("the format ends in a phrase")
		}
		if closing(c) != 0 {
			text, err := r.delimited()
			p.form, p.text = '\'', text
			return p, err
		}
		r.at++
		if c == '(' {
			var err error
			p.form = '('
			p.group, err = r.list(true)
			return p, err
		}
		if strings.ContainsRune("AEFGITX", c) {
			p.form = byte(c)
			return p, r.form(&p)
		}
		if err := r.qualifier(&p, c); err != nil {
			return p, err
		}
	}
}

// form reads the numbers behind the letter of a phrase.
func (r *specReader) form(p *phrase) error {
	ok := true
	switch p.form {
	case 'G':
		var err error
		p.text, err = r.delimited()
		p.width = len(p.text)
		return err
	case 'T':
		p.width, ok = r.digits()
	case 'X':
		p.width, ok = r.integer()
	case 'A', 'I':
		p.width, ok = r.digits()
	default:
		if p.width, ok = r.digits(); ok && r.peek() == '.' {
			r.at++
			p.places, ok = r.digits()
			ok = ok && (p.places <= p.width-2 || p.places == 0)
		} else {
			ok = false
		}
	}
	if !ok {
		return formatError("a phrase %c of a format lacks its width, or has no room for its digits", p.form)
	}
	return nil
}

// qualifier reads what may stand before the letter of a phrase.
func (r *specReader) qualifier(p *phrase, c rune) error {
	var err error
	switch c {
	case 'B':
		p.blank = true
	case 'C':
		p.commas = true
	case 'L':
		p.left = true
	case 'Z':
		p.zeros = true
	case 'K':
		n, ok := r.integer()
		if !ok {
			return formatError("K of a format needs an integer")
		}
		p.scale = n
	case 'O':
		o := instead{value: r.value()}
		o.text, err = r.delimited()
		p.instead = append(p.instead, o)
	case 'S':
		var pairs []rune
		pairs, err = r.delimited()
		if len(pairs)%2 != 0 {
			return formatError("S of a format needs pairs of symbols")
		}
		p.subs = map[rune]rune{}
		for i := 0; i+1 < len(pairs); i += 2 {
			p.subs[pairs[i]] = pairs[i+1]
		}
	case 'M', 'N', 'P', 'Q', 'R':
		if p.affixes == nil {
			p.affixes = map[byte][]rune{}
		}
		p.affixes[byte(c)], err = r.delimited()
	default:
		return formatError("%c is no phrase of a format", c)
	}
	return err
}

// digits reads a number without a sign.
func (r *specReader) digits() (int, bool) {
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.Atoi(string(r.text[start:r.at]))
	return n, err == nil && n <= 1<<16
}

// integer reads a number that may have a sign.
func (r *specReader) integer() (int, bool) {
	negative := r.at < len(r.text) && (r.text[r.at] == '¯' || r.text[r.at] == '-')
	if negative {
		r.at++
	}
	n, ok := r.digits()
	if negative {
		n = -n
	}
	return n, ok
}

// value reads the number that O replaces, 0 if there is none.
func (r *specReader) value() float64 {
	start := r.at
	for r.at < len(r.text) && closing(r.text[r.at]) == 0 {
		r.at++
	}
	if v := parseNumber(strings.TrimSpace(string(r.text[start:r.at]))); v != nil && v.Kind <= value.Double {
		return v.Double(0)
	}
	return 0
}

// closing returns the partner of a delimiter of texts, or 0.
func closing(c rune) rune {
	switch c {
	case '<':
		return '>'
	case '⊂':
		return '⊃'
	case '⎕', '¨', '⍞':
		return c
	}
	return 0
}

// delimited reads a text between delimiters.
func (r *specReader) delimited() ([]rune, error) {
	end := closing(r.peek())
	if end == 0 {
		return nil, formatError("a text of the format has no delimiters")
	}
	r.at++
	for start := r.at; r.at < len(r.text); r.at++ {
		if r.text[r.at] == end {
			r.at++
			return r.text[start : r.at-1], nil
		}
	}
	return nil, formatError("a text of the format does not end")
}
