//go:build unix

package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// trusted makes a directory where there is none and returns its path, links
// followed. It refuses one that another user could write into, or could put
// another one in the place of.
func trusted(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the cache %s cannot be made: %w", dir, systemError(err))
	}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return "", fmt.Errorf("the cache %s cannot be read: %w", dir, systemError(err))
	}
	for path := real; ; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		if err != nil {
			return "", fmt.Errorf("the cache %s cannot be read: %w", dir, systemError(err))
		}
		if why := distrust(info, path == real); why != "" {
			return "", fmt.Errorf("the cache %s is not used, because %s %s", dir, path, why)
		}
		if path == filepath.Dir(path) {
			return real, nil
		}
	}
}

// distrust says who else may change a directory, or "". The directory above
// that of the cache may be root's, or open to all who may only add to it.
func distrust(info fs.FileInfo, own bool) string {
	stat, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return "is no directory"
	case !ok:
		return ""
	case int(stat.Uid) != os.Geteuid() && (own || stat.Uid != 0):
		return fmt.Sprintf("belongs to another user (%d)", stat.Uid)
	case own && info.Mode()&0o022 != 0,
		info.Mode()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0:
		return "can be written by others"
	}
	return ""
}

// ownedBySelf reports whether a file belongs to the user who runs this.
func ownedBySelf(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) == os.Geteuid()
}

// links returns how many names a file has.
func links(info fs.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return int64(stat.Nlink)
	}
	return 1
}

// lock is held by the process that makes an entry. The file goes when the lock
// is released; the system releases it when the process dies.
type lock struct {
	file *os.File
	path string
}

// lock waits for the lock of an entry.
func (c *Cache) lock(name string) (*lock, error) {
	l, err := c.acquire(name, syscall.LOCK_EX)
	if err == nil {
		remember(l.path)
	}
	return l, err
}

// tryLock returns the lock of an entry, or nil where another process has it.
func (c *Cache) tryLock(name string) *lock {
	l, err := c.acquire(name, syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		return nil
	}
	return l
}

func (c *Cache) acquire(name string, how int) (*lock, error) {
	path := filepath.Join(c.Dir, name+lockSuffix)
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, err
		}
		for err = syscall.EINTR; err == syscall.EINTR; {
			err = syscall.Flock(int(f.Fd()), how)
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		held, err := f.Stat()
		if now, e := os.Lstat(path); err == nil && e == nil && os.SameFile(held, now) {
			return &lock{f, path}, nil
		}
		f.Close() // the one who held it before has removed the file
	}
}

func (l *lock) release() {
	forget(l.path)
	l.file.Close()
}

// apart makes a command the head of a group of processes, so that those it
// starts can be stopped with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
}

func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// endBy ends the process as the signal would have.
func endBy(s os.Signal) {
	signal.Reset(s)
	syscall.Kill(os.Getpid(), s.(syscall.Signal))
	time.Sleep(time.Second)
	os.Exit(128 + int(s.(syscall.Signal)))
}

// execFile replaces this process by the program in a file that may have lost
// its name.
func execFile(f *os.File, args []string) error {
	path := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if _, err := os.Stat(path); err != nil {
		return errors.ErrUnsupported
	}
	return syscall.Exec(path, args, os.Environ())
}

// canDetach reports whether a process can be left behind.
const canDetach = true

// detach makes a command outlive this process.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// lowerPriority lets other processes go first.
func lowerPriority() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 15) }

// statusOf returns the exit status of a process as shells give it.
func statusOf(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return p.ExitCode()
}

// become replaces this process by a program.
func become(path string, args []string) error { return syscall.Exec(path, args, os.Environ()) }

// endings are the signals that end a process.
var endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
