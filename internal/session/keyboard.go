package session

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/apl"
)

// DefaultPrefix is the key that makes the next one type a glyph.
const DefaultPrefix = '`'

// Keyboard holds what keys and names type.
type Keyboard struct {
	Prefix rune            // the key before a key that types a glyph
	keys   map[rune]string // after the prefix key
	names  []named         // by name
	pairs  map[string]string
}

type named struct{ name, glyph string }

// overstrikes are the pairs of characters that make a glyph when one is
// struck over the other, as on a typewriter; either order is taken.
var overstrikes = map[string]string{
	"O|": "⌽", "O-": "⊖", "O\\": "⍉", "O*": "⍟", "O.": "⍥", "/-": "⌿", "\\-": "⍀",
	"^~": "⍲", "v~": "⍱", "=/": "≠", "<_": "≤", ">_": "≥", "L-": "⌹", "[]": "⎕",
	"A|": "⍋", "V|": "⍒", "i_": "⍸", "e_": "⍷", "c|": "⍧", "o.": "⍤", "*.": "⍣",
	"~.": "⍨", "..": "¨", "-:": "÷", "x-": "×", "L'": "⌊", "T_": "⊥", "I-": "⊤",
	"(=": "⊆", "=_": "≡", ",-": "⍪", "n|": "⍝", "'.": "⍞", "v-": "⍫",
}

// NewKeyboard returns the keyboard of the table of glyphs.
func NewKeyboard(prefix rune) *Keyboard {
	k := &Keyboard{Prefix: prefix, keys: map[rune]string{}, pairs: map[string]string{}}
	for _, g := range apl.Glyphs {
		if r, _ := utf8.DecodeRuneInString(g.Key); g.Key != "" && g.Key != g.Glyph && k.keys[r] == "" {
			k.keys[r] = g.Glyph
		}
		for _, name := range []string{g.Name, g.Monadic, g.Dyadic} {
			if name = strings.ReplaceAll(name, " ", ""); name != "" {
				k.names = append(k.names, named{strings.ToLower(name), g.Glyph})
			}
		}
	}
	for pair, glyph := range overstrikes {
		if apl.LookupGlyph(glyph) == nil {
			continue
		}
		k.pairs[pair] = glyph
		k.pairs[pair[1:]+pair[:1]] = glyph
	}
	return k
}

// Glyph returns the glyph of a key behind the prefix, "" where it has none.
func (k *Keyboard) Glyph(key rune) string { return k.keys[key] }

func wordRune(r rune) bool {
	return r == '_' || r == '∆' || r == '⍙' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func lastRune(s string) rune  { r, _ := utf8.DecodeLastRuneInString(s); return r }
func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// Complete completes the end of what is typed: an overstrike pair, the name of a
// glyph, a command, or a name of the session. The completions stand in place of
// the characters from from on.
func (k *Keyboard) Complete(typed []rune, names []string) (from int, found []string) {
	pos := len(typed)
	if pos >= 2 {
		if glyph := k.pairs[string(typed[pos-2:])]; glyph != "" {
			return pos - 2, []string{glyph}
		}
	}
	for from = pos; from > 0 && wordRune(typed[from-1]); {
		from--
	}
	if from == 1 && (typed[0] == ']' || typed[0] == ')') || from > 0 && typed[from-1] == '⎕' {
		from--
	}
	word := string(typed[from:])
	if word == "" {
		return pos, nil
	}
	if glyph := k.exactly(word); glyph != "" && !slices.Contains(names, word) {
		return from, []string{glyph}
	}
	found = k.candidates(word, names)
	if len(found) == 1 && !slices.Contains(names, found[0]) {
		return from, []string{k.exactly(found[0])}
	}
	return from, found
}

// exactly returns the glyph of that name.
func (k *Keyboard) exactly(name string) string {
	for _, n := range k.names {
		if n.name == strings.ToLower(name) {
			return n.glyph
		}
	}
	return ""
}

// candidates returns the names that begin with word, sorted.
func (k *Keyboard) candidates(word string, names []string) []string {
	seen := map[string]bool{}
	var found []string
	add := func(name string) {
		if strings.HasPrefix(name, word) && !seen[name] {
			seen[name] = true
			found = append(found, name)
		}
	}
	for _, n := range names {
		add(n)
	}
	if word[0] != ']' && word[0] != ')' {
		for _, n := range k.names {
			add(n.name)
		}
	}
	sort.Strings(found)
	return found
}

// Names returns what is completed besides the names of glyphs.
func (s *Session) Names() []string {
	var names []string
	for _, k := range s.known {
		names = append(names, k.Name)
	}
	for _, c := range commands {
		names = append(names, c.name)
	}
	for _, n := range apl.SystemNames {
		names = append(names, n.Name)
	}
	return names
}
