package driver

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// run runs the compiler, which keeps its temporary files in dir; the error has
// what it printed.
func (cc *Compiler) run(dir string, args ...string) error {
	_, err := cc.output(dir, args...)
	return err
}

// output runs the compiler and returns what it printed.
func (cc *Compiler) output(dir string, args ...string) (string, error) {
	out, err := cc.start(dir, args...)
	if err != nil {
		return "", cc.failure(dir, args, out, err)
	}
	return out, nil
}

// start runs the compiler in a group of processes of its own, which is stopped
// when this process is.
func (cc *Compiler) start(dir string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(cc.Path, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "LC_ALL=C")
	apart(cmd)
	runtime.LockOSThread() // the death of the thread that started it counts as that of the process
	defer runtime.UnlockOSThread()
	pending.Lock()
	err := errCancelled
	if !cc.cancelled {
		err = cmd.Start()
	}
	if err == nil {
		pending.stop[cmd.Process] = cc
	}
	pending.Unlock()
	if err != nil {
		return "", err
	}
	err = cmd.Wait()
	pending.Lock()
	delete(pending.stop, cmd.Process)
	pending.Unlock()
	return out.String(), err
}

// errCancelled is the error of a compiler that is not needed any more.
var errCancelled = errors.New("the compiler was cancelled")

// Cancel stops the compiler, for good.
func (cc *Compiler) Cancel() {
	pending.Lock()
	defer pending.Unlock()
	cc.cancelled = true
	for p, of := range pending.stop {
		if of == cc {
			killGroup(p)
		}
	}
}

// failure says why the compiler failed: a *MissingTool where it fails with a
// program that is right for certain, too, else an error of ours.
func (cc *Compiler) failure(dir string, args []string, out string, err error) error {
	if missing := cc.stopped(dir, out, err); missing != nil {
		return missing
	}
	if missing := cc.try(dir, nil); missing != nil {
		return missing
	}
	return fmt.Errorf("internal error: the C compiler refused our code: %w\n%s ‹%s›\n%s", err, cc.Path, strings.Join(args, " "), out)
}

// stopped returns a *MissingTool where the compiler failed by the state of the
// system, else nil.
func (cc *Compiler) stopped(dir, out string, err error) error {
	var exit *exec.ExitError
	switch {
	case !errors.As(err, &exit):
		return &MissingTool{fmt.Sprintf("the C compiler %s cannot be started: %v; install gcc or clang, or set CC", cc.Path, systemError(err))}
	case exit.ExitCode() < 0:
		return &MissingTool{fmt.Sprintf("the C compiler %s was stopped (%v); is there memory enough?", cc.Path, err)}
	case strings.Contains(out, "No space left on device"):
		return &MissingTool{fmt.Sprintf("the C compiler %s has no space left in %s; set TAILOR_CACHE to another directory", cc.Path, filepath.Dir(dir))}
	}
	return nil
}

// trial needs the headers and libraries that every program of ours does.
const trial = `#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) { (void)argv; return (int)floor(log(argc)); }
`

// try compiles a program that is right for certain, with the flags of target c
// and more; it returns a *MissingTool that says what to do where that fails.
func (cc *Compiler) try(dir string, more []string) error {
	file, program := filepath.Join(dir, "trial.c"), filepath.Join(dir, "trial")
	if err := os.WriteFile(file, []byte(trial), 0o600); err != nil {
		return err
	}
	o := Options{Target: C}
	args := append(append(cc.flags(o, libraryLevel), more...), "-o", program, file)
	out, err := cc.start(dir, append(args, cc.libraries(o)...)...)
	if err != nil {
		if missing := cc.stopped(dir, out, err); missing != nil {
			return missing
		}
		return &MissingTool{fmt.Sprintf("the C compiler %s does not compile a small program: %s; install gcc or clang with the C library's headers (libc6-dev), or set CC", cc.Path, firstError(out, err))}
	}
	if info, err := os.Stat(program); err != nil || info.Size() == 0 {
		return &MissingTool{fmt.Sprintf("the C compiler %s writes no program; set CC to gcc or clang", cc.Path)}
	}
	return nil
}

// firstError returns the first error among the lines that a compiler printed.
func firstError(out string, err error) string {
	first := ""
	for _, line := range strings.Split(out, "\n") {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "error") {
			return line
		}
		if first == "" {
			first = line
		}
	}
	if first == "" {
		return err.Error()
	}
	return first
}

// systemError returns an error of the system without the names of the call and
// of the file.
func systemError(err error) error {
	var path *os.PathError
	var link *os.LinkError
	var found *exec.Error
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	case errors.As(err, &found):
		return found.Err
	}
	return err
}
