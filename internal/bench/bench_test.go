package bench

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// report is a small report, as measured.
func report() *Report {
	return &Report{
		Host:   Host{CPU: "a CPU", Cores: 2, Compiler: "gcc", Date: "2026-01-02", LoadBefore: 0.1, LoadAfter: 1},
		Limits: []Limit{{"one", 20, 50}, {"all", 30, 100}},
		Size:   programs.Bench, Rounds: 5,
		Programs: []ProgramResult{
			{Name: "life", Sizes: []string{"1200", "100"}, Work: 0.288, Unit: gigabytes, Times: map[string]Timing{
				handC:   {MS: 20, PeakKB: 4096},
				handOMP: {MS: 10.04},
				"c":     {MS: 18, PeakKB: 4506, Ratio: 0.9},
				"omp":   {MS: 9, Ratio: 0.9},
			}},
			{Name: "sort", Times: map[string]Timing{
				handC:   {MS: 150},
				handOMP: {MS: 80},
				"c":     {MS: 300, Ratio: 2},
				"omp":   {Error: "wrong output"},
			}},
		},
		Scaling: []Scaling{{Name: "life", C: 18, Together: 24, OMP: 10}, {Name: "sort", Error: "no compiler"}},
		Growth: &Growth{
			Elements: []int64{10000, 100000},
			Programs: []ProgramGrowth{{Name: "signal", NSPerElement: []float64{0.8, 0.81}, CompileMS: []float64{2, 2}}},
			Compile:  []CompileTime{{Lines: 252, MS: 20}},
		},
	}
}

const reportTable = `2 cores of a CPU; gcc; 2026-01-02.
Load average 0.10 before and 1.00 after.
At least 5 rounds at bench size.
The machine with one thread: a copy 20.0 GB/s, multiply-adds 50.0 Gflop/s.
The machine with all threads: a copy 30.0 GB/s, multiply-adds 100.0 Gflop/s.

| program | C by hand, ms | c, ms | ratio | rate | MB by hand | MB | ratio | by hand, OpenMP, ms | omp, ms | ratio | speed-up |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
| life | 20.0 | 18.0 | 0.90 | 16.0 GB/s (80%) | 4 | 4 | 1.10 | 10.0 | 9.00 | 0.90 | 2.00 |
| sort | 150 | 300 | 2.00 |  |  |  |  | 80.0 | wrong output |  |  |

Geometric mean of the ratios of c, 2 programs: 1.34.
Above 1.15: sort.
Geometric mean of the ratios of omp, 1 programs: 0.90.

| in warm processes | c, ms | 2 at once, ms | omp, ms | speed-up | bound by the machine |
|---|---:|---:|---:|---:|---:|
| life | 18.0 | 24.0 | 10.0 | 1.80 | 1.50 |
| sort | no compiler | | | | |

| nanoseconds an element | 10*4 | 10*5 |
|---|---:|---:|
| signal | 0.800 | 0.810 |
| signal, ms to compile to C | 2.0 | 2.0 |

| lines of source | 252 |
|---|---:|
| ms to compile to C | 20 |
| µs a line | 79 |
`

func TestTable(t *testing.T) {
	var b strings.Builder
	report().Table(&b)
	require.Equal(t, reportTable, b.String())
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report().JSON(&b))
	file := filepath.Join(t.TempDir(), "report.json")
	writeFile(t, file, b.String())
	r, err := ReadReport(file)
	require.NoError(t, err)
	require.Equal(t, report(), r)
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "BENCHMARKS.md")
	begin, end := report().marks()
	writeFile(t, file, "# Benchmarks\n"+begin+"old\n"+end+"prose\n")
	for range 2 { // writing again changes nothing
		require.NoError(t, report().Write(dir))
		require.Equal(t, "# Benchmarks\n"+begin+"\n"+reportTable+"\n"+end+"prose\n", readFile(t, file))
	}
	writeFile(t, file, "no marks\n")
	require.Error(t, report().Write(dir))
}

func TestRatios(t *testing.T) {
	require.Equal(t, 2.0, median([]float64{3, 1, 2}))
	require.Equal(t, 1.5, median([]float64{2, 1}))
	// A round that was disturbed as a whole counts like the others.
	require.Equal(t, 2.0, paired([]float64{2, 200, 2}, []float64{1, 100, 1}))
}

// TestWork wants every program to have an amount of work, or to be known for
// having none.
func TestWork(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "programs")
	names, err := programs.Names(dir)
	require.NoError(t, err)
	for _, name := range names {
		p, err := programs.Read(dir, name, programs.Bench)
		require.NoError(t, err)
		w, _ := work(p)
		if name != "mandelbrot" && name != "wordcount" {
			require.Positive(t, w, name)
		}
	}
}

// TestBenchmarksFile wants the real file to have its marks.
func TestBenchmarksFile(t *testing.T) {
	for _, r := range []*Report{{}, {Relaxed: true}, {Size: programs.Large}} {
		begin, end := r.marks()
		_, err := between(readFile(t, filepath.Join("..", "..", "BENCHMARKS.md")), "", begin, end)
		require.NoError(t, err)
	}
}

// TestSizeOfCode wants code to grow like the source: twice as many more
// functions add at most a little more than twice the TAIL and C. Few functions
// are no measure, since of them more is found to be equal.
func TestSizeOfCode(t *testing.T) {
	size := func(functions int) (tail, c int) {
		p := driver.New(diag.NewSource("chain.apl", Chain(functions)), driver.Options{Target: driver.C})
		typed, err := p.TAIL()
		require.NoError(t, err)
		text, err := p.C("")
		require.NoError(t, err)
		return len(typed.String()), len(text)
	}
	tail1, c1 := size(80)
	tail2, c2 := size(160)
	tail3, c3 := size(320)
	require.Less(t, float64(tail3-tail2), 2.2*float64(tail2-tail1))
	require.Less(t, float64(c3-c2), 2.2*float64(c2-c1))
}
