package golden

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/fcl"
	fcleval "github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/lib"
	fclloops "github.com/tailor-lang/tailor/fcl/loops"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
)

// TestFCLText holds what emit fcl prints of programs to what their kernels do: it is a program of FCL without
// a gap, and each function gives, for the arrays and numbers that a kernel reads, what the kernel stores. The
// interpreter of loops runs the programs.
func TestFCLText(t *testing.T) {
	for _, p := range textPrograms(t) {
		for _, s := range []clgen.Schedule{clgen.Groups, clgen.Chunks} {
			t.Run(strings.TrimSuffix(p.Name, ".apl")+"/"+s.String(), func(t *testing.T) { checkFCLText(t, p, s) })
		}
	}
}

// textSources have what the programs of the folders lack.
var textSources = map[string]string{
	"a loop that a test ends":     "x←⌊⍎'30'\n+/{c←0 ⋄ a←⍵ ⋄ {⍵≤1:⍺ ⋄ (⍺+1)∇(⌊⍵÷2)+(2|⍵)×⍵+1+⌊⍵÷2}⍨/0,⍵}¨⍳x\n",
	"recursion for each":          "f←{⍵<2:⍵ ⋄ 1+∇⌊⍵÷3}\n+/f¨⍳⌊⍎'300'\n",
	"roots by Newton's steps":     "n←⌊⍎'50'\n+/{x←⍵ ⋄ {|(⍵×⍵)-x}{⍵}x ⋄ ({0.5×⍵+x÷⍵}⍣6)x}¨⍳n\n",
	"characters":                  "t←(⌊⍎'40')⍴'hello, world'\n+/t='l'\n⌽t\nt[⍋t]\n",
	"selections and running sums": "a←(⌊⍎'7')|⍳500\nb←(a>3)/a\n+/b\n⌈/⌈\\a\n+\\b\n",
	"updates":                     "n←⌊⍎'300'\nz←50⍴0\nx←1+50|17×⍳n\nz[x]+←⍳n\nz\nw←50⍴0\nw[x]←⍳n\nw\nd←50⍴0.5\nd[x]+←÷⍳n\n⌊1000×d\n",
	"products of other functions": "a←20 15⍴(⌊⍎'7')|⍳300\nb←⍉a+1\n+/,a⌈.+b\n+/,a∨.∧b\n+/,a+.=b\n",
	"divisors":                    "a←(⌊⍎'97')|7×⍳400\n+/12∨a\n+/6∧1+a\n+/0.5∨a÷4\n+/5*4|a\n",
	"transposition":               "a←30 40⍴(⌊⍎'97')|7×⍳1200\n+/,(⍉a)×40 30⍴⍳1200\n({⍵÷1+⍉⍵}⍣3)20 20⍴÷1+,a\n",
	"rows":                        "a←30 40⍴(⌊⍎'97')|7×⍳1200\n⌈/a\n+/a÷7\n(⌈/a)-⌊/a\n({(⍵-(+/⍵)÷≢⍵)*2}⍤1)a÷3\n",
	"random numbers":              "+/?500⍴6\n+/0.5<?500⍴0\n",
	"faults":                      "a←⍳⌊⍎'100'\nb←(⌽a)[a]\n+/b\n+/{⍵>200:÷0 ⋄ ÷⍵}¨a\n",
	"complex numbers":             "z←(⌊⍎'2')0J1×⍳2\n+/*z\n+/|z\n×/z\nz÷⌽z\n",
}

// textPrograms are these, and the programs of testdata/programs and testdata/opencl, or a few.
func textPrograms(t *testing.T) (list []Program) {
	for name, source := range textSources {
		list = append(list, Program{Name: name, Source: source})
	}
	slices.SortFunc(list, func(p, q Program) int { return strings.Compare(p.Name, q.Name) })
	return append(list, caseFiles(t)...)
}

// caseFiles are the programs of the folders, or a few.
func caseFiles(t *testing.T) (list []Program) {
	names, err := programs.Names("testdata/programs")
	require.NoError(t, err)
	for _, name := range names {
		p, err := programs.Read("testdata/programs", name, programs.Test)
		require.NoError(t, err)
		list = append(list, Program{Name: name + ".apl", Source: p.Source})
	}
	files, err := filepath.Glob("testdata/opencl/*.apl")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		list = append(list, Program{Name: filepath.Base(file), Source: string(text)})
	}
	if sampling.All() {
		return list
	}
	return slices.DeleteFunc(list, func(p Program) bool {
		return !slices.Contains([]string{"easter.apl", "lu.apl", "primes.apl", "sums.apl"}, p.Name)
	})
}

