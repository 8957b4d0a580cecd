package golden

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/opencl"
)

// Backend compiles programs to C, many in one translation unit because
// starting the C compiler costs more than most programs do.
type Backend struct {
	Target driver.Target
	// Options are those of the compilations; their target is Target.
	Options driver.Options
	// Flags are given to the C compiler after its others.
	Flags []string
	// Level is the level of optimisation of a translation unit; see levelOf.
	Level   func(source string) string
	Compile *driver.Compiler
	Cache   *driver.Cache
	Limit   time.Duration // for one run; ten minutes when 0
	Device  clgen.Options // of the target OpenCL
}

// chunk is the number of programs in a translation unit.
const chunk = 24

// Run compiles and runs the programs; the outcomes are in their order.
func (k *Backend) Run(programs []Program) []Outcome {
	all := make([]Outcome, len(programs))
	var wait sync.WaitGroup
	turn := make(chan bool, runtime.NumCPU())
	for at := 0; at < len(programs); at += chunk {
		end := min(at+chunk, len(programs))
		wait.Add(1)
		turn <- true
		go func() {
			defer func() { <-turn; wait.Done() }()
			k.runChunk(programs[at:end], all[at:end])
		}()
	}
	wait.Wait()
	return all
}

// runChunk runs programs that share a translation unit. Where the C compiler
// refuses it, each is tried alone, to find the culprit.
func (k *Backend) runChunk(programs []Program, out []Outcome) {
	source, compiled := k.unit(programs, out)
	path, err := k.Cache.Binary(k.Compile, source, driver.Options{Target: k.Target, Flags: append([]string{k.Level(source)}, k.Flags...)})
	if err != nil && len(programs) > 1 {
		for i := range programs {
			k.runChunk(programs[i:i+1], out[i:i+1])
		}
		return
	}
	for i, p := range programs {
		switch {
		case !compiled[i]:
		case err != nil:
			out[i] = Outcome{Stderr: err.Error() + "\n", Status: driver.ExitInternal}
		default:
			out[i] = k.start(path, i, p)
		}
	}
}

// unit returns the translation unit of programs and which of them are in it;
// the outcomes of the others, which have errors, are set.
func (k *Backend) unit(programs []Program, out []Outcome) (string, []bool) {
	var b, calls strings.Builder
	compiled := make([]bool, len(programs))
	b.WriteString("#include \"tailor.h\"\n")
	if k.Target == driver.OpenCL {
		b.WriteString("#include \"opencl.h\"\n")
	}
	for i, p := range programs {
		out[i] = guarded(func() Outcome {
			o := k.Options
			if p.Variant != nil {
				o = *p.Variant
			}
			o.Target, o.Device = k.Target, k.Device
			text, err := p.compilation(o).C(fmt.Sprintf("case%d", i))
			if err != nil {
				return failed("", err)
			}
			b.WriteString(text)
			compiled[i] = true
			return Outcome{}
		})
		if compiled[i] {
			fmt.Fprintf(&calls, "    case %d: case%d(); break;\n", i, i)
		}
	}
	fmt.Fprintf(&b, `
int main(int argc, char **argv) {
  if (argc < 2) return 99;
  int which = atoi(argv[1]);
  argv[1] = argv[0];
  tl_init(argc - 1, argv + 1);
  switch (which) {
%s  }
  return tl_finish();
}
`, calls.String())
	text := b.String()
	if strings.Contains(text, "  tl_ct = ") { // programs that set ⎕CT
		text = "#define TL_CT tl_ct\n" + text
	}
	return text, compiled
}

// start runs program i of a binary.
func (k *Backend) start(path string, i int, p Program) Outcome {
	limit := k.Limit
	if limit == 0 {
		limit = 10 * time.Minute
	}
	cmd := exec.Command(path, append([]string{fmt.Sprint(i)}, p.Args...)...)
	cmd.Env = append(os.Environ(), "GOMP_SPINCOUNT=0") // else the program starts itself again, without the number
	if k.Target == driver.OpenCL {                     // as in NewDevice
		cmd.Env = append(cmd.Env, "TAILOR_CACHE="+os.DevNull)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		return Outcome{Stderr: err.Error(), Status: driver.ExitInternal}
	}
	timer := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	o := Outcome{Stdout: stdout.String(), Stderr: stderr.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if o.Status = exit.ExitCode(); o.Status < 0 {
			o.Status = driver.ExitInternal
			o.Stderr += exit.String() + "\n"
		}
		if !timer.Stop() {
			o.Stderr += fmt.Sprintf("stopped after %v\n", limit)
		}
	}
	timer.Stop()
	return o
}

// NewBackend returns a backend for tests, with warnings as errors. Its cache
// is under the build cache, so that repeated tests compile nothing. The
// environment variable TAILOR_TEST_CFLAGS adds flags for the C compiler.
func NewBackend(target driver.Target) (*Backend, error) {
	cc, err := driver.FindCompiler()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("tailor-tests-%d", os.Getuid()))
	cache, err := driver.OpenCache(dir)
	if err != nil {
		return nil, err
	}
	if target == driver.OpenCL {
		if _, err := opencl.Devices(); err != nil {
			return nil, err
		}
	}
	if target == driver.OpenMP {
		if err := cache.CheckOpenMP(cc); err != nil {
			return nil, err
		}
	}
	// gcc warns of accesses in loops of no steps and of copies of negative sizes, when it
	// sees only part of why there are none, and of comparisons with numbers that narrowed
	// variables cannot hold; clang does not know these warnings nor the options of
	// pragmas, and wants && where & makes vector code.
	flags := append([]string{"-Wall", "-Wextra", "-Werror", "-Wno-unknown-warning-option", "-Wno-unknown-pragmas", "-Wno-type-limits", "-Wno-bitwise-instead-of-logical", "-Wno-aggressive-loop-optimizations", "-Wno-stringop-overflow"}, strings.Fields(os.Getenv("TAILOR_TEST_CFLAGS"))...)
	return &Backend{Target: target, Flags: flags, Level: levelOf, Compile: cc, Cache: cache}, nil
}

// largeUnit is the size from which units are not optimised in samples.
const largeUnit = 100 << 10

// levelOf chooses the level of optimisation of a unit: -O0 shows the meaning of
// C as well as any and takes the compiler a third of the time; one unit of
// eight, by the digest of its text, is compiled with -O2, in a sample only where
// it is short. The environment variable TAILOR_TEST_LEVEL names one level for all.
func levelOf(source string) string {
	if level := os.Getenv("TAILOR_TEST_LEVEL"); level != "" {
		return level
	}
	if sha256.Sum256([]byte(source))[0]%8 == 0 && (len(source) < largeUnit || sampling.All()) {
		return "-O2"
	}
	return "-O0"
}
