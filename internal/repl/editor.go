package repl

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
	"golang.org/x/term"

	"github.com/tailor-lang/tailor/internal/session"
)

// editor reads lines from the terminal.
type editor struct {
	board   *session.Keyboard
	session *session.Session
	state   *liner.State
	keys    *keys
	history *history
}

// newEditor returns the line editor of a session.
func newEditor(s *session.Session, o Options) (*editor, error) {
	e := &editor{board: session.NewKeyboard(o.Prefix), session: s}
	k, in, err := newKeys(e.board)
	if err != nil {
		return nil, err
	}
	e.keys = k
	terminal := os.Stdin
	os.Stdin = in // read by liner, which asks file 0 for the state of the terminal
	e.state = liner.NewLiner()
	os.Stdin = terminal
	e.state.SetCtrlCAborts(true)
	e.state.SetBeep(false)
	e.state.SetTabCompletionStyle(liner.TabPrints)
	e.state.SetWordCompleter(e.complete)
	e.history = newHistory(e.state, !o.NoHistory)
	return e, nil
}

func (e *editor) close() { e.state.Close() }

// line reads a line; the signs for ends of lines in an entry of the history
// become those again.
func (e *editor) line(sign string) (string, error) {
	if err := e.keys.resume(); err != nil {
		return "", err
	}
	defer e.keys.pause()
	text, err := e.state.Prompt(sign)
	return strings.ReplaceAll(text, lineSign, "\n"), err
}

// complete is called by the line editor when Tab is pressed.
func (e *editor) complete(line string, pos int) (head string, found []string, tail string) {
	runes := []rune(line)
	var from int
	if file, ok := strings.CutPrefix(string(runes[:pos]), "]load "); ok {
		from, found = len([]rune("]load ")), files(file)
	} else {
		from, found = e.board.Complete(runes[:pos], e.session.Names())
	}
	return string(runes[:from]), found, string(runes[pos:])
}

// files returns the names of files and folders that begin as name does.
func files(name string) []string {
	found, err := filepath.Glob(name + "*")
	if err != nil {
		return nil
	}
	for i, f := range found {
		if info, err := os.Stat(f); err == nil && info.IsDir() {
			found[i] += string(filepath.Separator)
		}
	}
	return found
}

// screenWidth returns the cells of a line, 0 when unknown.
func screenWidth() int {
	width, _, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		return 0
	}
	return width
}
