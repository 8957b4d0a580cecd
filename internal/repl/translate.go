package repl

import (
	"strings"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/session"
)

const (
	backspace = "\x7f"
)

// translator turns the prefix key and the key behind it into a glyph. The
// prefix is shown as it is typed; a glyph takes it back.
type translator struct {
	board    *session.Keyboard
	prefixed bool   // the last key was the prefix
	part     []byte // the beginning of a character in UTF-8
}

// keys returns what the line editor reads in place of the bytes of some keys.
func (t *translator) keys(typed []byte) string {
	var b strings.Builder
	t.part = append(t.part, typed...)
	for len(t.part) > 0 && (utf8.FullRune(t.part) || len(t.part) >= utf8.UTFMax) {
		r, size := utf8.DecodeRune(t.part)
		text := string(t.part[:size])
		t.part = t.part[size:]
		glyph := ""
		if t.prefixed {
			glyph = t.board.Glyph(r)
		}
		if glyph != "" {
			text = backspace + glyph
		}
		t.prefixed = r == t.board.Prefix && glyph == "" && !t.prefixed
		b.WriteString(text)
	}
	return b.String()
}
