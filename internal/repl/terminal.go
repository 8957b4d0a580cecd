package repl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/peterh/liner"
	"golang.org/x/term"
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
	maxRows    = 60 // lines of a value that is not elided
)

// Run runs a session on the standard input until it is left. Results go to out.
func Run(o Options, out io.Writer) error {
	s := NewSession(out)
	if !term.IsTerminal(int(os.Stdin.Fd())) {
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
	mode, err := newModes()
	if err != nil {
		return fmt.Errorf("cannot use the terminal: %w", err)
	}
	defer mode.restore()
	mode.run()
	e, err := newEditor(s, o)
	if err != nil {
		return fmt.Errorf("cannot use the terminal: %w", err)
	}
	defer e.close()
	s.welcome()
	return s.loop(e, o)
}

// welcome is the banner.
func (s *Session) welcome() {
	s.dimmed("Type an expression, such as +/⍳100 (` and i, or iota and Tab, type ⍳); every value has its type.")
	s.dimmed("help lists the commands, ]help ⍴ explains a glyph, Ctrl-D leaves.")
}

// loop reads and runs lines until Ctrl-D or a command to leave.
func (s *Session) loop(e *editor, o Options) error {
	text := ""
	for {
		sign := prompt
		if text != "" {
			sign = promptMore
		}
		line, err := e.line(sign)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
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
		e.history.add(text)
		s.Width = screenWidth()
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

// open reports whether a brace, bracket or parenthesis of text is open.
func open(text string) bool {
	if t := strings.TrimSpace(text); t != "" && commandSign(t) {
		return false
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
	return depth > 0 || defining(text) || structured(text)
}

// defining reports whether a definition with a header, ∇ r←f x, is not closed by a
// line with ∇ alone.
func defining(text string) bool {
	is := false
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "⍝")
		line = strings.TrimSpace(line)
		switch {
		case i == 0:
			is = strings.HasPrefix(line, "∇") && line != "∇"
		case line == "∇":
			is = false
		}
	}
	return is
}
