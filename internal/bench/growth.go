package bench

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Growth says how times grow with the data and with the program.
type Growth struct {
	Elements []int64         `json:"elements"`
	Programs []ProgramGrowth `json:"programs"`
	Compile  []CompileTime   `json:"compile"`
}

// ProgramGrowth is a program at several sizes of its data; of compile times,
// those without the C compiler.
type ProgramGrowth struct {
	Name         string    `json:"name"`
	NSPerElement []float64 `json:"ns_per_element"`
	CompileMS    []float64 `json:"compile_ms"`
	Error        string    `json:"error,omitempty"`
}

// CompileTime is the time to compile a program of some lines to C, without
// the C compiler.
type CompileTime struct {
	Lines int     `json:"lines"`
	MS    float64 `json:"ms"`
}

// growing are the programs whose growth is measured: their one size is the
// number of elements.
var growing = []string{"signal", "sums", "blackscholes"}

// growth times programs of 10*4 … 10*8 elements, and the compiler.
func growth(progress io.Writer, o Options) (*Growth, error) {
	g := &Growth{}
	for e := 4; e <= 8; e++ {
		g.Elements = append(g.Elements, int64(math.Pow10(e)))
	}
	for _, name := range growing {
		fmt.Fprintf(progress, "growth of %s …\n", name)
		text, err := os.ReadFile(filepath.Join(o.Root, "testdata", "programs", name+".apl"))
		if err != nil {
			return nil, err
		}
		g.Programs = append(g.Programs, grow(name, string(text), g.Elements, o))
	}
	fmt.Fprintln(progress, "compile times …")
	for _, functions := range []int{50, 100, 200, 400, 800} {
		text := Chain(functions)
		ms, err := compileTime("chain", text)
		if err != nil {
			return nil, err
		}
		g.Compile = append(g.Compile, CompileTime{Lines: strings.Count(text, "\n"), MS: ms})
	}
	return g, nil
}

// grow times one program. Each size runs several times in one process; the
// first run, which touches memory for the first time, does not count.
func grow(name, text string, elements []int64, o Options) ProgramGrowth {
	g := ProgramGrowth{Name: name}
	for _, n := range elements {
		source := programs.Sized(text, fmt.Sprint(n))
		path, err := build(name, source, driver.Options{Target: driver.C})
		var ms float64
		if err == nil {
			ms, err = compileTime(name, source)
		}
		var times []float64
		if err == nil {
			runs := min(max(50_000_000/n, 3), 500)
			c := &contestant{path: path, env: []string{fmt.Sprintf("TAILOR_TIME=%d", runs+1)}}
			longer := o
			longer.Limit *= time.Duration(runs + 1)
			times, _, err = c.start(longer)
		}
		if err != nil {
			g.Error = firstLine(err.Error())
			return g
		}
		g.NSPerElement = append(g.NSPerElement, 1e6*median(times[1:])/float64(n))
		g.CompileMS = append(g.CompileMS, ms)
	}
	return g
}

// compileTime returns the least of several times, in milliseconds, that a
// program takes to become C.
func compileTime(name, text string) (float64, error) {
	best := math.Inf(1)
	for range 3 {
		start := time.Now()
		if _, err := driver.New(diag.NewSource(name+".apl", text), driver.Options{Target: driver.C}).C(""); err != nil {
			return 0, err
		}
		best = min(best, float64(time.Since(start).Microseconds())/1000)
	}
	return best, nil
}

// Chain returns a program of 5 lines for each of some functions: a definition
// that is called on vectors, and what it gives.
func Chain(functions int) string {
	var b strings.Builder
	b.WriteString("total←0\n")
	for i := range functions {
		fmt.Fprintf(&b, "f%d←{\n    a←⍵×%d\n    (+/a)-⌈/a\n}\ntotal←total+f%d %d+⍳10\n", i, i+2, i, i)
	}
	b.WriteString("total\n")
	return b.String()
}
