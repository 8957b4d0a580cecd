package driver

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Exit statuses.
const (
	ExitDone     = 0
	ExitFault    = 1 // a run-time APL error
	ExitSource   = 2 // an error in the source or the command line
	ExitInternal = 3 // our bug
	ExitMissing  = 4 // a missing tool or device
)

// ExitStatus returns the exit status for an error.
func ExitStatus(err error) int {
	var missing *MissingTool
	var fault *diag.Error
	var list diag.List
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &missing):
		return ExitMissing
	case errors.As(err, &fault) && fault.RunTime:
		return ExitFault
	case errors.As(err, &fault), errors.As(err, &list):
		return ExitSource
	}
	return ExitSource
}

// Report writes an error as users see it.
func Report(w io.Writer, err error) {
	var fault *diag.Error
	var list diag.List
	switch {
	case errors.As(err, &list):
		for _, e := range list {
			io.WriteString(w, e.Render())
		}
	case errors.As(err, &fault):
		io.WriteString(w, fault.Render())
	default:
		fmt.Fprintf(w, "tailor: %v\n", err)
	}
}

// Unwritable returns the error of output that cannot be written, which compiled
// programs report in the same words.
func Unwritable(err error) error {
	fault := diag.Errorf(diag.FileOrTool, diag.Span{}, "cannot write the output: %v", systemError(err))
	fault.RunTime = true
	return fault
}

// Evaluate runs the program in the evaluator.
func (c *Compilation) Evaluate(stdout io.Writer, args []string) error {
	p, err := c.TAIL()
	if err != nil {
		return err
	}
	return c.timed("run", func() error {
		return eval.Run(p, &eval.Env{Stdout: stdout, Args: args, Meter: c.Meter, Progress: c.Reporter})
	})
}

// BoundSpinning has threads of OpenMP that wait for work spin for microseconds only,
// unless the user has set for how long; compiled programs do it for themselves, and
// need not start again then.
func BoundSpinning() {
	for _, name := range []string{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"} {
		if _, set := os.LookupEnv(name); set {
			return
		}
	}
	os.Setenv("GOMP_SPINCOUNT", "1000")
	os.Setenv("KMP_BLOCKTIME", "0")
}

// Exec replaces this process by the program, so that signals, standard input
// and the exit status are the program's own. What is not kept is removed before.
// The error is fs.ErrNotExist only where there is no such file.
func Exec(path string, args []string) error {
	args = append([]string{path}, args...)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if willGo(path) {
		CleanUp()
		err = execFile(f, args)
	} else {
		err = become(path, args)
	}
	return &MissingTool{fmt.Sprintf("cannot start the compiled program: %v; CC has to make programs for this machine, and TAILOR_CACHE has to be where programs may run", systemError(err))}
}

// ReadSource reads a program from a file.
func ReadSource(name string) (*diag.Source, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, readError(name, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory", name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, readError(name, err)
	}
	return diag.NewSource(name, string(text)), nil
}

// readError returns a message without the name of the system call.
func readError(name string, err error) error {
	return fmt.Errorf("cannot read %s: %w", name, systemError(err))
}
