package bench

import (
	"fmt"
	"io"
	"sync"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Scaling is what a second thread brings to a program, beside what the machine
// allows. Times are medians in milliseconds of runs in processes that ran the
// program before, so that the start of threads and the first touch of memory
// are not in them.
type Scaling struct {
	Name     string  `json:"name"`
	C        float64 `json:"c_ms"`        // the sequential program, alone
	Together float64 `json:"together_ms"` // the sequential program, as many at once as there are cores
	OMP      float64 `json:"omp_ms"`      // the OpenMP program, alone
	Error    string  `json:"error,omitempty"`
}

// warmRuns is how often a process runs a program whose scaling is measured;
// the first run does not count.
const warmRuns = 4

// scaling times a program in warm processes: the sequential one alone and
// several at once, the OpenMP one alone, in turn.
func scaling(p *programs.Program, cores int, o Options) Scaling {
	s := Scaling{Name: p.Name}
	var alone, together, threads []float64
	paths := map[driver.Target]string{}
	for _, t := range []driver.Target{driver.C, driver.OpenMP} {
		path, err := build(p.Name, p.Source, driver.Options{Target: t, Relaxed: o.Relaxed})
		if err != nil {
			s.Error = firstLine(err.Error())
			return s
		}
		paths[t] = path
	}
	for range o.Rounds {
		for _, run := range []struct {
			to     *[]float64
			target driver.Target
			copies int
		}{{&alone, driver.C, 1}, {&together, driver.C, cores}, {&threads, driver.OpenMP, 1}} {
			times, err := warm(paths[run.target], run.copies, o)
			if err != nil {
				s.Error = firstLine(err.Error())
				return s
			}
			*run.to = append(*run.to, times...)
		}
	}
	s.C, s.Together, s.OMP = median(alone), median(together), median(threads)
	return s
}

// warm starts some copies of a program at once and returns the times of all
// runs but the first of each.
func warm(path string, copies int, o Options) ([]float64, error) {
	o.Limit *= warmRuns
	times, errs := make([][]float64, copies), make([]error, copies)
	var all sync.WaitGroup
	for i := range copies {
		all.Add(1)
		go func() {
			defer all.Done()
			c := &contestant{path: path, env: []string{fmt.Sprintf("TAILOR_TIME=%d", warmRuns)}}
			times[i], _, errs[i] = c.start(o)
		}()
	}
	all.Wait()
	var later []float64
	for i := range copies {
		if errs[i] != nil {
			return nil, errs[i]
		}
		later = append(later, times[i][1:]...)
	}
	return later, nil
}

// threads writes what further threads bring.
func (r *Report) threads(w io.Writer) {
	if len(r.Scaling) == 0 {
		return
	}
	fmt.Fprintf(w, "\n| in warm processes | c, ms | %d at once, ms | omp, ms | speed-up | bound by the machine |\n|---|---:|---:|---:|---:|---:|\n", r.Host.Cores)
	for _, s := range r.Scaling {
		if s.Error != "" {
			fmt.Fprintf(w, "| %s | %s | | | | |\n", s.Name, s.Error)
			continue
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.2f | %.2f |\n", s.Name,
			milliseconds(s.C), milliseconds(s.Together), milliseconds(s.OMP),
			quotient(s.C, s.OMP), float64(r.Host.Cores)*quotient(s.C, s.Together))
	}
}
