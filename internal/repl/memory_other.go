//go:build !linux

package repl

import "os"

// memoryFile returns an open file that has no name any more, where the system
// allows that.
func memoryFile() (*os.File, error) {
	f, err := os.CreateTemp("", "tailor-session-")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name())
	return f, nil
}
