package diag

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
)

func TestExcerpt(t *testing.T) {
	src := NewSource("f", "x←⍳3\n\ty←∘x  +z\nlast")
	at := func(text string) Span {
		i := strings.Index(src.Text, text)
		return Span{src, i, i + len(text)}
	}
	for _, c := range []struct {
		span, also Span
		want       string
	}{
		{at("⍳3"), Span{}, "    1 | x←⍳3\n      |   ^^\n"},
		{at("x  "), at("z"), "    2 |  y←∘x  +z\n      |     ^^^ ^\n"},
		{at("z"), at("⍳"), "    2 |  y←∘x  +z\n      |         ^\n"},
		{at("z\nlast"), Span{}, "    2 |  y←∘x  +z\n      |         ^\n"},
		{Span{src, len(src.Text), len(src.Text)}, Span{}, "    3 | last\n      |     ^\n"},
	} {
		e := &Error{Code: Unreadable, Span: c.span, Also: c.also}
		require.Equal(t, c.want, e.Details())
	}
}

// TestWide requires carets to stand under wide characters.
func TestWide(t *testing.T) {
	src := NewSource("f", "'漢字'+1")
	e := &Error{Code: WrongDomain, Span: Span{src, len("'漢字'"), len("'漢字'+")}}
	require.Equal(t, "    1 | '漢字'+1\n      |       ^\n", e.Details())
}

// TestLongLine requires an excerpt of a long line to be short, and quick.
func TestLongLine(t *testing.T) {
	text := strings.Repeat("⍵", 1000) + "x" + strings.Repeat("+", 9<<20)
	src := NewSource("f", text)
	at := strings.Index(text, "x")
	e := Errorf(Unreadable, Span{src, at, len(text)}, "m")
	require.Less(t, cputime.Of(func() {
		for range 50 {
			e.Render()
		}
	}), 2*time.Second)
	lines := strings.Split(e.Details(), "\n")
	require.Equal(t, strings.Repeat("⍵", 79)+"x"+strings.Repeat("+", 80), lines[0][len("    1 | "):])
	require.Equal(t, strings.Repeat(" ", 79)+strings.Repeat("^", 81), lines[1][len("      | "):])
}
