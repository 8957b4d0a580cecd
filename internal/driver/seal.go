package driver

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/tailor-lang/tailor/internal/seal"
)

// sealedMode is the mode of an entry: its owner reads it, and runs programs.
const sealedMode fs.FileMode = 0o700

// sealFile appends the hash of a file to it, and lets nobody else write it.
func sealFile(path string) error {
	if sealed(path) { // a link to an entry
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	// A child that another goroutine starts now would inherit the file, and a
	// program that somebody may still write cannot be started.
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(seal.Of(text))
	return errors.Join(err, f.Chmod(sealedMode), f.Close())
}

// sealed reports whether a path is a file of ours with the contents that it had
// when it was made.
func sealed(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm() != sealedMode || !ownedBySelf(info) {
		return false
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	_, ok := seal.Contents(text)
	return ok
}
