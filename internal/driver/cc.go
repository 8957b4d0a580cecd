package driver

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// MissingTool reports that a program or a device that is needed is not there.
type MissingTool struct{ Message string }

func (m *MissingTool) Error() string { return m.Message }

// Compiler is a C compiler.
type Compiler struct {
	Path  string // of the executable
	Args  []string
	Clang bool
}

// compilerNames are tried in order where CC is not set.
var compilerNames = []string{"gcc", "clang", "cc"}

// FindCompiler returns the C compiler that the environment variable CC names,
// which may have arguments, or else the first one installed.
func FindCompiler() (*Compiler, error) {
	names := compilerNames
	var args []string
	if words := strings.Fields(os.Getenv("CC")); len(words) > 0 {
		names, args = words[:1], words[1:]
	}
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		return &Compiler{Path: path, Args: args, Clang: isClang(path)}, nil
	}
	return nil, &MissingTool{fmt.Sprintf("no C compiler found (looked for %s); install gcc or clang, or set CC", strings.Join(names, ", "))}
}

// isClang judges by the name of the executable, links followed.
func isClang(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return strings.Contains(filepath.Base(path), "clang")
}

// identity is a text that changes when the compiler does. Asking the compiler
// for its version would take longer than starting a cached program.
func (cc *Compiler) identity() string {
	path := cc.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%s %d %d %v", path, info.Size(), info.ModTime().UnixNano(), cc.Args)
}

// Version returns the first line of what the compiler says about itself.
func (cc *Compiler) Version() string {
	out, err := exec.Command(cc.Path, append(append([]string{}, cc.Args...), "--version")...).Output()
	if err != nil {
		return "unknown version"
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// semantics are the flags that emitted code relies on; see package cgen.
var semantics = []string{"-std=gnu11", "-fwrapv", "-fno-math-errno", "-fno-trapping-math", "-ffp-contract=off"}

// Sizes of C sources, in bytes, from which less is optimised: the time that
// the C compiler takes grows faster than its input.
const (
	largeSource = 160 << 10
	hugeSource  = 384 << 10
)

// libraryLevel is the level of optimisation of the run-time library.
var libraryLevel = []string{"-O2"}

// level returns the flags of the level of optimisation for a source of n bytes.
func (o *Options) level(n int) []string {
	switch {
	case o.Level0:
		return []string{"-O0"}
	case n < largeSource:
		return []string{"-O3"}
	case n < hugeSource:
		return []string{"-O1", "-ftree-vectorize"}
	}
	return []string{"-O0"}
}

// flags returns the flags for a target and a level of optimisation.
func (cc *Compiler) flags(o Options, level []string) []string {
	flags := append(append([]string{}, cc.Args...), semantics...)
	flags = append(flags, level...)
	if runtime.GOARCH == "amd64" || cc.Clang {
		flags = append(flags, "-march=native")
	} else {
		flags = append(flags, "-mcpu=native")
	}
	if cc.Clang && runtime.GOARCH == "amd64" && runtime.GOOS == "linux" {
		flags = append(flags, "-fveclib=libmvec")
	}
	if !cc.Clang { // ⌊ after ⌈ becomes two blends, not five with masks
		flags = append(flags, "-fno-thread-jumps", "-fno-builtin-sin", "-fno-builtin-cos")
	}
	switch o.Target {
	case OpenMP:
		flags = append(flags, "-fopenmp")
	case OpenCL:
		flags = append(flags, "-fopenmp-simd", "-DTAILOR_OPENCL")
	default:
		flags = append(flags, "-fopenmp-simd")
	}
	return append(flags, o.Flags...)
}

// libraries are linked last.
func (cc *Compiler) libraries(o Options) []string {
	if o.Target == OpenCL && runtime.GOOS == "linux" {
		o.Target = C
		return append(cc.libraries(o), "-ldl")
	}
	if cc.Clang && runtime.GOARCH == "amd64" && runtime.GOOS == "linux" {
		return []string{"-lmvec", "-lm"}
	}
	return []string{"-lm"}
}

// run runs the compiler; the error has what it printed.
func (cc *Compiler) run(args ...string) error {
	_, err := cc.output(args...)
	return err
}

// output runs the compiler and returns what it printed.
func (cc *Compiler) output(args ...string) (string, error) {
	out, err := exec.Command(cc.Path, args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("internal error: the C compiler refused our code: %w\n%s ‹%s›\n%s", err, cc.Path, strings.Join(args, " "), out)
	}
	return string(out), nil
}
