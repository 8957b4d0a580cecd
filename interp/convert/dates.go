package convert

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// language holds the words of dates.
type language struct {
	months, shortMonths, days, shortDays, halves []string
	ordinals                                     []string // of the days 1 to 31, or one for all
}

// languages are the ones that are built in; a dictionary adds others.
var languages = map[string]*language{
	"en": {
		strings.Fields("January February March April May June July August September October November December"),
		strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
		strings.Fields("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
		strings.Fields("Mon Tue Wed Thu Fri Sat Sun"),
		[]string{"AM", "PM"},
		strings.Fields("st nd rd th th th th th th th th th th th th th th th th th st nd rd th th th th th th th st"),
	},
	"da": {
		strings.Fields("januar februar marts april maj juni juli august september oktober november december"),
		strings.Fields("jan feb mar apr maj jun jul aug sep okt nov dec"),
		strings.Fields("mandag tirsdag onsdag torsdag fredag lørdag søndag"),
		strings.Fields("man tir ons tor fre lør søn"),
		[]string{"AM", "PM"}, []string{"."},
	},
	"de": {
		strings.Fields("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
		strings.Fields("Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez"),
		strings.Fields("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
		strings.Fields("Mo Di Mi Do Fr Sa So"),
		[]string{"AM", "PM"}, []string{"."},
	},
}

// FormatDates is 1200⌶: date numbers by a pattern.
func FormatDates(o options.Set, x, y *value.Array) (*value.Array, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "1200⌶ needs a pattern to the left")
	}
	pattern, err := prim.TextOf(x, "the pattern of 1200⌶")
	if err != nil {
		return nil, err
	}
	w := &dateWriter{name: "en"}
	if v := o["Language"]; v != nil {
		if w.name, err = prim.TextOf(v, "the option Language"); err != nil {
			return nil, err
		}
	}
	if v := o["Dictionary"]; v != nil {
		space, ok := v.Ref.(*value.Namespace)
		if !ok {
			return nil, prim.Errorf(diag.WrongDomain, "the option Dictionary is a namespace")
		}
		w.dictionary = space
	}
	if y.Kind > value.Double {
		return nil, prim.Errorf(diag.WrongDomain, "1200⌶ formats date numbers")
	}
	items := make([]*value.Array, y.Len())
	for i := range items {
		t := fromDays(0, 0, y.Double(i))
		if t.day < yearOne || t.day > lastDay {
			return nil, prim.Errorf(diag.WrongDomain, "a date of 1200⌶ is in the years 1 to 9999")
		}
		one := *w
		one.t = t
		if err := one.write(pattern, true); err != nil {
			return nil, err
		}
		items[i] = value.Text(one.out.String())
	}
	return value.Shaped(y.Shape, items), nil
}

// dateWriter writes a date by a pattern.
type dateWriter struct {
	t          moment
	name       string // of the language
	dictionary *value.Namespace
	out        strings.Builder
}

// write writes a pattern. Named patterns stand in it where nested is true.
func (w *dateWriter) write(pattern string, nested bool) error {
	r := []rune(pattern)
	for i := 0; i < len(r); {
		c := r[i]
		switch {
		case c == '"' || c == '\'':
			n, err := w.quoted(r[i:])
			if err != nil {
				return err
			}
			i += n
		case c == '%' && nested:
			end := i + 1
			for end < len(r) && r[end] != '%' {
				end++
			}
			if end == len(r) {
				return prim.Errorf(diag.WrongDomain, "a pattern's name does not end")
			}
			p, err := w.named(string(r[i+1 : end]))
			if err != nil {
				return err
			}
			if err := w.write(p, false); err != nil {
				return err
			}
			i = end + 1
		case c == '_' && i+1 < len(r) && r[i+1] == '_':
			rest := string(r[i+2:])
			name, _, ok := strings.Cut(rest, "__")
			if !ok {
				return prim.Errorf(diag.WrongDomain, "the name of a language does not end")
			}
			w.name = name
			i += 4 + len([]rune(name))
		case c == '_' || c < 128 && unicode.IsLetter(c):
			n := 1
			letter := c
			if c == '_' && i+1 < len(r) {
				letter = r[i+1]
			}
			for i+n < len(r) && unicode.ToLower(r[i+n]) == unicode.ToLower(letter) {
				n++
			}
			if err := w.field(string(r[i:i+n]), letter); err != nil {
				return err
			}
			i += n
		case c == '%' || c == '$':
			return prim.Errorf(diag.WrongDomain, "%c in a pattern of dates", c)
		default:
			w.out.WriteRune(c)
			i++
		}
	}
	return nil
}

// quoted writes a text between quotes and returns its length.
func (w *dateWriter) quoted(r []rune) (int, error) {
	for i := 1; i < len(r); i++ {
		switch {
		case r[i] != r[0]:
			w.out.WriteRune(r[i])
		case i+1 < len(r) && r[i+1] == r[0]:
			w.out.WriteRune(r[i])
			i++
		default:
			return i + 1, nil
		}
	}
	return 0, prim.Errorf(diag.WrongDomain, "a text in a pattern of dates does not end")
}

// spaceOf returns a namespace in another one, or nil.
func spaceOf(n *value.Namespace, name string) *value.Namespace {
	if n == nil {
		return nil
	}
	if v, ok := n.Get(name).(*value.Array); ok {
		s, _ := v.Ref.(*value.Namespace)
		return s
	}
	return nil
}

// region returns the names of the language, and of that without its region.
func (w *dateWriter) region() []string {
	base, _, _ := strings.Cut(w.name, "_")
	return []string{w.name, base}
}

// named returns a predefined pattern.
func (w *dateWriter) named(name string) (string, error) {
	patterns := spaceOf(w.dictionary, "Patterns")
	for _, s := range append(w.region(), "Global") {
		if space := spaceOf(patterns, s); space != nil {
			if v, ok := space.Get(name).(*value.Array); ok {
				return prim.TextOf(v, "a pattern")
			}
		}
	}
	if name == "ISO" {
		return `YYYY-MM-DD"T"hh:mm:ss`, nil
	}
	return "", prim.Errorf(diag.WrongDomain, "there is no pattern %s", name)
}

// words returns a list of words of the language.
func (w *dateWriter) words(name string, of func(*language) []string, k int64) (string, error) {
	for _, s := range w.region() {
		if space := spaceOf(w.dictionary, s); space != nil {
			if v, ok := space.Get(name).(*value.Array); ok {
				if v.Kind == value.Char {
					return string(v.Chars), nil
				}
				if int(k) < v.Len() {
					return prim.TextOf(v.Item(int(k)), "a word of a dictionary")
				}
			}
		}
		if l := languages[s]; l != nil {
			list := of(l)
			if len(list) == 1 {
				k = 0
			}
			return list[k], nil
		}
	}
	return "", prim.Errorf(diag.WrongDomain, "there are no words %s for the language %s", name, w.name)
}

// field writes a run of one letter.
func (w *dateWriter) field(f string, letter rune) error {
	n := len(f)
	y, m, d := civil(w.t.day)
	h, minute, second, ns := w.t.clock()
	isoYear, week, weekday := w.t.isoWeek()
	switch lower := unicode.ToLower(letter); {
	case lower == 'm' && n >= 3:
		return w.word(f, n, 3, m-1, "MonthNames", "ShortMonthNames", func(l *language) []string { return l.months }, func(l *language) []string { return l.shortMonths })
	case lower == 'd' && n >= 3:
		return w.word(f, n, 3, weekday-1, "WeekdayNames", "ShortWeekdayNames", func(l *language) []string { return l.days }, func(l *language) []string { return l.shortDays })
	case letter == 'Y' && (n == 2 || n == 4):
		return w.year(y, n)
	case letter == 'W' && (n == 2 || n == 4):
		return w.year(isoYear, n)
	case letter == 'y' && n <= 2:
		return w.number(f, w.t.day-dayOf(y, 1, 1)+1, 3)
	case letter == 'M' && n <= 2:
		return w.number(f, m, 2)
	case letter == 'D' && n <= 2:
		return w.number(f, d, 2)
	case letter == 'd' && n == 1:
		return w.number(f, weekday, 1)
	case letter == 'h' && n <= 2:
		return w.number(f, h, 2)
	case letter == 't' && n <= 2:
		return w.number(f, (h+11)%12+1, 2)
	case letter == 'm' && n <= 2:
		return w.number(f, minute, 2)
	case letter == 's' && n <= 2:
		return w.number(f, second, 2)
	case letter == 'w' && n <= 2:
		return w.number(f, week, 2)
	case letter == 'f' && n <= 6:
		w.out.WriteString(fmt.Sprintf("%09d", ns)[:n])
		return nil
	case lower == 'o' && n <= 2:
		return w.word(f, n, 1, d-1, "Ordinals", "Ordinals", func(l *language) []string { return l.ordinals }, nil)
	case lower == 'p' && n <= 2:
		return w.word(f, n, 1, h/12, "MorningAfternoon", "MorningAfternoon", func(l *language) []string { return l.halves }, nil)
	}
	return prim.Errorf(diag.WrongDomain, "%s in a pattern of dates", f)
}

func (w *dateWriter) year(y int64, n int) error {
	if n == 2 {
		y %= 100
	}
	fmt.Fprintf(&w.out, "%0*d", n, y)
	return nil
}

// number writes a number: one letter as it is, two with zeros, _ with blanks.
func (w *dateWriter) number(f string, k int64, width int) error {
	switch {
	case len(f) == 1:
		fmt.Fprintf(&w.out, "%d", k)
	case f[0] == '_':
		fmt.Fprintf(&w.out, "%*d", width, k)
	default:
		fmt.Fprintf(&w.out, "%0*d", width, k)
	}
	return nil
}

// word writes a word in the case of the letters of the field; _ keeps that of the
// word. A field of the length short is the short form: of a list of its own, or the
// first letter.
func (w *dateWriter) word(f string, n, short int, k int64, long, brief string, of, ofBrief func(*language) []string) error {
	name := long
	if n == short && ofBrief != nil {
		name, of = brief, ofBrief
	}
	s, err := w.words(name, of, k)
	if err != nil {
		return err
	}
	r := []rune(s)
	if n == short && ofBrief == nil && len(r) > 1 {
		r = r[:1]
	}
	letters := []rune(f)
	if letters[0] == '_' {
		w.out.WriteString(string(r))
		return nil
	}
	for i, c := range r {
		model := letters[min(i, len(letters)-1)]
		if i > 0 && len(letters) > 1 {
			model = letters[1]
		}
		if unicode.IsUpper(model) {
			r[i] = unicode.ToUpper(c)
		} else {
			r[i] = unicode.ToLower(c)
		}
	}
	w.out.WriteString(string(r))
	return nil
}
