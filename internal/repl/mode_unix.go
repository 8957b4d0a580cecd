//go:build linux || darwin || freebsd || netbsd || openbsd

package repl

import (
	"os"

	"golang.org/x/sys/unix"
)

// modes are the states of the terminal outside the line editor.
//
// Keys typed while a line is evaluated wait, unseen, for the next prompt. A
// terminal that edits lines itself would echo them and would keep a Ctrl-D.
type modes struct {
	fd      int
	before  unix.Termios
	running unix.Termios // every key is kept as it is, but Ctrl-C interrupts
}

// newModes reads the state of the terminal and changes nothing.
func newModes() (*modes, error) {
	m := &modes{fd: int(os.Stdin.Fd())}
	before, err := unix.IoctlGetTermios(m.fd, readTermios)
	if err != nil {
		return nil, err
	}
	m.before, m.running = *before, *before
	t := &m.running
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.IEXTEN
	t.Lflag |= unix.ISIG
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return m, nil
}

// run is the state while a line is evaluated.
func (m *modes) run() { _ = unix.IoctlSetTermios(m.fd, writeTermios, &m.running) }

// restore is the state before the session.
func (m *modes) restore() { _ = unix.IoctlSetTermios(m.fd, writeTermios, &m.before) }
