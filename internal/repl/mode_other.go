//go:build !linux

package repl

import "github.com/chzyer/readline"

// modes are the two states of the terminal in a session; elsewhere than on
// Linux, those of the line editor.
type modes struct {
	fd     int
	before *readline.State
}

// newModes reads the state of the terminal and changes nothing.
func newModes(fd int) (*modes, error) {
	before, err := readline.GetState(fd)
	return &modes{fd, before}, err
}

// edit is the state while a line is edited.
func (m *modes) edit() error {
	_, err := readline.MakeRaw(m.fd)
	return err
}

// run is the state while a line is evaluated.
func (m *modes) run() error { return readline.Restore(m.fd, m.before) }

// restore is the state before the session.
func (m *modes) restore() error { return readline.Restore(m.fd, m.before) }
