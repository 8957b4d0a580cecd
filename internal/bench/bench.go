// Package bench times the programs under testdata/programs against the C
// programs under bench/c that were written by hand for the same inputs.
package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Options say what to time.
type Options struct {
	Root    string // of the repository
	Size    programs.Size
	Targets []driver.Target
	Rounds  int           // runs of each contestant, taken in turn
	Limit   time.Duration // for one run
	Names   []string      // all, when empty
}

// contestant is a way to compute a program's answer.
type contestant struct {
	label string
	path  string
	args  []string
	env   []string
	times []float64
	err   error
}

// Run times the programs and writes a table in Markdown.
func Run(w, progress io.Writer, o Options) error {
	dir := filepath.Join(o.Root, "testdata", "programs")
	names := o.Names
	if len(names) == 0 {
		var err error
		if names, err = programs.Names(dir); err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("there are no programs in %s; bench runs in the root of the repository", dir)
	}
	list := make([]*programs.Program, len(names))
	for i, name := range names {
		var err error
		if list[i], err = programs.Read(dir, name, o.Size); err != nil {
			return err
		}
	}
	work, err := os.MkdirTemp("", "tailor-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	header(w, o)
	for _, p := range list {
		fmt.Fprintf(progress, "%s …\n", p.Name)
		all := contestants(p, work, o)
		race(all, p.Output, o)
		row(w, p.Name, all)
	}
	return nil
}

// contestants builds what is to be timed; the C program comes first.
func contestants(p *programs.Program, work string, o Options) []*contestant {
	all := []*contestant{twin(p, work, o)}
	for _, t := range o.Targets {
		all = append(all, compiled(p, t, work))
	}
	return all
}

// twin builds the C program for p.
func twin(p *programs.Program, work string, o Options) *contestant {
	c := &contestant{label: "C by hand", path: filepath.Join(work, p.Name), args: p.Sizes}
	script := filepath.Join(o.Root, "bench", "c", "build.sh")
	if out, err := exec.Command("sh", script, work, p.Name).CombinedOutput(); err != nil {
		c.err = fmt.Errorf("%w: %s", err, out)
	}
	return c
}

// compiled compiles p for a target; the evaluator is this program itself.
func compiled(p *programs.Program, target driver.Target, work string) *contestant {
	c := &contestant{label: string(target), env: []string{"TAILOR_TIME=1"}}
	if target == driver.Eval {
		file := filepath.Join(work, p.Name+".apl")
		c.err = os.WriteFile(file, []byte(p.Source), 0o600)
		c.path, _ = os.Executable()
		c.args = []string{"run", "--target", "eval", "--time", file}
		return c
	}
	cc, err := driver.FindCompiler()
	if err != nil {
		c.err = err
		return c
	}
	cache, err := driver.UserCache()
	if err != nil {
		c.err = err
		return c
	}
	c.path, c.err = driver.New(diag.NewSource(p.Name+".apl", p.Source), driver.Options{Target: target}).Build(cache, cc)
	return c
}

// race runs the contestants in turn, and those that fail no more.
func race(all []*contestant, output string, o Options) {
	for i := 0; i < o.Rounds; i++ {
		for _, c := range all {
			if c.err == nil {
				c.run(output, o)
			}
		}
	}
}

// run runs a contestant once and notes the time that it reports.
func (c *contestant) run(output string, o Options) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		c.err = fmt.Errorf("more than %v", o.Limit)
	case err != nil:
		c.err = fmt.Errorf("%w: %s", err, firstLine(stderr.String()))
	case stdout.String() != output:
		c.err = errors.New("wrong output")
	default:
		var ms float64
		if ms, err = reported(stderr.String()); err != nil {
			c.err = err
			return
		}
		c.times = append(c.times, ms)
	}
}

// reported returns the milliseconds that a program says it took.
func reported(stderr string) (float64, error) {
	_, rest, ok := strings.Cut(stderr, "time_ms: ")
	if !ok {
		return 0, errors.New("no time reported")
	}
	return strconv.ParseFloat(firstLine(rest), 64)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}

// median returns the middle time.
func (c *contestant) median() float64 {
	t := append([]float64{}, c.times...)
	sort.Float64s(t)
	return t[len(t)/2]
}

func header(w io.Writer, o Options) {
	fmt.Fprintf(w, "| program | C by hand, ms |")
	for _, t := range o.Targets {
		fmt.Fprintf(w, " %s, ms | ratio |", t)
	}
	fmt.Fprintf(w, "\n|---|---:|%s\n", strings.Repeat("---:|---:|", len(o.Targets)))
}

// row writes the medians of a program, and their ratios to the C program's.
func row(w io.Writer, name string, all []*contestant) {
	fmt.Fprintf(w, "| %s |", name)
	base := 0.0
	for i, c := range all {
		switch {
		case c.err != nil:
			fmt.Fprintf(w, " %s |", firstLine(c.err.Error()))
		default:
			fmt.Fprintf(w, " %.4g |", c.median())
		}
		switch {
		case i == 0 && c.err == nil:
			base = c.median()
		case i > 0 && c.err == nil && base > 0:
			fmt.Fprintf(w, " %.2f |", c.median()/base)
		case i > 0:
			fmt.Fprintf(w, " |")
		}
	}
	fmt.Fprintln(w)
}
