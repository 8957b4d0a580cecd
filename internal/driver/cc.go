package driver

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/tailor-lang/tailor/cgen"
)

// MissingTool reports that a program or a device that is needed is not there.
type MissingTool struct{ Message string }

func (m *MissingTool) Error() string { return m.Message }

// Compiler is a C compiler.
type Compiler struct {
	Path  string // of the executable
	Args  []string
	Clang bool
	// around are the flags that avoid faults which the compiler was found to
	// have; see faults.go.
	around []string
	probed bool
	// cancelled is guarded by pending.
	cancelled bool
}

// compilerNames are tried in order where CC is not set.
var compilerNames = []string{"gcc", "clang", "cc"}

// FindCompiler returns the C compiler that the environment variable CC names,
// which may have arguments, or else the first one installed.
func FindCompiler() (*Compiler, error) {
	if text := strings.TrimSpace(os.Getenv("CC")); text != "" {
		return namedCompiler(text)
	}
	for _, name := range compilerNames {
		if path, err := exec.LookPath(name); err == nil {
			return newCompiler(path, nil), nil
		}
	}
	return nil, noCompiler(strings.Join(compilerNames, ", "))
}

// namedCompiler reads the text of CC: a path, which may have blanks, or words,
// which may be quoted, of which the first is the path.
func namedCompiler(text string) (*Compiler, error) {
	for end := len(text); end > 0; end = strings.LastIndexByte(text[:end], ' ') {
		if path, err := exec.LookPath(strings.TrimSpace(text[:end])); err == nil {
			args, err := words(text[end:])
			return newCompiler(path, args), err
		}
	}
	all, err := words(text)
	if err != nil {
		return nil, err
	}
	if path, err := exec.LookPath(all[0]); err == nil {
		return newCompiler(path, all[1:]), nil
	}
	return nil, noCompiler(all[0])
}

func newCompiler(path string, args []string) *Compiler {
	return &Compiler{Path: path, Args: args, Clang: isClang(path)}
}

func noCompiler(names string) error {
	return &MissingTool{fmt.Sprintf("no C compiler found (looked for %s); install gcc or clang, or set CC", names)}
}

// words splits a text at its blanks, but for those in quotes or behind \, as a
// shell does.
func words(text string) ([]string, error) {
	var all []string
	var word []rune
	quote, escaped, inside := rune(0), false, false
	for _, r := range text {
		switch {
		case escaped:
			word, escaped = append(word, r), false
		case r == '\\' && quote != '\'':
			escaped, inside = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, inside = r, true
		case quote == 0 && unicode.IsSpace(r):
			if inside {
				all, word, inside = append(all, string(word)), nil, false
			}
		default:
			word, inside = append(word, r), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("CC is ‹%s›, in which a quote is not closed", text)
	}
	if inside {
		all = append(all, string(word))
	}
	return all, nil
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
	around := make([]string, len(compilerVariables))
	for i, name := range compilerVariables {
		around[i] = os.Getenv(name)
	}
	return fmt.Sprintf("%s %d %d %q %q %s", path, info.Size(), info.ModTime().UnixNano(), cc.Args, around, processor())
}

// compilerVariables are those of the environment that change what compilers
// do.
var compilerVariables = []string{"CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX"}

// processor is a text that changes with the features of the processor, for
// which code is made.
func processor() string {
	return features("vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features", "CPU implementer", "CPU part", "isa")
}

// abilities is the part of processor that says which instructions there are.
func abilities() string { return features("flags", "Features", "isa") }

// features are the lines of the record of a processor that have one of some names;
// where there is no record, a text for this machine.
func features(names ...string) string {
	record := processorRecord()
	if record == "" {
		name, _ := os.Hostname()
		return runtime.GOARCH + " " + name
	}
	var b strings.Builder
	for _, line := range strings.Split(record, "\n") {
		name, value, _ := strings.Cut(line, ":")
		if slices.Contains(names, strings.TrimSpace(name)) {
			b.WriteString(value + "\n")
		}
	}
	return b.String()
}

// processorRecord is the first record of /proc/cpuinfo, or "". It has all that is
// needed, and reading all of a file with many is slow.
var processorRecord = sync.OnceValue(func() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	text := make([]byte, 8<<10)
	n, _ := io.ReadFull(f, text)
	first, _, _ := strings.Cut(string(text[:n]), "\n\n")
	return first
})

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

// Sizes of C sources, as cgen.Weight gives them, from which less is optimised: gcc is to
// take less than 2 s for what is compiled quickly, and 5 s for what is to run fast. Of
// sources of 100 KiB it takes 1.2 s with -O1, twice that with vector code, and 5 s with
// -O3.
const (
	quickSource  = 128 << 10
	largeSource  = 112 << 10
	vectorSource = 144 << 10
	hugeSource   = 384 << 10
)

// libraryLevel is the level of optimisation of the run-time library.
var libraryLevel = []string{"-O2"}

// rareLevel is that of its parts in which programs spend no time.
var rareLevel = []string{"-O1"}

// level returns the flags of the level of optimisation for a source of n bytes,
// but for the copy that tests for overflow.
func (o *Options) level(n int) []string {
	switch {
	case o.Level0:
		return []string{"-O0"}
	case o.Quick && n >= quickSource, n >= hugeSource:
		return []string{"-O0"}
	case o.Quick, n >= vectorSource:
		return []string{"-O1"}
	case n >= largeSource:
		return []string{"-O1", "-ftree-vectorize"}
	}
	return []string{"-O3"}
}

// Flags returns the flags with which cc compiles a C source.
func (cc *Compiler) Flags(o Options, source string) []string {
	return cc.flags(o, o.level(cgen.Weight(source)))
}

// flags returns the flags for a target and a level of optimisation.
func (cc *Compiler) flags(o Options, level []string) []string {
	flags := append(append([]string{}, cc.Args...), semantics...)
	flags = append(append(flags, level...), cc.around...)
	if runtime.GOARCH == "amd64" || cc.Clang {
		flags = append(flags, "-march=native")
	} else {
		flags = append(flags, "-mcpu=native")
	}
	if cc.Clang && runtime.GOARCH == "amd64" && runtime.GOOS == "linux" {
		flags = append(flags, "-fveclib=libmvec")
	}
	if !cc.Clang {
		flags = append(flags, "-fno-builtin-sin", "-fno-builtin-cos", "-fno-builtin-pow")
	}
	switch o.Target {
	case OpenMP:
		flags = append(flags, "-fopenmp")
	case OpenCL:
		flags = append(flags, "-fopenmp-simd", "-DTAILOR_OPENCL")
	default:
		flags = append(flags, "-fopenmp-simd")
	}
	if o.Progress {
		flags = append(flags, "-DTAILOR_PROGRESS")
	}
	if o.Profile {
		flags = append(flags, "-DTAILOR_PROFILE")
	}
	if o.Export != "" {
		flags = append(flags, "-fPIC", "-fvisibility=hidden", "-DTAILOR_LIBRARY")
	}
	if o.Embedded { // few words are of a thread, and all of them are used in calls
		flags = append(flags, "-DTAILOR_EMBEDDED", "-ftls-model=initial-exec")
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
