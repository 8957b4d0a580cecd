//go:build unix

package interp

import (
	"io/fs"
	"syscall"
)

// ownerID returns the number of the user that owns a file.
func ownerID(s fs.FileInfo) (uint32, bool) {
	if s == nil {
		return 0, false
	}
	t, ok := s.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return t.Uid, true
}
