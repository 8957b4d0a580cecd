package repl

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/cputime"
	"github.com/tailor-lang/tailor/internal/session"
)

// screen is a session in a real terminal, run by tmux on a server of its own.
type screen struct {
	t      *testing.T
	socket string
}

// newScreen starts the program in a terminal of 100 columns.
func newScreen(t *testing.T, home string, args ...string) *screen {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	s := &screen{t, filepath.Join(t.TempDir(), "tmux")}
	command := "env HOME=" + home + " XDG_CONFIG_HOME=" + home + " TERM=screen NO_COLOR=1 " + program(t) + " repl " + strings.Join(args, " ")
	s.tmux("new-session", "-d", "-x", "100", "-y", "50", command)
	t.Cleanup(func() { exec.Command("tmux", "-S", s.socket, "kill-server").Run() })
	s.tmux("set-option", "remain-on-exit", "on")
	s.ready()
	return s
}

// patience is how often the screen is looked at, 20 times a second.
const patience = 20 * 120

// ready waits for the prompt, which is of six blanks.
func (s *screen) ready() {
	s.t.Helper()
	for range patience {
		if strings.TrimSpace(s.tmux("display-message", "-p", "#{cursor_x}")) == "6" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("there is no prompt:\n%s", s.tmux("capture-pane", "-p"))
}

// program builds the program once for all tests.
func program(t *testing.T) string {
	if built == "" {
		dir, err := os.MkdirTemp("", "tailor-repl-test-")
		require.NoError(t, err)
		built = filepath.Join(dir, "tailor")
		out, err := exec.Command("go", "build", "-o", built, "github.com/tailor-lang/tailor/cmd/tailor").CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return built
}

var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

func (s *screen) tmux(args ...string) string {
	out, err := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", s.socket}, args...)...).CombinedOutput()
	require.NoError(s.t, err, string(out))
	return string(out)
}

// keys sends keys as tmux names them; other arguments are typed as they are.
func (s *screen) keys(keys ...string) {
	for _, k := range keys {
		s.tmux("send-keys", k)
		time.Sleep(20 * time.Millisecond)
	}
}

// typed sends text literally and Enter.
func (s *screen) typed(text string) {
	s.tmux("send-keys", "-l", text)
	s.keys("Enter")
}

// shows waits until the screen contains the text.
func (s *screen) shows(text string) {
	s.t.Helper()
	var now string
	for range patience {
		if now = s.tmux("capture-pane", "-p"); strings.Contains(now, text) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("the screen does not show\n%s\nbut\n%s", text, strings.TrimRight(now, "\n"))
}

// ends waits until the program has ended.
func (s *screen) ends() {
	s.t.Helper()
	for range patience {
		if strings.TrimSpace(s.tmux("display-message", "-p", "#{pane_dead}")) == "1" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Fatalf("the session goes on:\n%s", s.tmux("capture-pane", "-p"))
}

func TestGlyphsByPrefixKey(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.keys("2 3`r`i6", "Enter")
	s.shows("      2 3⍴⍳6\n1 2 3\n4 5 6\n[int]2 · 2 3\n")
}

func TestGlyphsByAnotherPrefixKey(t *testing.T) {
	s := newScreen(t, t.TempDir(), "--prefix", "%")
	s.keys("%i3", "Enter")
	s.shows("      ⍳3\n1 2 3   [int]1 · 3\n")
}

func TestGlyphsByNameAndOverstrike(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.keys("rho", "Tab", "1 2 3", "Enter")
	s.shows("      ⍴1 2 3\n3   [int]1 · 1\n")
	s.keys("O|", "Tab", "1 2 3", "Enter")
	s.shows("      ⌽1 2 3\n3 2 1   [int]1 · 3\n")
}

func TestNamesComplete(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("temperature←20")
	s.keys("temp", "Tab", "+1", "Enter")
	s.shows("      temperature+1\n21   [int]0\n")
}

func TestDfnOfSeveralLines(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("f←{")
	s.typed("  ⍵+1")
	s.typed("}")
	s.typed("f 3")
	s.shows("      f 3\n4   [int]0\n")
}

func TestLinesEndAtTheirEndWithOneLine(t *testing.T) {
	s := newScreen(t, t.TempDir(), "--one-line")
	s.typed("f←{")
	s.shows("{ is not closed")
	s.typed("2+2")
	s.shows("      2+2\n4   [int]0\n")
}

func TestRedefinitionInTheTerminal(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("f←{⍵+1}")
	s.typed("g←{2×f ⍵}")
	s.typed("f←{⍵,1}")
	s.shows("g : [κ]r+1 → [κ]r+1   (was [κ]r → [κ]r)")
	s.typed("x←(1 2)'abc'")
	s.typed("]vars")
	s.shows("x            (<int>2, <char>3)")
	s.keys("C-d")
	s.ends()
}

func TestHistoryIsKept(t *testing.T) {
	home := t.TempDir()
	s := newScreen(t, home)
	s.typed("6×7")
	s.shows("42   [int]0")
	s.keys("C-d")
	s.ends()
	s = newScreen(t, home)
	s.keys("Up", "Enter")
	s.shows("      6×7\n42   [int]0\n")
}

// A dfn of several lines is one entry of the history, also in a later session.
func TestHistoryOfSeveralLines(t *testing.T) {
	home := t.TempDir()
	s := newScreen(t, home)
	s.typed("f←{ ⍝: int → int")
	s.typed("  ⍵+1")
	s.typed("}")
	s.shows("f : int → int")
	s.keys("C-d")
	s.ends()
	s = newScreen(t, home)
	s.keys("Up", "Enter")
	s.shows("f←{ ⍝: int → int␤  ⍵+1␤}\nf : int → int")
	s.typed("f 3")
	s.shows("4   [int]0")
}

func TestSearchOfTheHistory(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("6×7")
	s.typed("1+1")
	s.shows("2   [int]0")
	s.keys("C-r", "6", "×", "Enter")
	s.shows("6×7\n42   [int]0\n      1+1\n2   [int]0\n      6×7\n42")
}

func TestFilesComplete(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "prices.apl"), []byte("p←12 30\n"), 0o600))
	s := newScreen(t, t.TempDir())
	s.tmux("send-keys", "-l", "]load "+dir+"/pri")
	s.keys("Tab", "Enter")
	s.typed("p")
	s.shows("12 30")
}

// Lines that are pasted run one after the other; glyphs in them stay.
func TestPaste(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.tmux("send-keys", "-l", "x←⍳3\ry←+/x\ry×7\r")
	s.shows("42   [int]0")
}

func TestWordsThatAreCommands(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.shows("help lists the commands")
	s.typed("?")
	s.shows("]help [NAME]")
	s.typed("]help each")
	s.shows("¨  ")
	s.typed("]rows 5")
	s.typed("⍪⍳9")
	s.shows("rows 5")
	s.typed("quit")
	s.ends()
}

func TestInterruptStopsTheEvaluationOnly(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("x←5")
	s.typed("{⍵}⍣{0}1")
	time.Sleep(300 * time.Millisecond)
	s.keys("C-c")
	s.shows("interrupted")
	s.typed("x")
	s.shows("      x\n5   [int]0\n")
}

// Keys typed while a line is evaluated are read afterwards, Ctrl-D too.
func TestKeysWait(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("+/{⍵+1}⍣3000000⊢0")
	s.tmux("send-keys", "-l", "6×7")
	s.keys("Enter", "C-d")
	s.shows("      6×7\n42   [int]0\n")
	s.ends()
}

func TestErrorAndRecovery(t *testing.T) {
	s := newScreen(t, t.TempDir())
	s.typed("1 2 3+4 5")
	s.shows("LENGTH ERROR: shapes 3 and 2 differ on axis 1")
	s.typed("1+1")
	s.shows("      1+1\n2   [int]0\n")
}

func TestResponseTime(t *testing.T) {
	var out strings.Builder
	s := session.New(&out)
	const lines = 50
	took := cputime.Of(func() {
		for range lines {
			require.NoError(t, s.Execute(t.Context(), "+/⍳100"))
		}
	})
	require.Less(t, took/lines, 30*time.Millisecond)
}
