package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
)

//go:embed operations.txt
var table string

// operation is a line of the table, and the line that makes its data. Where it is known
// to grow faster than its data, steep names the targets.
type operation struct{ data, text, steep string }

// steepMark begins the comment that names targets.
const steepMark = "⍝ steep:"

// operations reads the table.
func operations() []operation {
	var all []operation
	_, table, _ := strings.Cut(table, "\n\n")
	data := ""
	for line := range strings.Lines(table) {
		text := strings.TrimSpace(line)
		switch {
		case text == "":
		case strings.HasPrefix(line, " "):
			text, steep, _ := strings.Cut(text, steepMark)
			all = append(all, operation{data, strings.TrimSpace(text), steep})
		default:
			data = text
		}
	}
	return all
}

// source is the program of an operation. It reads n, so that one executable serves for
// all sizes, and nothing about them is known to the compiler.
func (o operation) source() string {
	text := o.text
	if strings.Contains(text, ":End") { // control structures stand in lines of their own
		text = strings.ReplaceAll(text, " ⋄ ", "\n")
	}
	return fmt.Sprintf("size←⎕CSV 'n.csv' ⍝: [int]2\nn←size[1;1]\n%s\n%s\n", o.data, text)
}

// cost is what one run of a program takes.
type cost struct {
	time time.Duration // of the processor
	peak int64         // bytes
}

// limits are those of the measurement on a target.
type limits struct {
	first, last int           // sizes
	enough      time.Duration // time that shows how it grows
}

// limitsOf says between which sizes a target is measured: the evaluators are slower.
func limitsOf(target driver.Target) limits {
	switch target {
	case driver.C, driver.OpenMP:
		return limits{1 << 12, 1 << 20, 40 * time.Millisecond}
	case driver.OpenCL:
		return limits{1 << 12, 1 << 18, 500 * time.Millisecond}
	}
	return limits{1 << 9, 1 << 16, 250 * time.Millisecond}
}

// tooLong is the processor time that ends a run: what takes as much at a size that
// should take a second, at most, grows too fast. A busy machine may take long for that.
const (
	tooLong = 10 * time.Second
	waiting = 5 * time.Minute
)

// tailorCommand, as the first argument of this program, makes it the command tailor,
// which runs what is not compiled.
const tailorCommand = "tailor"

// program is an operation that is ready to run.
type program struct {
	dir  string
	args []string
}

// prepare compiles an operation for a target. The error says why that is refused.
func prepare(o operation, target driver.Target, dir string) (*program, error) {
	options := driver.Options{Target: target}
	if target == driver.Eval || target == driver.Interp {
		file := filepath.Join(dir, "operation.apl")
		if err := os.WriteFile(file, []byte(o.source()), 0o600); err != nil {
			return nil, err
		}
		if target == driver.Eval {
			if _, err := driver.New(diag.NewSource("operation.apl", o.source()), options).TAIL(); err != nil {
				return nil, err
			}
		}
		self, err := os.Executable()
		return &program{dir, []string{self, tailorCommand, "run", "--target", string(target), file}}, err
	}
	cc, cache, err := driver.Tools()
	if err != nil {
		return nil, err
	}
	options.Quick = true
	path, err := driver.New(diag.NewSource("operation.apl", o.source()), options).Build(cache, cc)
	return &program{dir, []string{path}}, err
}

// run runs the program once, with n.
func (p *program) run(n int) (cost, error) {
	_, c, err := p.output(n)
	return c, err
}

// output is run that returns what the program prints, too.
func (p *program) output(n int) (string, cost, error) {
	if err := os.WriteFile(filepath.Join(p.dir, "n.csv"), fmt.Appendln(nil, n), 0o600); err != nil {
		return "", cost{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), waiting)
	defer cancel()
	limited := fmt.Sprintf("ulimit -t %d; exec \"$@\"", int(tooLong.Seconds()))
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", limited, "sh"}, p.args...)...)
	c.Dir = p.dir
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=2", "OMP_WAIT_POLICY=passive", "GOMAXPROCS=2")
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	if c.ProcessState == nil {
		return "", cost{}, err
	}
	spent := cost{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), peak(c.ProcessState)}
	if err != nil && spent.time < tooLong*9/10 {
		line, _, _ := strings.Cut(stderr.String(), "\n")
		return "", cost{}, fmt.Errorf("n=%d: %w: %s", n, err, line)
	}
	return stdout.String(), spent, nil
}

// median returns the median cost of some runs.
func (p *program) median(n, runs int) (cost, error) {
	var times []time.Duration
	var peaks []int64
	for range runs {
		c, err := p.run(n)
		if err != nil || c.time >= tooLong*9/10 {
			return c, err
		}
		times, peaks = append(times, c.time), append(peaks, c.peak)
	}
	slices.Sort(times)
	slices.Sort(peaks)
	return cost{times[runs/2], peaks[runs/2]}, nil
}

// growth is what an operation costs at n, 2n and 4n, without what it costs at no size
// to speak of.
type growth struct {
	n     int
	costs [3]cost
	err   error // why it is not measured
}

// measure finds a size at which the operation takes long enough, and times it at that
// size, twice and four times. What seems to grow too fast is timed several times, as the
// machine may be busy.
func measure(p *program, l limits) growth {
	least, err := p.run(1 << 5)
	if err != nil {
		return growth{err: err}
	}
	n := l.first
	for ; n < l.last; n *= 2 {
		c, err := p.run(n)
		if err != nil {
			return growth{err: err}
		}
		if spent := c.time - least.time; spent >= l.enough {
			break
		} else if spent < l.enough/8 {
			n *= 2
		}
	}
	n = min(n, l.last)
	g := p.timed(n, 1, least)
	if g.steep() {
		return p.timed(n, 3, least)
	}
	return g
}

// timed returns the costs at n, 2n and 4n.
func (p *program) timed(n, runs int, least cost) growth {
	g := growth{n: n}
	for i := range g.costs {
		c, err := p.median(n<<i, runs)
		if err != nil {
			return growth{err: err}
		}
		g.costs[i] = cost{max(c.time-least.time, 0), max(c.peak-least.peak, 0)}
	}
	return g
}

// The most that costs may grow by from n to 4n: more than 4 by a logarithm, and by
// caches that do not hold the data any more; much less than 16.
const (
	mostTime   = 8
	mostMemory = 10
)

// time returns how many times the operation takes longer at 4n than at n; 0 where it
// takes too little to tell.
func (g growth) time() float64 {
	first := max(g.costs[0].time, 10*time.Millisecond)
	return float64(g.costs[2].time) / float64(first)
}

// memory returns how many times the memory is larger at 4n than at n. Some is had by
// all programs, and some words an element by each operation.
func (g growth) memory() float64 {
	some := max(16<<20, 64*int64(g.n))
	return float64(g.costs[2].peak) / float64(max(g.costs[0].peak, some))
}

// steep reports whether costs grow faster than the data.
func (g growth) steep() bool {
	return g.err == nil && (g.time() > mostTime || g.memory() > mostMemory)
}

// String returns the costs as a line of a table.
func (g growth) String() string {
	if g.err != nil {
		line, _, _ := strings.Cut(g.err.Error(), "\n")
		return line
	}
	ms := func(i int) float64 { return math.Round(float64(g.costs[i].time.Microseconds())/100) / 10 }
	return fmt.Sprintf("n=%d %g, %g, %g ms (%.1f), %d MB (%.1f)",
		g.n, ms(0), ms(1), ms(2), g.time(), g.costs[2].peak>>20, g.memory())
}
