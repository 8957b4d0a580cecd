package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/gradual"
)

// bundled runs the program that stands behind this executable and returns the exit
// status.
func bundled(b *driver.Bundle, args []string, stdout, stderr io.Writer) int {
	c := driver.New(b.Source, driver.Options{Target: driver.Interp})
	c.Stdin = os.Stdin
	functions := gradual.New(tools)
	functions.Parts, functions.Stretches = b.Parts, b.Stretches
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
