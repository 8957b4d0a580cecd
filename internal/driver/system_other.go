//go:build !unix

package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

func trusted(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the cache %s cannot be made: %w", dir, systemError(err))
	}
	return filepath.Abs(dir)
}

func ownedBySelf(fs.FileInfo) bool { return true }

func links(fs.FileInfo) int64 { return 1 }

// lock does not keep others out here: entries are only made twice.
type lock struct{}

func (c *Cache) lock(string) (*lock, error) { return &lock{}, nil }
func (c *Cache) tryLock(string) *lock       { return nil }
func (l *lock) release()                    {}

func apart(*exec.Cmd) {}

func killGroup(p *os.Process) { p.Kill() }

func statusOf(p *os.ProcessState) int { return p.ExitCode() }

func endBy(os.Signal) { os.Exit(1) }

func execFile(*os.File, []string) error { return errors.ErrUnsupported }

const canDetach = false

func detach(*exec.Cmd) {}

func lowerPriority() {}

// become runs a program in the place of this process, which waits for it.
func become(path string, args []string) error {
	cmd := exec.Command(path, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		CleanUp()
		os.Exit(exit.ExitCode())
	case err == nil:
		CleanUp()
		os.Exit(0)
	}
	return err
}

var endings = []os.Signal{os.Interrupt, syscall.SIGTERM}
