//go:build !linux

package memfile

import "os"

// New returns an open file that has no name any more, where the system
// allows that.
func New() (*os.File, error) {
	f, err := os.CreateTemp("", "tailor-memory-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	return f, nil
}
