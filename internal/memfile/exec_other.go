//go:build !linux

package memfile

import "errors"

// Exec runs an executable in place of this process. It returns where that cannot be done.
func Exec([]byte, []string, []string) error { return errors.ErrUnsupported }
