//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package repl

// modes leaves the terminal to the line editor where it is no Unix terminal.
type modes struct{}

func newModes() (*modes, error) { return &modes{}, nil }

func (*modes) run() {}

func (*modes) restore() {}
