package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/driver"
)

// host describes the machine.
func host() Host {
	h := Host{CPU: cpu(), Cores: runtime.NumCPU(), Date: time.Now().Format(time.DateOnly), LoadBefore: load()}
	if cc, err := driver.FindCompiler(); err == nil {
		h.Compiler = cc.Version()
	}
	return h
}

// cpu returns the name of the processor.
func cpu() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	name, best := "", ""
	for s := bufio.NewScanner(f); s.Scan(); {
		key, value, _ := strings.Cut(s.Text(), ":")
		switch strings.TrimSpace(key) {
		case "model name":
			name = strings.TrimSpace(value)
		case "flags":
			for _, set := range []string{"avx512f", "avx2"} {
				if best == "" && strings.Contains(value+" ", " "+set+" ") {
					best = set
				}
			}
		}
		if s.Text() == "" {
			break
		}
	}
	return strings.TrimSpace(name + ", " + strings.ToUpper(best))
}

// load returns the load average of the last minute.
func load() float64 {
	var x float64
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(text), &x)
	}
	return x
}

// limits measures what the machine reaches; nothing where it cannot.
func limits(work string, o Options) []Limit {
	var all []Limit
	for _, threads := range []string{"one", "all"} {
		flags := []string{"-O3", "-march=native", "-std=gnu11"}
		if threads == "all" {
			flags = append(flags, "-fopenmp")
		}
		bin := filepath.Join(work, "roof-"+threads)
		cc, err := driver.FindCompiler()
		if err != nil {
			return nil
		}
		flags = append(flags, filepath.Join(o.Root, "bench", "roof", "roof.c"), "-o", bin, "-lm")
		if exec.Command(cc.Path, append(cc.Args, flags...)...).Run() != nil {
			return all
		}
		out, err := exec.Command(bin).Output()
		if err != nil {
			return all
		}
		l := Limit{Threads: threads}
		if n, _ := fmt.Sscanf(string(out), "copy_gbs: %g\ngflops: %g", &l.CopyGBs, &l.GFlops); n == 2 {
			all = append(all, l)
		}
	}
	return all
}
