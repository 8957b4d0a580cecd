package memfile

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Exec runs an executable in place of this process. It returns where that cannot be done.
func Exec(contents []byte, args, env []string) error {
	f, err := New()
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(contents); err != nil {
		return err
	}
	return unix.Exec(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), args, env)
}
