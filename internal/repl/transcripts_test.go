package repl

import (
	"flag"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	cases "github.com/tailor-lang/tailor/internal/transcript"
)

var update = flag.Bool("update", false, "rewrite testdata/terminal.txt")

// measured are times, which differ from run to run.
var measured = regexp.MustCompile(`[0-9.e-]+ ms, the best of [0-9]+`)

// TestTerminal holds what a terminal shows to testdata/terminal.txt: of each case the
// lines that are typed, and then the screen. Behind » are keys as tmux names them, and
// behind $ are commands of tmux.
func TestTerminal(t *testing.T) {
	cases.Check(t, "testdata/terminal.txt", *update, func(program string) string {
		s := newScreen(t, t.TempDir())
		for _, line := range strings.Split(strings.TrimSuffix(program, "\n"), "\n") {
			s.enter(line)
		}
		return measured.ReplaceAllString(trimmed(s.tmux("capture-pane", "-p")), "… ms, the best of many")
	})
}

// enter does what a line of a case says.
func (s *screen) enter(line string) {
	if command, ok := strings.CutPrefix(line, "$ "); ok {
		s.tmux(strings.Fields(command)...)
		time.Sleep(100 * time.Millisecond)
		return
	}
	text, keys, ok := strings.Cut(line, "» ")
	s.tmux("send-keys", "-l", text)
	s.keys(strings.Fields(keys)...)
	if !ok {
		s.keys("Enter")
	}
	s.ready()
}

// trimmed returns a screen without blanks at the ends of lines.
func trimmed(screen string) string {
	lines := strings.Split(screen, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestCOfFunctions(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("f←{ ⍝: int → int")
	s.typed("  1+⍵}")
	s.typed("]c f")
	s.shows("of  f (1)\n#include \"tailor.h\"")
	s.typed("exit")
	s.ends()
}

// Ctrl-C ends a compiled run whenever it comes, and the prompt comes back.
func TestInterruptsOfCompiledRuns(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("]target c")
	s.ready()
	for i := range 20 {
		s.tmux("send-keys", "-l", "{⍵}⍣{0}1")
		s.keys("Enter")
		time.Sleep(time.Duration(i*i) * time.Millisecond)
		s.keys("C-c")
		s.ready()
		require.Equal(t, i+1, strings.Count(s.tmux("capture-pane", "-p", "-S", "-200"), "interrupted"))
	}
	s.typed("1+1")
	s.shows("2   [int]0")
}