func checkFCLText(t *testing.T, p Program, s clgen.Schedule) {
	c := p.compilation(driver.Options{Target: driver.OpenCL})
	plan, err := c.Plan(clgen.Options{Schedule: s})
	require.NoError(t, err)
	text := plan.FCLText()
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "--")
		assert.NotContains(t, code, "…", "a gap")
	}
	loaded, err := fcl.Load(diag.NewSource(p.Name, text))
	if err != nil {
		require.FailNow(t, err.(*diag.Error).Render())
	}
	source, err := c.TAIL()
	require.NoError(t, err)
	h := &textHooks{t: t, kernels: plan.Described(), program: loaded, tolerance: plan.Program.Tolerance(), done: map[string]int{}}
	o := guarded(func() Outcome {
		var out strings.Builder
		err := eval.Compile(plan.Program, h).Run(eval.World{Stdout: &out, Args: p.Args, Exact: source.Exact}, nil, nil)
		return failed(out.String(), err)
	})
	assert.Equal(t, Evaluate(p).String(), o.String())
	t.Logf("%d functions compared, %d kernels have none, %d runs are large", len(h.done), h.without, h.large)
}

// textHooks runs statements that are kernels as they stand, and compares what they store.
type textHooks struct {
	t         *testing.T
	kernels   map[ir.Stmt]*fclloops.Kernel
	program   *fcl.Program
	tolerance float64
	done      map[string]int
	without   int
	large     int // runs that are not compared as arrays have many elements
}

// These bound what is compared: runs of a kernel, and elements that these have, fewer where a function changes
// arrays step by step.
const (
	mostRuns     = 2
	mostElements = 2048
	mostChanged  = 256
)

func (h *textHooks) Watches() bool                     { return false }
func (h *textHooks) Loose(f *ir.Func) map[*ir.Var]bool { return nil }

func (h *textHooks) Statement(c *eval.Code, s ir.Stmt) (eval.Op, bool) {
	k, ok := h.kernels[s]
	switch {
	case !ok:
		return nil, false
	case k == nil:
		return nil, true
	}
	text := k.Written(h.tolerance)
	all := eval.Block{c.Plain(s)}
	if len(k.Statements) > 0 {
		all = nil
		for _, s := range k.Statements {
			all = append(all, c.Plain(s))
		}
	}
	if text.Text == "" || k.Function == "lastsOr" { // that leaves gaps in what it gives, which only a kernel can store
		h.without++
		return all.Run, true
	}
	var given []func(fr *eval.Frame) fcleval.Value
	for _, p := range text.Params {
		given = append(given, argument(c, p))
	}
	var got []func(fr *eval.Frame) fcleval.Value
	for _, g := range slices.Concat(text.Gives...) {
		got = append(got, argument(c, fclloops.Param{Buf: g.Buf, Var: g.Var}))
	}
	most := int64(mostElements)
	if slices.ContainsFunc(slices.Concat(text.Gives...), func(g fclloops.Result) bool { return g.Whole }) {
		most = mostChanged
	}
	return func(fr *eval.Frame) eval.Next {
		if h.done[text.Name] == mostRuns {
			return all.Run(fr)
		}
		var args, before, after []fcleval.Value
		for _, f := range given {
			args = append(args, f(fr))
		}
		for _, f := range got {
			before = append(before, f(fr))
		}
		next := all.Run(fr)
		if elements(args)+elements(before) > most {
			h.large++
			return next
		}
		h.done[text.Name]++
		for _, f := range got {
			after = append(after, f(fr))
		}
		h.compare(text, args, before, after)
		return next
	}, true
}

// elements counts those of arrays.
func elements(list []fcleval.Value) (n int64) {
	for _, v := range list {
		if a, ok := v.(*fcleval.Pull); ok {
			n += a.N
		}
	}
	return n
}

// argument reads what a function is given.
func argument(c *eval.Code, p fclloops.Param) func(fr *eval.Frame) fcleval.Value {
	switch {
	case p.Buf != nil:
		slot := c.Buf(p.Buf)
		return func(fr *eval.Frame) fcleval.Value {
			s := fr.Bufs[slot]
			if s == nil {
				return fcleval.Vector(nil)
			}
			fr.M.ToHost(s)
			elems := make([]fcleval.Value, s.Count)
			for i := range elems {
				elems[i] = element(s.Elem, s.Host[int64(i)*eval.SizeOf(s.Elem):])
			}
			return fcleval.Vector(elems)
		}
	case p.Var != nil && p.Var.Kind == ir.C64:
		z := c.Complex(p.Var.Use())
		return func(fr *eval.Frame) fcleval.Value {
			return fcleval.Tuple{scalar.Double(real(z(fr))), scalar.Double(imag(z(fr)))}
		}
	case p.Var != nil && p.Var.Kind == ir.F64:
		x := c.Double(p.Var.Use())
		return func(fr *eval.Frame) fcleval.Value { return scalar.Double(x(fr)) }
	case p.Var != nil:
		n, of := c.Int(p.Var.Use()), fclloops.ScalarOf(p.Var.Kind)
		return func(fr *eval.Frame) fcleval.Value { return scalar.Number(of, n(fr), 0) }
	}
	n := c.Int(p.Number)
	return func(fr *eval.Frame) fcleval.Value { return scalar.Int(n(fr)) }
}

