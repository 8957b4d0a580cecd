package repl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/peterh/liner"
	"golang.org/x/term"

	"github.com/tailor-lang/tailor/internal/session"
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
	s := session.New(out)
	s.Rows = maxRows
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return s.Lines(os.Stdin, o.OneLine)
	}
	return terminal(s, o)
}

// terminal runs a session with line editing.
func terminal(s *session.Session, o Options) error {
	if o.Prefix == 0 {
		o.Prefix = session.DefaultPrefix
	}
	s.Color = o.Color
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
	welcome(s)
	return loop(s, e, o)
}

// welcome is the banner.
func welcome(s *session.Session) {
	s.Note("Type an expression, such as +/⍳100 (` and i, or iota and Tab, type ⍳); every value has its type.")
	s.Note("help lists the commands, ]help ⍴ explains a glyph, Ctrl-D leaves.")
}

// loop reads and runs lines until Ctrl-D or a command to leave.
func loop(s *session.Session, e *editor, o Options) error {
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
		if !o.OneLine && session.Open(text) {
			text += "\n"
			continue
		}
		e.history.add(text)
		s.Width = screenWidth()
		err = interruptible(s, text)
		text = ""
		if err != nil {
			return nil
		}
	}
}

// interruptible runs a line that Ctrl-C stops.
func interruptible(s *session.Session, text string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return s.Execute(ctx, text)
}
