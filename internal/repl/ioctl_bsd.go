//go:build darwin || freebsd || netbsd || openbsd

package repl

import "golang.org/x/sys/unix"

const (
	readTermios  = unix.TIOCGETA
	writeTermios = unix.TIOCSETA
)
