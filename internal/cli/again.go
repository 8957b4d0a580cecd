package cli

import (
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

// Programs that are run again. Where integers overflow, Dyalog goes on with
// floating-point numbers, roots of negative numbers are complex, ⌈⌿ of no integers is a
// floating-point number, and ⍎ takes any expression, not only numbers. Compiled
// programs do none of this: one that meets such a value is run from its beginning by the
// interpreter, and what it has written is not written again. A program that writes
// files, or is --static, stops with the error.

// The variables that tell a compiled program which command runs it again, words
// divided by againDivider, and that command how many bytes have been written.
const (
	againVariable   = "TAILOR_AGAIN"
	writtenVariable = "TAILOR_WRITTEN"
	againDivider    = "\x1f"
)

// repeats reports whether a program may be run again by the interpreter. Compiled
// programs find out themselves whether they have written files.
func repeats(f *compileFlags, c *driver.Compilation) bool {
	if !interpretable(f, c) {
		return false
	}
	p, err := c.TAIL()
	if err != nil {
		return false
	}
	return !driver.WritesFiles(p)
}

// interpretable reports whether the interpreter may run a program, which has to be
// APL.
func interpretable(f *compileFlags, c *driver.Compilation) bool {
	_, err := c.AST()
	return err == nil && !f.static && !f.wrap
}

// announce tells the compiled program, by the environment, what runs it again.
func announce(f *compileFlags, c *driver.Compilation, args []string) {
	exe, err := os.Executable()
	if err != nil || !interpretable(f, c) {
		return
	}
	words := []string{exe, "run", "--target", string(driver.Interp)}
	if f.expr != "" {
		words = append(words, "-e", f.expr)
	} else {
		words = append(words, c.Source.Name)
	}
	words = append(append(words, "--"), args...)
	os.Setenv(againVariable, strings.Join(words, againDivider))
}

// written returns how much a compiled program wrote, which this run repeats.
func written() int {
	n, _ := strconv.Atoi(os.Getenv(writtenVariable))
	os.Unsetenv(writtenVariable)
	return n
}

// again runs a program in this process, and where it meets what only the interpreter
// can go on with, once more there.
func again(f *compileFlags, cmd *cobra.Command, c *driver.Compilation, args []string, run func() error) error {
	out := cmd.OutOrStdout()
	count := &driver.Counter{Writer: out}
	cmd.SetOut(count)
	defer cmd.SetOut(out)
	err := run()
	var fault *diag.Error
	if !errors.As(err, &fault) || !fault.RunTime || !driver.GoesOn(fault) || !repeats(f, c) {
		return err
	}
	cmd.SetOut(&driver.Skipper{Writer: out, Bytes: count.Bytes})
	return interpret(f, cmd, c, args)
}
