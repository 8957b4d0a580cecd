package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Names of the C programs written by hand; those of compiled programs are
// their targets.
const (
	handC   = "hand c"
	handOMP = "hand omp"
)

// contestant is a way to compute a program's answer.
type contestant struct {
	label string
	path  string
	args  []string
	env   []string
	times []float64 // milliseconds, one a round
	peak  int64     // kB
	err   error
}

// contestants builds what is to be timed.
func contestants(p *programs.Program, work string, o Options) []*contestant {
	var all []*contestant
	alone := onlyOpenCL(p.Name, o)
	if !alone {
		all = []*contestant{twin(p, work, "")}
		all[0].label = handC
	}
	for _, t := range o.Targets {
		if t == driver.OpenCL {
			if c := handOpenCL(p, work, o); c != nil {
				all = append(all, c)
			}
		}
		if t == driver.OpenMP && !alone {
			all = append(all, twin(p, work, "-omp"))
		}
	}
	for _, t := range o.Targets {
		all = append(all, compiled(p, t, work, o.Relaxed))
	}
	return all
}

// buildTwins builds the C programs.
func buildTwins(list []*programs.Program, work string, o Options) error {
	args := []string{filepath.Join(o.Root, "bench", "c", "build.sh"), work}
	for _, p := range list {
		if !onlyOpenCL(p.Name, o) {
			args = append(args, p.Name)
		}
	}
	if len(args) == 2 {
		return nil
	}
	cmd := exec.Command("sh", args...)
	cmd.Env = append(os.Environ(), "TWINS="+filepath.Join(o.Root, o.Suite.Twins()))
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("bench/c/build.sh: %w: %s", err, out)
	}
	return nil
}

// twin is the C program for p.
func twin(p *programs.Program, work, suffix string) *contestant {
	return &contestant{label: handOMP, path: filepath.Join(work, p.Name+suffix), args: p.Sizes}
}

// compiled compiles p for a target; the evaluator is this program itself.
func compiled(p *programs.Program, target driver.Target, work string, relaxed bool) *contestant {
	c := &contestant{label: string(target), env: []string{"TAILOR_TIME=1"}}
	if target == driver.Eval {
		file := filepath.Join(work, p.Name+".apl")
		c.err = os.WriteFile(file, []byte(p.Source), 0o600)
		c.path, _ = os.Executable()
		c.args = []string{"run", "--target", "eval", "--time", file}
		return c
	}
	if target == driver.OpenCL {
		c.env = []string{"TAILOR_TIME=2"} // drivers finish compiling at the first launch
	}
	c.path, c.err = build(p.Name, p.Source, driver.Options{Target: target, Relaxed: relaxed})
	return c
}

// build compiles a program and returns its path in the cache.
func build(name, source string, o driver.Options) (string, error) {
	cc, cache, err := driver.Tools()
	if err != nil {
		return "", err
	}
	return driver.New(diag.NewSource(name+".apl", source), o).Build(cache, cc)
}

// run runs the contestant once and notes the time that it reports.
func (c *contestant) run(output string, o Options) {
	times, stdout, err := c.start(o)
	switch {
	case err != nil:
		c.err = err
	case stdout != output && !(o.Relaxed && near(stdout, output)):
		c.err = errors.New("wrong output")
	default:
		c.times = append(c.times, times[len(times)-1])
	}
}

// near reports whether two outputs have the same words, but for digits of
// numbers behind the eighth.
func near(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		p, err := strconv.ParseFloat(strings.ReplaceAll(x[i], "¯", "-"), 64)
		q, err2 := strconv.ParseFloat(strings.ReplaceAll(y[i], "¯", "-"), 64)
		if x[i] != y[i] && (err != nil || err2 != nil || math.Abs(p-q) > 1e-8*math.Max(math.Abs(p), math.Abs(q))) {
			return false
		}
	}
	return true
}

// start runs the contestant and returns the times that it reports, and its
// output.
func (c *contestant) start(o Options) (times []float64, output string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), o.Limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, c.args...)
	cmd.Dir = o.Root
	cmd.Env = append(os.Environ(), c.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, "", fmt.Errorf("more than %v", o.Limit)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%w: %s", err, firstLine(stderr.String()))
	}
	for _, line := range strings.Split(stderr.String(), "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "time_ms":
			ms, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, "", err
			}
			times = append(times, ms)
		case "peak_kb":
			kb, _ := strconv.ParseInt(value, 10, 64)
			c.peak = max(c.peak, kb)
		}
	}
	if len(times) == 0 {
		return nil, "", errors.New("no time reported")
	}
	return times, stdout.String(), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}

// median returns the middle of some numbers.
func median(xs []float64) float64 {
	t := append([]float64{}, xs...)
	sort.Float64s(t)
	if n := len(t); n%2 == 0 {
		return (t[n/2-1] + t[n/2]) / 2
	}
	return t[len(t)/2]
}
