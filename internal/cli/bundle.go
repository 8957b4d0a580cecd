package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
	"github.com/tailor-lang/tailor/internal/memfile"
)

// compiled runs the compiled program of a bundle in place of this process, which that
// may start again; it returns where that cannot be done.
func compiled(b *driver.Bundle, args []string) {
	self, err := os.Executable()
	if err != nil {
		return
	}
	program, err := b.Program()
	if err != nil {
		return
	}
	words := append([]string{self}, args...)
	env := append(os.Environ(), againVariable+"="+strings.Join(words, againDivider))
	_ = memfile.Exec(program, words, env) // else the program is interpreted
}

// bundled runs the program that stands behind this executable and returns the exit
// status.
func bundled(b *driver.Bundle, args []string, stdout, stderr io.Writer) int {
	if b.Program != nil && os.Getenv(writtenVariable) == "" {
		compiled(b, args)
	}
	c := driver.New(b.Source, driver.Options{Target: driver.Interp})
	c.Stdin = os.Stdin
	functions := gradual.New(tools)
	functions.Parts = b.Parts
	defer functions.Close()
	c.Compiler = functions
	out := bufio.NewWriter(&driver.Skipper{Writer: stdout, Bytes: written()})
	start := time.Now()
	err := c.Interpret(out, args)
	if e := out.Flush(); err == nil {
		err = e
	}
	if err != nil {
		driver.Report(stderr, err)
	}
	if os.Getenv("TAILOR_TIME") != "" {
		fmt.Fprintf(stderr, "time_ms: %.6f\n", float64(time.Since(start).Microseconds())/1e3)
		functions.Report(stderr)
	}
	return driver.ExitStatus(err)
}
