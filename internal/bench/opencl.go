package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
)

// handCL names the OpenCL program by hand, from bench/opencl.
const handCL = "hand opencl"

// openclDir holds the OpenCL programs by hand, and small APL programs that are
// timed against nothing else.
const openclDir = "bench/opencl"

// handOpenCL builds the OpenCL program by hand for p, nil where there is none.
func handOpenCL(p *programs.Program, work string, o Options) *contestant {
	source := filepath.Join(o.Root, openclDir, p.Name+".c")
	if _, err := os.Stat(source); err != nil {
		return nil
	}
	c := &contestant{label: handCL, path: filepath.Join(work, p.Name+"-opencl"), args: p.Sizes}
	cc, err := driver.FindCompiler()
	if err != nil {
		c.err = err
		return c
	}
	out, err := exec.Command(cc.Path, "-O2", "-march=native", "-o", c.path, source, "-ldl", "-lm").CombinedOutput()
	if err != nil {
		c.err = fmt.Errorf("%w: %s", err, out)
	}
	return c
}

// onlyOpenCL reports whether a program is one of openclDir, which has no twin
// in C.
func onlyOpenCL(name string, o Options) bool {
	_, err := os.Stat(filepath.Join(o.Root, openclDir, name+".apl"))
	return err == nil
}
