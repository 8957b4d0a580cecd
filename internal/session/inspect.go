package session

import (
	"context"
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// Inspect describes what stands at a place of a text: the type of a name, the source of
// a function, or what a glyph or a system name is. It reports whether there is something.
func (s *Session) Inspect(ctx context.Context, text []rune, at int) (string, bool) {
	word := wordAt(text, at)
	if word == "" {
		return "", false
	}
	for _, k := range s.known {
		if k.Name != word || k.class != apl.ArrayClass {
			continue
		}
		switch {
		case k.Value != nil:
			return word + " : " + describe(k.Value), true
		case k.Items != nil:
			return word + " : " + describeType(k.Items.Type()), true
		case k.dynamic != nil:
			return word + " : " + describeDynamic(k.dynamic), true
		}
	}
	var b strings.Builder
	asked := *s
	asked.Out, asked.Values, asked.Notes, asked.Pictures = &b, nil, nil, nil
	if err := asked.help(ctx, word); err != nil {
		return "", false
	}
	return strings.TrimRight(b.String(), "\n"), true
}

// wordAt returns the name or the glyph at a place, or just before it.
func wordAt(text []rune, at int) string {
	begin, end := at, at
	for begin > 0 && wordRune(text[begin-1]) {
		begin--
	}
	for end < len(text) && wordRune(text[end]) {
		end++
	}
	switch {
	case begin < end && begin > 0 && text[begin-1] == '⎕':
		begin--
	case begin < end:
	case at < len(text) && apl.LookupGlyph(string(text[at])) != nil:
		return string(text[at])
	case at > 0:
		return strings.TrimSpace(string(text[at-1]))
	}
	return string(text[begin:end])
}
