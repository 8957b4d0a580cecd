// Package bench times programs against C programs that were written by hand for the
// same inputs: those under testdata/programs against bench/c, or the corpus.
//
// In comes the root of the repository; out comes a Report, which is printed as
// a table or as JSON, or written into BENCHMARKS.md. Contestants run in turn,
// each at least Options.Rounds times, in an order that is reversed from round
// to round. Times are what the programs report about themselves: without
// start-up, reading of files and printing. A ratio is the median of the ratios
// of the rounds, so that what disturbs a whole round disturbs it little.
package bench

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Options say what to time.
type Options struct {
	Root    string // of the repository
	Suite   programs.Suite
	Size    programs.Size
	Targets []driver.Target
	Rounds  int           // at least so many runs of each contestant, taken in turn
	Limit   time.Duration // for one run
	Names   []string      // all, when empty
	Machine bool          // measure what the machine reaches
	Threads bool          // time what further threads bring to each program
	Relaxed bool          // compile with --relaxed; outputs agree but for last digits
	Growth  bool          // time some programs at several sizes, and the compiler
}

// Short programs run more often than Options.Rounds: until they have taken
// this long, but at most maxRounds times.
const (
	enoughTime = 1500 * time.Millisecond
	maxRounds  = 15
)

// Run times the programs; what it does is said on progress.
func Run(progress io.Writer, o Options) (*Report, error) {
	list, err := selected(o)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "tailor-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := buildTwins(list, work, o); err != nil {
		return nil, err
	}
	r := &Report{Suite: o.Suite, Size: o.Size, Rounds: o.Rounds, Relaxed: o.Relaxed, Host: host()}
	if o.Machine {
		fmt.Fprintln(progress, "the machine …")
		r.Limits = limits(work, o)
	}
	for _, p := range list {
		fmt.Fprintf(progress, "%s …\n", p.Name)
		all := contestants(p, work, o)
		race(all, p.Output, o)
		r.Programs = append(r.Programs, result(p, all))
	}
	if o.Threads {
		for _, p := range list {
			fmt.Fprintf(progress, "threads of %s …\n", p.Name)
			r.Scaling = append(r.Scaling, scaling(p, r.Host.Cores, o))
		}
	}
	if o.Growth {
		if r.Growth, err = growth(progress, o); err != nil {
			return nil, err
		}
	}
	r.Host.LoadAfter = load()
	return r, nil
}

// selected reads the programs asked for.
func selected(o Options) ([]*programs.Program, error) {
	dir := filepath.Join(o.Root, o.Suite.Programs())
	names := o.Names
	if len(names) == 0 {
		var err error
		if names, err = programs.Names(dir); err != nil {
			return nil, err
		}
		if o.Size == programs.Large {
			names = slices.DeleteFunc(names, func(name string) bool { return !programs.HasLarge(dir, name) })
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there are no programs in %s; bench runs in the root of the repository", dir)
	}
	list := make([]*programs.Program, len(names))
	for i, name := range names {
		var err error
		at := dir
		if onlyOpenCL(name, o) {
			at = filepath.Join(o.Root, openclDir)
		}
		if list[i], err = programs.Read(at, name, o.Size); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// race runs the contestants in turn, and those that fail no more.
func race(all []*contestant, output string, o Options) {
	start := time.Now()
	for i := 0; i < o.Rounds || i < maxRounds && time.Since(start) < enoughTime; i++ {
		for k := range all {
			c := all[k]
			if i%2 == 1 {
				c = all[len(all)-1-k]
			}
			if c.err == nil {
				c.run(output, o)
			}
		}
	}
}
