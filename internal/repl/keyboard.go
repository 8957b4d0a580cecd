package repl

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/apl"
)

// DefaultPrefix is the key that makes the next one type a glyph.
const DefaultPrefix = '`'

// keyboard holds what keys and names type.
type keyboard struct {
	prefix rune
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

// newKeyboard returns the keyboard of the table of glyphs.
func newKeyboard(prefix rune) *keyboard {
	k := &keyboard{prefix: prefix, keys: map[rune]string{}, pairs: map[string]string{}}
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

func wordRune(r rune) bool {
	return r == '_' || r == '∆' || r == '⍙' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func lastRune(s string) rune  { r, _ := utf8.DecodeLastRuneInString(s); return r }
func firstRune(s string) rune { r, _ := utf8.DecodeRuneInString(s); return r }

// typed returns the line after a key: the prefix key and the key behind it
// become a glyph. ok reports whether the line changed.
func (k *keyboard) typed(line []rune, pos int) (newLine []rune, newPos int, ok bool) {
	if pos < 2 || line[pos-2] != k.prefix {
		return nil, 0, false
	}
	glyph := k.keys[line[pos-1]]
	if glyph == "" {
		return nil, 0, false
	}
	return replace(line, pos-2, pos, glyph)
}

// replace puts text in the place of line[from:to].
func replace(line []rune, from, to int, text string) (newLine []rune, newPos int, ok bool) {
	mid := []rune(text)
	newLine = append(append(append([]rune{}, line[:from]...), mid...), line[to:]...)
	return newLine, from + len(mid), true
}

// complete completes what stands before pos: an overstrike pair, the name of a
// glyph, a command, or a name of the session. When there are several
// completions that have no longer common beginning they are returned.
func (k *keyboard) complete(line []rune, pos int, names []string) (newLine []rune, newPos int, choices []string) {
	if pos >= 2 {
		if glyph := k.pairs[string(line[pos-2:pos])]; glyph != "" {
			newLine, newPos, _ = replace(line, pos-2, pos, glyph)
			return newLine, newPos, nil
		}
	}
	from := pos
	for from > 0 && wordRune(line[from-1]) {
		from--
	}
	if from == 1 && (line[0] == ']' || line[0] == ')') || from > 0 && line[from-1] == '⎕' {
		from--
	}
	word := string(line[from:pos])
	if word == "" {
		return line, pos, nil
	}
	if glyph := k.exactly(word); glyph != "" && !contains(names, word) {
		newLine, newPos, _ = replace(line, from, pos, glyph)
		return newLine, newPos, nil
	}
	found := k.candidates(word, names)
	switch common := commonPrefix(found); {
	case len(found) == 0:
		return line, pos, nil
	case len(found) == 1:
		text := found[0]
		if glyph := k.exactly(text); glyph != "" && !contains(names, text) {
			text = glyph
		}
		newLine, newPos, _ = replace(line, from, pos, text)
		return newLine, newPos, nil
	case len(common) > len(word):
		newLine, newPos, _ = replace(line, from, pos, common)
		return newLine, newPos, nil
	}
	return line, pos, found
}

// exactly returns the glyph of that name.
func (k *keyboard) exactly(name string) string {
	for _, n := range k.names {
		if n.name == strings.ToLower(name) {
			return n.glyph
		}
	}
	return ""
}

// candidates returns the names that begin with word, sorted.
func (k *keyboard) candidates(word string, names []string) []string {
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

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

func commonPrefix(names []string) string {
	if len(names) == 0 {
		return ""
	}
	common := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	return common
}
