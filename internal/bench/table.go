package bench

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// Table writes the report in Markdown.
func (r *Report) Table(w io.Writer) {
	r.head(w)
	r.times(w)
	r.summary(w)
	r.threads(w)
	r.growth(w)
}

func (r *Report) head(w io.Writer) {
	h := r.Host
	fmt.Fprintf(w, "%d cores of %s; %s; %s.\n", h.Cores, h.CPU, h.Compiler, h.Date)
	fmt.Fprintf(w, "Load average %.2f before and %.2f after", h.LoadBefore, h.LoadAfter)
	if h.LoadBefore > 0.5 {
		fmt.Fprint(w, ": other work ran at the same time, so threads and bandwidth were not all ours")
	}
	fmt.Fprintf(w, ".\nAt least %d rounds at %s size", r.Rounds, r.Size)
	if r.Relaxed {
		fmt.Fprint(w, ", ours with --relaxed")
	}
	fmt.Fprintln(w, ".")
	for _, l := range r.Limits {
		fmt.Fprintf(w, "The machine with %s: a copy %.1f GB/s, multiply-adds %.1f Gflop/s.\n",
			map[string]string{"one": "one thread", "all": "all threads"}[l.Threads], l.CopyGBs, l.GFlops)
	}
	fmt.Fprintln(w)
}

// targets returns the targets that were timed, in order.
func (r *Report) targets() []string {
	var all []string
	for _, t := range []driver.Target{driver.C, driver.OpenMP, driver.OpenCL, driver.Eval} {
		for _, p := range r.Programs {
			if _, ok := p.Times[string(t)]; ok {
				all = append(all, string(t))
				break
			}
		}
	}
	return all
}

