package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Report is what was measured.
type Report struct {
	Host     Host            `json:"host"`
	Limits   []Limit         `json:"limits,omitempty"` // of one thread, and of all
	Suite    programs.Suite  `json:"suite,omitempty"`
	Size     programs.Size   `json:"size"`
	Rounds   int             `json:"rounds"`
	Relaxed  bool            `json:"relaxed,omitempty"` // compiled with --relaxed
	Programs []ProgramResult `json:"programs"`
	Scaling  []Scaling       `json:"scaling,omitempty"`
	Growth   *Growth         `json:"growth,omitempty"`
}

// Host says where and when.
type Host struct {
	CPU        string  `json:"cpu"`
	Cores      int     `json:"cores"`
	Compiler   string  `json:"compiler"`
	Date       string  `json:"date"`
	LoadBefore float64 `json:"load_before"` // average of a minute, before and after
	LoadAfter  float64 `json:"load_after"`
}

// Limit is what the machine reaches with some threads.
type Limit struct {
	Threads string  `json:"threads"` // "one" or "all"
	CopyGBs float64 `json:"copy_gbs"`
	GFlops  float64 `json:"gflops"`
}

// ProgramResult is what became of a program.
type ProgramResult struct {
	Name  string   `json:"name"`
	Sizes []string `json:"sizes"`
	// Work is what a run does at least, in units of Unit, GB or Gflop; zero
	// where neither says much.
	Work  float64           `json:"work,omitempty"`
	Unit  string            `json:"unit,omitempty"`
	Times map[string]Timing `json:"times"`
}

// Timing is what became of a contestant. Its name is a target, or that of
// the C program by hand for one thread or for all.
type Timing struct {
	MS     float64   `json:"ms"`      // median
	All    []float64 `json:"all_ms"`  // one a round
	PeakKB int64     `json:"peak_kb"` // the most memory
	Ratio  float64   `json:"ratio,omitempty"`
	Error  string    `json:"error,omitempty"`
}

// result summarises a race. Compiled programs are compared with the C program
// of as many threads.
func result(p *programs.Program, all []*contestant) ProgramResult {
	r := ProgramResult{Name: p.Name, Sizes: p.Sizes, Times: map[string]Timing{}}
	r.Work, r.Unit = work(p)
	byLabel := map[string]*contestant{}
	for _, c := range all {
		byLabel[c.label] = c
	}
	for _, c := range all {
		if c.err != nil {
			r.Times[c.label] = Timing{Error: firstLine(c.err.Error())}
			continue
		}
		t := Timing{MS: median(c.times), All: c.times, PeakKB: c.peak}
		base := byLabel[handC]
		if c.label == string(driver.OpenMP) {
			base = byLabel[handOMP]
		}
		if c.label == string(driver.OpenCL) && byLabel[handCL] != nil {
			base = byLabel[handCL]
		}
		if base == nil {
			base = c
		}
		if base != c && base.label != c.label && c.label != handOMP && c.label != handCL && base.err == nil {
			t.Ratio = paired(c.times, base.times)
		}
		r.Times[c.label] = t
	}
	return r
}

// paired returns the median of the ratios of the rounds.
func paired(xs, ys []float64) float64 {
	ratios := make([]float64, min(len(xs), len(ys)))
	for i := range ratios {
		ratios[i] = xs[i] / ys[i]
	}
	return median(ratios)
}

// mean returns the geometric mean of the ratios of a target, and of how many
// programs it is.
func (r *Report) mean(target string) (float64, int) {
	sum, n := 0.0, 0
	for _, p := range r.Programs {
		if q := p.Times[target].Ratio; q > 0 {
			sum, n = sum+math.Log(q), n+1
		}
	}
	return math.Exp(sum / float64(max(n, 1))), n
}

// JSON writes the report.
func (r *Report) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// ReadReport reads a report that JSON wrote.
func ReadReport(file string) (*Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s is no report of tailor bench --json: %w", file, err)
	}
	return r, nil
}
