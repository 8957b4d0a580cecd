package fuzz

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/golden"
	"github.com/tailor-lang/tailor/internal/gradual"
	"github.com/tailor-lang/tailor/internal/sampling"
)

// specialised is the number of programs that TestSpecialised runs, or takes a sample
// of. With all of them, one in cPrograms is run with C, too.
const (
	specialised = 4000
	cPrograms   = 40
)

// TestSpecialised runs programs in the interpreter, plainly and with every function
// compiled at its first call: in the evaluator, and for some of the programs as C. What
// they print and their errors are the same, digit by digit.
func TestSpecialised(t *testing.T) {
	cache, cc := compilers(t)
	parallel(specialised, "specialised", func(seed int64) {
		p := Generate(seed)
		if bad := changed(asProgram(p), nil, nil); bad != "" {
			p = Shrink(p, func(q *Program) bool { return changed(asProgram(q), nil, nil) != "" })
			t.Errorf("seed %d\n%s\n%s", seed, p.Text(), changed(asProgram(p), nil, nil))
		}
		if cc != nil && sampling.All() && seed%cPrograms == 0 {
			if bad := changed(asProgram(p), cache, cc); bad != "" {
				t.Errorf("seed %d, C\n%s\n%s", seed, p.Text(), bad)
			}
		}
	})
}

// scripts is the number of scripts that TestScripts runs, or takes a sample of.
const scripts = 4000

// TestScripts is TestSpecialised for scripts.
func TestScripts(t *testing.T) {
	cache, cc := compilers(t)
	parallel(scripts, "scripts", func(seed int64) {
		check := func(cache *driver.Cache, cc *driver.Compiler) {
			s := GenerateScript(seed)
			differs := func(s Script) string { return changed(golden.Program{Name: "script.apl", Source: s.Text()}, cache, cc) }
			if differs(s) == "" {
				return
			}
			s = ShrinkScript(s, func(s Script) bool { return differs(s) != "" })
			t.Errorf("seed %d\n%s\n%s", seed, s.Text(), differs(s))
		}
		check(nil, nil)
		if cc != nil && sampling.All() && seed%cPrograms == 0 {
			check(cache, cc)
		}
	})
}

// parallel calls f for the seeds up to n, or a sample of them.
func parallel(n int64, name string, f func(seed int64)) {
	seeds := make(chan int64)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for seed := range seeds {
				f(seed)
			}
		})
	}
	for seed := int64(1); seed <= n; seed++ {
		if sampling.Keep(fmt.Sprint(name, seed), 16) {
			seeds <- seed
		}
	}
	close(seeds)
	wait.Wait()
}

// compilers returns the C compiler, if there is one.
func compilers(t *testing.T) (*driver.Cache, *driver.Compiler) {
	cc, err := driver.FindCompiler()
	if err != nil {
		return nil, nil
	}
	cache, err := driver.OpenCache(t.TempDir())
	if err != nil {
		return nil, nil
	}
	return cache, cc
}

// changed says how a program differs where functions are compiled, or "".
func changed(p golden.Program, cache *driver.Cache, cc *driver.Compiler) string {
	if strings.Contains(p.Source, "?") && strings.Contains(p.Source, "⎕RL←⍬") {
		return ""
	}
	want := golden.Interpret(p)
	functions := gradual.New(func() (*driver.Cache, *driver.Compiler) { return cache, cc })
	functions.Synchronous = true
	got := golden.Specialise(p, functions)
	if want.String() == got.String() {
		return ""
	}
	return fmt.Sprintf("interpreted: %v\ncompiled: %v", want, got)
}
