package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/chzyer/readline"
)

// Options are the choices of the command line.
type Options struct {
	Prefix    rune // the prefix key; 0 is the default
	OneLine   bool // a line ends at its end, brackets open or not
	NoHistory bool
	Color     bool
}

const (
	prompt     = "      " // APL's: six blanks
	promptMore = "∙     "
	maxRows    = 60       // lines of a value that is not elided
	tabKey     = '\uE000' // what Tab types, so that the listener sees it
)

// Run runs a session on the standard streams until it is left.
func Run(o Options) error {
	s := NewSession(os.Stdout)
	if !readline.IsTerminal(int(os.Stdin.Fd())) {
		return s.pipe(os.Stdin, o)
	}
	return s.terminal(o)
}

// pipe runs the lines of a reader that is no terminal.
func (s *Session) pipe(in io.Reader, o Options) error {
	s.Rows = maxRows
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<26)
	text := ""
	for lines.Scan() {
		text += lines.Text()
		if !o.OneLine && open(text) {
			text += "\n"
			continue
		}
		if s.Execute(context.Background(), text) != nil {
			return nil
		}
		text = ""
	}
	if text != "" && lines.Err() == nil {
		_ = s.Execute(context.Background(), text)
	}
	return lines.Err()
}

// terminal runs a session with line editing.
func (s *Session) terminal(o Options) error {
	if o.Prefix == 0 {
		o.Prefix = DefaultPrefix
	}
	s.Color = o.Color
	s.Rows = maxRows
	mode, err := newModes(int(os.Stdin.Fd()))
	if err != nil {
		return fmt.Errorf("cannot use the terminal: %w", err)
	}
	if err := mode.run(); err != nil {
		return fmt.Errorf("cannot use the terminal: %w", err)
	}
	defer func() { _ = mode.restore() }()
	editor := &editor{keys: newKeyboard(o.Prefix), session: s}
	config := &readline.Config{
		Prompt:              prompt,
		Listener:            editor,
		FuncFilterInputRune: editor.filter,
		HistoryLimit:        10_000,
		HistorySearchFold:   true,
		InterruptPrompt:     "",
		EOFPrompt:           "",
		FuncMakeRaw:         mode.edit,
		FuncExitRaw:         mode.run,
	}
	if !o.NoHistory {
		config.HistoryFile = historyFile()
	}
	rl, err := readline.NewEx(config)
	if err != nil {
		return fmt.Errorf("cannot use the terminal: %w", err)
	}
	defer rl.Close()
	editor.rl = rl
	return s.loop(rl, o)
}

// loop reads and runs lines until Ctrl-D or a command to leave.
func (s *Session) loop(rl *readline.Instance, o Options) error {
	text := ""
	for {
		rl.SetPrompt(prompt)
		if text != "" {
			rl.SetPrompt(promptMore)
		}
		line, err := rl.Readline()
		switch {
		case errors.Is(err, readline.ErrInterrupt):
			text = ""
			continue
		case err != nil:
			return nil
		}
		text += line
		if !o.OneLine && open(text) {
			text += "\n"
			continue
		}
		s.Width = readline.GetScreenWidth()
		err = s.interruptible(text)
		text = ""
		if err != nil {
			return nil
		}
	}
}

// interruptible runs a line that Ctrl-C stops.
func (s *Session) interruptible(text string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return s.Execute(ctx, text)
}

// historyFile returns where the history is kept, or "".
func historyFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "tailor")
	if os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return filepath.Join(dir, "history")
}

// open reports whether a brace, bracket or parenthesis of text is open.
func open(text string) bool {
	if t := strings.TrimSpace(text); t != "" && strings.ContainsRune("]):", rune(t[0])) {
		return false // a command
	}
	depth, quoted, comment := 0, false, false
	for _, r := range text {
		switch {
		case r == '\n':
			quoted, comment = false, false
		case comment:
		case r == '\'':
			quoted = !quoted
		case quoted:
		case r == '⍝':
			comment = true
		case r == '{' || r == '(' || r == '[':
			depth++
		case r == '}' || r == ')' || r == ']':
			depth--
		}
	}
	return depth > 0
}

// editor reacts to keys: prefix keys, and Tab.
type editor struct {
	keys    *keyboard
	session *Session
	rl      *readline.Instance
}

// filter makes Tab a character, which OnChange takes out again.
func (e *editor) filter(r rune) (rune, bool) {
	if r == readline.CharTab {
		return tabKey, true
	}
	return r, r != readline.CharCtrlZ
}

// OnChange is called by the line editor after every key.
func (e *editor) OnChange(line []rune, pos int, key rune) ([]rune, int, bool) {
	if pos > 0 && pos <= len(line) && line[pos-1] == tabKey {
		rest := append(append([]rune{}, line[:pos-1]...), line[pos:]...)
		newLine, newPos, choices := e.keys.complete(rest, pos-1, e.session.names())
		if len(choices) > 0 && e.rl != nil {
			fmt.Fprintln(e.rl.Stdout(), strings.Join(choices, "  "))
		}
		return newLine, newPos, true
	}
	return e.keys.typed(line, pos)
}

// names returns what Tab completes besides the names of glyphs.
func (s *Session) names() []string {
	var names []string
	for _, k := range s.known {
		names = append(names, k.Name)
	}
	for _, c := range commands {
		names = append(names, c.name)
	}
	return append(names, "⎕IO", "⎕CT", "⎕PP", "⎕RL", "⎕A", "⎕D", "⎕TS", "⎕AI", "⎕UCS", "⎕C", "⎕NGET", "⎕NPUT", "⎕CSV", "⎕VFI")
}
