//go:build linux || darwin || freebsd || netbsd || openbsd

package repl

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"github.com/tailor-lang/tailor/internal/session"
)

// keys passes on keys from the terminal to the line editor, which reads a pipe
// in the place of standard input; the prefix key and the key behind it become a
// glyph on the way. While no line is edited the terminal is left alone, so that
// keys typed ahead stay there, and programs can read it.
type keys struct {
	terminal   *os.File
	pipe       *os.File // the end that keys are written to
	wake       *os.File // closing it ends the wait for a key
	woken      *os.File
	done       chan bool
	translated translator
}

// newKeys returns the keys, and the file that the line editor reads.
func newKeys(board *session.Keyboard) (*keys, *os.File, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	return &keys{terminal: os.Stdin, pipe: out, translated: translator{board: board}}, in, nil
}

// resume passes on keys until pause is called.
func (k *keys) resume() error {
	woken, wake, err := os.Pipe()
	if err != nil {
		return err
	}
	k.woken, k.wake, k.done = woken, wake, make(chan bool)
	go k.pass()
	return nil
}

// pause returns when no more keys are taken from the terminal.
func (k *keys) pause() {
	k.wake.Close()
	<-k.done
	k.woken.Close()
}

// pass copies keys from the terminal to the pipe until pause is called, or the
// terminal is closed; the editor then reads the end of its input.
func (k *keys) pass() {
	defer close(k.done)
	buffer := make([]byte, 4096)
	for k.wait() {
		n, err := unix.Read(int(k.terminal.Fd()), buffer)
		if err == unix.EINTR {
			continue
		}
		if n <= 0 || err != nil {
			k.pipe.Close()
			return
		}
		if _, err := io.WriteString(k.pipe, k.translated.keys(buffer[:n])); err != nil {
			return
		}
	}
}

// wait waits for a key; it returns false when pause was called first.
func (k *keys) wait() bool {
	fds := []unix.PollFd{
		{Fd: int32(k.woken.Fd()), Events: unix.POLLIN},
		{Fd: int32(k.terminal.Fd()), Events: unix.POLLIN},
	}
	for {
		_, err := unix.Poll(fds, -1)
		if err == unix.EINTR {
			continue
		}
		return err == nil && fds[0].Revents == 0
	}
}