// times writes a row a program.
func (r *Report) times(w io.Writer) {
	if len(r.Programs) == 0 {
		return
	}
	targets := r.targets()
	fmt.Fprint(w, "| program | C by hand, ms |")
	columns := 1
	for _, t := range targets {
		if t == string(driver.OpenMP) {
			fmt.Fprint(w, " by hand, OpenMP, ms |")
			columns++
		}
		if t == string(driver.OpenCL) {
			fmt.Fprint(w, " by hand, OpenCL, ms |")
			columns++
		}
		fmt.Fprintf(w, " %s, ms | ratio |", t)
		columns += 2
		if t == string(driver.C) {
			fmt.Fprint(w, " rate | MB by hand | MB | ratio |")
			columns += 4
		}
		if t == string(driver.OpenMP) && r.has(driver.C) {
			fmt.Fprint(w, " speed-up |")
			columns++
		}
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---:|", columns))
	for _, p := range r.Programs {
		r.row(w, p, targets)
	}
	fmt.Fprintln(w)
}

func (r *Report) has(target driver.Target) bool {
	for _, t := range r.targets() {
		if t == string(target) {
			return true
		}
	}
	return false
}

func (r *Report) row(w io.Writer, p ProgramResult, targets []string) {
	hand := p.Times[handC]
	fmt.Fprintf(w, "| %s | %s |", p.Name, hand.cell())
	for _, name := range targets {
		t := p.Times[name]
		if name == string(driver.OpenMP) {
			fmt.Fprintf(w, " %s |", p.Times[handOMP].cell())
		}
		if name == string(driver.OpenCL) {
			fmt.Fprintf(w, " %s |", p.Times[handCL].cell())
		}
		fmt.Fprintf(w, " %s | %s |", t.cell(), number("%.2f", t.Ratio))
		if name == string(driver.C) {
			fmt.Fprintf(w, " %s | %s | %s | %s |", r.rate(p, t),
				number("%.0f", float64(hand.PeakKB)/1024), number("%.0f", float64(t.PeakKB)/1024),
				number("%.2f", quotient(float64(t.PeakKB), float64(hand.PeakKB))))
		}
		if name == string(driver.OpenMP) && r.has(driver.C) {
			fmt.Fprintf(w, " %s |", number("%.2f", quotient(p.Times[string(driver.C)].MS, t.MS)))
		}
	}
	fmt.Fprintln(w)
}

// cell returns a time, or why there is none.
func (t Timing) cell() string {
	if t.Error != "" {
		return t.Error
	}
	return milliseconds(t.MS)
}

// milliseconds writes a time with three digits or all before the point.
func milliseconds(ms float64) string {
	switch {
	case ms == 0:
		return ""
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// rate returns the work a second, and its share of what one thread reaches.
func (r *Report) rate(p ProgramResult, t Timing) string {
	if p.Work == 0 || t.MS == 0 {
		return ""
	}
	rate := p.Work / t.MS * 1e3
	text := fmt.Sprintf("%.1f %s/s", rate, p.Unit)
	for _, l := range r.Limits {
		if l.Threads != "one" {
			continue
		}
		limit := l.GFlops
		if p.Unit == gigabytes {
			limit = l.CopyGBs
		}
		text += fmt.Sprintf(" (%.0f%%)", 100*rate/limit)
	}
	return text
}

// number formats x, and nothing where it is 0.
func number(format string, x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf(format, x)
}

func quotient(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return x / y
}

// summary writes the geometric means, and what is far from them.
func (r *Report) summary(w io.Writer) {
	for _, t := range r.targets() {
		if m, n := r.mean(t); n > 0 {
			fmt.Fprintf(w, "Geometric mean of the ratios of %s, %d programs: %.2f.\n", t, n, m)
		}
		var above []string
		for _, p := range r.Programs {
			if p.Times[t].Ratio > 1.15 {
				above = append(above, p.Name)
			}
		}
		if len(above) > 0 && t != string(driver.Eval) {
			fmt.Fprintf(w, "Above 1.15: %s.\n", strings.Join(above, ", "))
		}
	}
}

// growth writes how times grow.
func (r *Report) growth(w io.Writer) {
	g := r.Growth
	if g == nil {
		return
	}
	fmt.Fprint(w, "\n| nanoseconds an element |")
	for _, n := range g.Elements {
		fmt.Fprintf(w, " %s |", power(n))
	}
	fmt.Fprintf(w, "\n|---|%s\n", strings.Repeat("---:|", len(g.Elements)))
	for _, p := range g.Programs {
		fmt.Fprintf(w, "| %s |", p.Name)
		for i := range g.Elements {
			if i < len(p.NSPerElement) {
				fmt.Fprintf(w, " %.3f |", p.NSPerElement[i])
			} else {
				fmt.Fprintf(w, " %s |", p.Error)
			}
		}
		fmt.Fprintln(w)
	}
	for _, p := range g.Programs {
		fmt.Fprintf(w, "| %s, ms to compile to C |", p.Name)
		for _, ms := range p.CompileMS {
			fmt.Fprintf(w, " %.1f |", ms)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "\n| lines of source |")
	for _, c := range g.Compile {
		fmt.Fprintf(w, " %d |", c.Lines)
	}
	fmt.Fprintf(w, "\n|---|%s\n| ms to compile to C |", strings.Repeat("---:|", len(g.Compile)))
	for _, c := range g.Compile {
		fmt.Fprintf(w, " %.0f |", c.MS)
	}
	fmt.Fprint(w, "\n| µs a line |")
	for _, c := range g.Compile {
		fmt.Fprintf(w, " %.0f |", 1e3*c.MS/float64(c.Lines))
	}
	fmt.Fprintln(w)
}

// power writes a power of ten in APL.
func power(n int64) string { return fmt.Sprintf("10*%d", len(fmt.Sprint(n))-1) }

// marks returns the lines of BENCHMARKS.md between which the table stands; that
// of large inputs, and that of --relaxed, have places of their own.
func (r *Report) marks() (begin, end string) {
	command := "tailor bench"
	if r.Size == programs.Large {
		command += " --size large"
	}
	if r.Relaxed {
		command += " --relaxed"
	}
	return "<!-- " + command + ": begin -->\n", "<!-- " + command + ": end -->\n"
}

// Write puts the table into BENCHMARKS.md, in place of the one before.
func (r *Report) Write(root string) error {
	file := filepath.Join(root, "BENCHMARKS.md")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var table strings.Builder
	r.Table(&table)
	begin, end := r.marks()
	out, err := between(string(text), table.String(), begin, end)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(out), 0o644)
}

// between replaces what stands between the marks.
func between(text, table, begin, end string) (string, error) {
	before, rest, ok := strings.Cut(text, begin)
	_, after, found := strings.Cut(rest, end)
	if !ok || !found {
		return "", fmt.Errorf("the lines %q and %q are missing", strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return before + begin + "\n" + table + "\n" + end + after, nil
}
