package fcl

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/opencl"
)

// queue opens a device, or skips the test.
func queue(t testing.TB) *opencl.Queue {
	runtime.LockOSThread() // Oclgrind keeps what it knows of memory by thread
	q, err := driver.Device(false, false)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(q.Close)
	return q
}

// agree reports whether two results are equal; doubles that functions of the device
// computed may differ in the last digits.
func agree(v, w eval.Value) bool {
	switch v := v.(type) {
	case eval.Scalar:
		w, ok := w.(eval.Scalar)
		return ok && v.Type == w.Type && v.I == w.I && (v.F == w.F || v.F != v.F && w.F != w.F || math.Abs(v.F-w.F) <= 1e-12*math.Abs(v.F))
	case eval.Tuple:
		w, ok := w.(eval.Tuple)
		same := ok && len(v) == len(w)
		for i := 0; same && i < len(v); i++ {
			same = agree(v[i], w[i])
		}
		return same
	case *eval.Pull:
		w, ok := w.(*eval.Pull)
		same := ok && v.N == w.N
		for i := int64(0); same && i < v.N; i++ {
			same = agree(v.At(i), w.At(i))
		}
		return same
	}
	return false
}

// compare runs a program in the evaluator and on the device: both give the same, or a fault.
func compare(t *testing.T, q *opencl.Queue, p *Program, args []Data, params map[string]int64, text string) {
	want, _, fault := p.Run(args, params)
	given, _, err := p.RunOn(q, args, params)
	if fault != nil {
		var e, f *diag.Error
		errors.As(fault, &f)
		if noted(f) {
			require.ErrorAs(t, err, &e, "%s\n%v", text, fault)
			assert.Equal(t, f.Kind(), e.Kind(), "%s\n%v\n%v", text, fault, err)
		}
		return
	}
	if err != nil {
		if e, ok := err.(*diag.Error); ok {
			require.FailNow(t, e.Render(), text)
		}
	}
	require.NoError(t, err, text)
	got := Hosted(given)
	if !agree(want, got) {
		assert.Equal(t, eval.Text(want), eval.Text(got), text)
	}
}

// noted reports whether compiled code notices a fault; it looks for no races.
func noted(f *diag.Error) bool { return f.Code != diag.WrongDomain }

// many is how many generated programs FCL_PROGRAMS, or make test-all, asks for. A device's compiler needs
// seconds for each program, so that without it few programs of each kind run.
func many() int {
	n, _ := strconv.Atoi(os.Getenv("FCL_PROGRAMS"))
	if n == 0 && sampling.All() {
		n = 10
	}
	return n
}

// TestDevice runs the programs of testdata/fcl and of the tutorial on a device.
func TestDevice(t *testing.T) {
	q := queue(t)
	for _, s := range append(studies(t), tutorial(t)...) {
		if many() == 0 && s.name != "library.fcl" && s.name != "choose.fcl" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			for _, args := range s.runs[:1] {
				compare(t, q, s.program, args, s.params, s.text)
			}
		})
	}
}

// TestExchange runs steps in which work-items read what others wrote, where they read the same
// place before: nothing that was read before a barrier is known after it.
func TestExchange(t *testing.T) {
	const text = `fun main n = concat<block> 2 (generate n (fn g => do<block>
		{ a <- while<block> (fn a => length a > 2) (fn a => return (push (zipWith (+) (drop 1 a) a)))
			(return (push (generate 6 (fn i => i + g))))
		; return<block> (push<block> a)
		}))`
	p, err := Load(diag.NewSource("a", text))
	require.NoError(t, err)
	args := []Data{{Loose: true, Elem: types.Int, Elems: []eval.Scalar{eval.Int(2)}}}
	compare(t, queue(t), p, args, map[string]int64{"BlockSize": 4, "WarpSize": 2, "Limit": 100}, text)
}

// TestAgreement runs generated programs on a device. FCL_FIRST is the first one: PoCL keeps the code of every
// kernel mapped, so that a process ends after some 6,500 programs where it may have 65,530 mappings.
func TestAgreement(t *testing.T) {
	q := queue(t)
	first, _ := strconv.Atoi(os.Getenv("FCL_FIRST"))
	for seed := uint64(first); seed < uint64(max(many(), 1)); seed++ {
		t.Run(strconv.Itoa(int(seed)), func(t *testing.T) {
			text, p, args, _, _ := generatedRun(t, seed)
			kinds := uint64(2)
			if q.Device.SubGroups {
				kinds = 3
			}
			compare(t, q, p, args, map[string]int64{"BlockSize": 4, "WarpSize": 2, "Warps": int64(1 + seed%kinds), "Limit": 100}, text)
		})
	}
}

// TestExecutable builds programs as executables, which give what the evaluator gives.
func TestExecutable(t *testing.T) {
	queue(t)
	cc, err := driver.FindCompiler()
	if err != nil {
		t.Skip(err)
	}
	cache, err := driver.UserCache()
	require.NoError(t, err)
	all := append(studies(t), tutorial(t)...)
	if many() == 0 {
		all = all[:1]
	}
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			want, _, fault := s.program.Run(s.runs[0], s.params)
			source, err := s.program.Executable(s.runs[0], s.params)
			require.NoError(t, err)
			path, err := cache.Binary(cc, source, driver.Options{Target: driver.OpenCL})
			require.NoError(t, err)
			var out, errors bytes.Buffer
			cmd := exec.Command(path, wordsOf(s.given[0])...)
			cmd.Stdout, cmd.Stderr = &out, &errors
			err = cmd.Run()
			var f *diag.Error
			if e, ok := fault.(*diag.Error); ok && noted(e) {
				f = e
			}
			if f != nil {
				assert.Equal(t, 1, cmd.ProcessState.ExitCode())
				assert.Contains(t, errors.String(), f.Kind().String())
				return
			}
			if fault != nil {
				t.Skip("races are found by the evaluator only")
			}
			require.NoError(t, err, errors.String())
			assert.Equal(t, eval.Text(want)+"\n", out.String())
		})
	}
}