// element reads an element of an array.
func element(k ir.Kind, b []byte) fcleval.Value {
	double := func(b []byte) fcleval.Value {
		return scalar.Double(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	switch k {
	case ir.F64:
		return double(b)
	case ir.C64:
		return fcleval.Tuple{double(b), double(b[8:])}
	case ir.C8:
		return scalar.Number(types.I32, int64(b[0]), 0)
	}
	v := uint64(0)
	for i := range eval.SizeOf(k) {
		v |= uint64(b[i]) << (8 * i)
	}
	return scalar.Number(fclloops.ScalarOf(k), int64(v), 0)
}

// compare runs a function, and compares what it gives with what is there after the kernel.
func (h *textHooks) compare(text fclloops.Text, args, before, after []fcleval.Value) {
	g := h.program.Scope.Globals[text.Name]
	require.NotNil(h.t, g, text.Name)
	var ts []types.Type
	for _, p := range text.Params {
		ts = append(ts, p.Type())
	}
	use, bad := types.Instantiate(g, ts)
	require.Negative(h.t, bad, text.Name)
	v, _, err := fcleval.Run(use, h.program.Info, lib.Params(lib.GPU), args)
	if err != nil {
		assert.Fail(h.t, text.Name, err.(*diag.Error).Render())
		return
	}
	gives := slices.Concat(text.Gives...)
	for i, r := range results(v, text.Gives) {
		p, ok := before[i].(*fcleval.Pull)
		if !ok || gives[i].Whole {
			before[i] = r
			continue
		}
		made := stored(p, r, gives[i])
		for j, g := range gives { // an array that is stored in several times
			if g.Buf == gives[i].Buf {
				before[j] = made
			}
		}
	}
	for i := range before {
		if !near(after[i], before[i]) {
			assert.Equal(h.t, fcleval.Text(after[i]), fcleval.Text(before[i]), "%s: result %d\n%s", text.Name, i, text.Text)
		}
	}
}

// results divides what a function gives.
func results(v fcleval.Value, gives [][]fclloops.Result) (all []fcleval.Value) {
	for i, group := range gives {
		of := v
		if len(gives) > 1 {
			of = v.(fcleval.Tuple)[i]
		}
		for j := range group {
			switch one := of.(type) {
			case *fcleval.Pull:
				if len(group) > 1 {
					one = &fcleval.Pull{N: one.N, At: func(k int64) fcleval.Value { return of.(*fcleval.Pull).At(k).(fcleval.Tuple)[j] }}
				}
				all = append(all, one)
			case fcleval.Tuple:
				if len(group) > 1 {
					all = append(all, one[j])
					continue
				}
				all = append(all, one)
			default:
				all = append(all, one)
			}
		}
	}
	return all
}

// stored is an array with what a kernel stores in it.
func stored(to *fcleval.Pull, v fcleval.Value, g fclloops.Result) fcleval.Value {
	elems := make([]fcleval.Value, to.N)
	for i := range elems {
		elems[i] = to.At(int64(i))
	}
	p := v.(*fcleval.Pull)
	for i := range p.N {
		x := p.At(i)
		switch {
		case g.Kept:
			t := x.(fcleval.Tuple)
			if t[0].(fcleval.Scalar).I != 0 {
				elems[t[1].(fcleval.Scalar).I] = t[2]
			}
		case g.Placed:
			t := x.(fcleval.Tuple)
			elems[t[0].(fcleval.Scalar).I] = t[1]
		default:
			elems[i] = x
		}
	}
	return fcleval.Vector(elems)
}

// near reports whether values are the same, but for last digits.
func near(a, b fcleval.Value) bool {
	switch a := a.(type) {
	case fcleval.Scalar:
		x, y := a.F, b.(fcleval.Scalar).F
		if !a.Type.IsFloat() {
			return a.I == b.(fcleval.Scalar).I
		}
		return x == y || x != x && y != y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))+1e-12
	case fcleval.Tuple:
		for i := range a {
			if !near(a[i], b.(fcleval.Tuple)[i]) {
				return false
			}
		}
		return true
	case *fcleval.Pull:
		q := b.(*fcleval.Pull)
		if a.N != q.N {
			return false
		}
		for i := range a.N {
			if !near(a.At(i), q.At(i)) {
				return false
			}
		}
		return true
	}
	panic(fmt.Sprintf("a result is a %T", a))
}
