package repl

import (
	"os"

	"golang.org/x/sys/unix"
)

// memoryFile returns an open file without a name, in memory.
func memoryFile() (*os.File, error) {
	fd, err := unix.MemfdCreate("tailor", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "memory"), nil
}
