package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/profile"
)

// profileTable and profileJSON are forms of a profile on the standard error; any other
// text names the file that gets it as JSON.
const (
	profileTable = "table"
	profileJSON  = "json"
)

func (f *compileFlags) registerProfile(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.profile, "profile", "", "count time, runs and allocations by source line, and print them to stderr: as a table, with =json as JSON; with =FILE write JSON there")
	fs.Lookup("profile").NoOptDefVal = profileTable
}

// runProfiled runs a program and says what its lines cost. Target auto compiles it, if
// it has types and there is a C compiler.
func runProfiled(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string) error {
	switch c.Target {
	case driver.OpenCL:
		return errors.New("--profile is for the targets auto, eval, c, omp and interp; --trace shows the kernels of target opencl")
	case driver.Interp:
		return profileHere(f, cmd, c, args, interpret)
	}
	if _, err := c.TAIL(); !f.static && c.Dynamic(err) {
		return profileHere(f, cmd, c, args, interpret)
	} else if err != nil {
		return err
	}
	if c.Target == driver.Eval {
		return profileHere(f, cmd, c, args, evaluate)
	}
	cc, err := driver.FindCompiler()
	if missing := new(driver.MissingTool); errors.As(err, &missing) {
		fmt.Fprintf(cmd.ErrOrStderr(), "tailor: %v; the evaluator runs the program\n", missing)
		return profileHere(f, cmd, c, args, evaluate)
	} else if err != nil {
		return err
	}
	if c.Target == driver.Auto {
		c = driver.New(c.Source, c.Options)
		c.Target = driver.C
	}
	return profileCompiled(f, cmd, c, cc, args)
}

// profileHere runs a program in this process. The interpreter's arrays are those of Go's
// allocator.
func profileHere(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string, run func(*compileFlags, *cobra.Command, *driver.Compilation, []string) error) error {
	target := string(c.Target)
	if c.Target == driver.Auto {
		target = "auto, interpreted"
	}
	c.Meter = profile.NewMeter(c.Source, c.Target != driver.Eval)
	err := run(f, cmd, c, args)
	if e := f.writeProfile(cmd, c.Meter.Profile(target)); err == nil {
		err = e
	}
	return err
}

// profileCompiled compiles a program with code that counts, and runs it as a child of
// this process.
func profileCompiled(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, cc *driver.Compiler, args []string) error {
	c.Profile = true
	path, err := binary(cmd, c, cc)
	if err != nil {
		return err
	}
	f.report(cmd.ErrOrStderr(), c)
	dir, err := os.MkdirTemp("", "tailor-profile-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "lines")
	announce(f, c, args)
	if c.Target == driver.OpenMP {
		driver.BoundSpinning()
	}
	child := exec.Command(path, args...)
	child.Stdin, child.Stdout, child.Stderr = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	child.Env = append(os.Environ(), "TAILOR_PROFILE="+file)
	status, err := driver.RunChild(child)
	if status != 0 {
		err = &exitError{status}
	}
	p, e := profile.Read(file, c.Source, string(c.Target))
	if e != nil {
		if err == nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "tailor: the compiled program went on in the interpreter, so that there is no profile; --target interp has one")
		}
		return err
	}
	if e := f.writeProfile(cmd, p); err == nil {
		err = e
	}
	return err
}

// writeProfile writes a profile as the flag says.
func (f *compileFlags) writeProfile(cmd *cobra.Command, p *profile.Profile) error {
	w := cmd.ErrOrStderr()
	switch f.profile {
	case profileTable:
		p.Table(w, terminalWidth(w))
		return nil
	case profileJSON:
		return p.WriteJSON(w)
	}
	file, err := os.Create(f.profile)
	if err != nil {
		return fmt.Errorf("the profile cannot be written: %w", err)
	}
	err = p.WriteJSON(file)
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}

// terminalWidth returns the number of columns of a terminal, 0 where w is none.
func terminalWidth(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}
