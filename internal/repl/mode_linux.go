package repl

import (
	"golang.org/x/sys/unix"
)

// modes are the two states of the terminal in a session.
//
// Keys typed while a line is evaluated wait, unseen, for the next prompt. A
// terminal that edits lines itself would echo them and would keep a Ctrl-D.
type modes struct {
	fd      int
	before  unix.Termios
	editing unix.Termios // every key is read as it is
	running unix.Termios // likewise, but Ctrl-C interrupts
}

// newModes reads the state of the terminal and changes nothing.
func newModes(fd int) (*modes, error) {
	before, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil, err
	}
	m := &modes{fd: fd, before: *before, editing: *before}
	t := &m.editing
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	m.running = m.editing
	m.running.Lflag |= unix.ISIG
	return m, nil
}

// edit is the state while a line is edited.
func (m *modes) edit() error { return unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.editing) }

// run is the state while a line is evaluated.
func (m *modes) run() error { return unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.running) }

// restore is the state before the session.
func (m *modes) restore() error { return unix.IoctlSetTermios(m.fd, unix.TCSETS, &m.before) }
