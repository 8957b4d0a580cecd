// Package memfile makes open files that have no name.
package memfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// New returns an open file without a name, in memory.
func New() (*os.File, error) {
	fd, err := unix.MemfdCreate("tailor", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "memory"), nil
}
