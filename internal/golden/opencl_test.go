package golden

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/conform"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/programs"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/opencl"
)

// sample are the programs that every test runs on the device.
var sample = []string{"signal", "primes", "prefix", "life"}

// TestOpenCLPrograms compares kernels with the expected output; what they cost
// is in testdata/programs/opencl.stats.
func TestOpenCLPrograms(t *testing.T) {
	t.Parallel()
	for _, s := range []clgen.Schedule{clgen.Chunks, clgen.Groups} {
		d, err := NewDevice(OnDevice(s))
		if err != nil {
			t.Skip(err)
		}
		for _, name := range deviceSample(t, s) {
			t.Run(name+"/"+s.String(), func(t *testing.T) {
				p, err := programs.Read("testdata/programs", name, programs.Test)
				require.NoError(t, err)
				o, _ := d.Run(Program{Name: name + ".apl", Source: p.Source})
				if !Agree(Outcome{Stdout: p.Output}, o) {
					assert.Equal(t, p.Output, o.String())
				}
			})
		}
		d.Queue.Close()
	}
}

// TestOpenCLBuild compares the executables that build writes, whose host is C,
// with the expected output, for one schedule or both.
func TestOpenCLBuild(t *testing.T) {
	t.Parallel()
	k, err := NewBackend(driver.OpenCL)
	if err != nil {
		t.Skip(err)
	}
	schedules := []clgen.Schedule{clgen.Chunks, clgen.Groups}
	for _, i := range sampling.Of([]string{"build chunks", "build groups"}, 2) {
		s := schedules[i]
		k.Device = OnDevice(s)
		var names []string
		var list []Program
		var want []Outcome
		for _, name := range deviceSample(t, s) {
			p, err := programs.Read("testdata/programs", name, programs.Test)
			require.NoError(t, err)
			names = append(names, name)
			list, want = append(list, Program{Name: name + ".apl", Source: p.Source}), append(want, Outcome{Stdout: p.Output})
		}
		for _, name := range slices.Sorted(maps.Keys(kernelCases)) {
			if sampling.All() || slices.Contains(quickCases[s], name) {
				p := Program{Source: kernelCases[name]}
				names, list, want = append(names, name), append(list, p), append(want, Evaluate(p))
			}
		}
		for i, o := range k.Run(list) {
			if !Agree(want[i], o) {
				t.Run(names[i]+"/"+s.String(), func(t *testing.T) { assert.Equal(t, want[i].String(), o.String()) })
			}
		}
	}
}

// TestOpenCLBuildCases compares executables with the evaluator on a sample of
// the cases that have kernels, or a fifth of these: each is a process that opens the device, and
// TestOpenCLCases has the kernels of all.
func TestOpenCLBuildCases(t *testing.T) {
	k, err := NewBackend(driver.OpenCL)
	if err != nil {
		t.Skip(err)
	}
	k.Device = OnDevice(clgen.Chunks)
	var list []Program
	for _, p := range fifth(sampled(caseList(t), deviceSamples[clgen.Chunks])) {
		text, err := p.compilation(driver.Options{Target: driver.OpenCL, Device: k.Device}).C("kernels")
		if err == nil && strings.Contains(text, "__kernel") && !strings.Contains(p.Source, "⎕TS") && !strings.Contains(p.Source, "⎕AI") {
			list = append(list, p)
		}
	}
	for i, o := range k.Run(list) {
		want := Evaluate(list[i])
		if want.Status == driver.ExitSource {
			continue
		}
		if !Agree(want, o) {
			t.Run(list[i].Name, func(t *testing.T) { assert.Equal(t, want.String(), o.String(), list[i].Source) })
		}
	}
}

// TestNoDevice shows that an executable says what is missing.
func TestNoDevice(t *testing.T) {
	k, err := NewBackend(driver.OpenCL)
	if err != nil {
		t.Skip(err)
	}
	t.Setenv("OCL_ICD_VENDORS", "/nonexistent")
	k.Device = OnDevice(clgen.Groups)
	o := k.Run([]Program{{Source: "+/⍳100\n"}})[0]
	assert.Equal(t, Outcome{Stderr: "tailor: " + opencl.ErrNoDevice.Error() + "\n", Status: driver.ExitMissing}, o)
}

// openDevice opens a queue that the end of the test closes; without a device the test is
// skipped.
func openDevice(t *testing.T, o clgen.Options) *Device {
	d, err := NewDevice(o)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(d.Queue.Close)
	return d
}

func deviceSample(t *testing.T, s clgen.Schedule) []string {
	if !sampling.All() {
		if s == clgen.Groups {
			return sample[:2]
		}
		return sample
	}
	names, err := programs.Names("testdata/programs")
	require.NoError(t, err)
	return names
}

// TestOpenCLStats holds the numbers of kernels and bytes against the golden
// file. They depend on thresholds, not on the device; what is set up in a few
// steps is left to the host, as it is with larger data.
func TestOpenCLStats(t *testing.T) {
	o := OnDevice(clgen.Chunks)
	o.HostWork = 512
	d := openDevice(t, o)
	const file = "testdata/programs/opencl.stats"
	text, err := os.ReadFile(file)
	if !*update {
		require.NoError(t, err)
	}
	names, err := programs.Names("testdata/programs")
	require.NoError(t, err)
	if !*update && !sampling.All() {
		names = sample
	}
	var lines []string
	for _, name := range names {
		p, err := programs.Read("testdata/programs", name, programs.Test)
		require.NoError(t, err)
		_, stats := d.Run(Program{Name: name + ".apl", Source: p.Source})
		line := fmt.Sprintf("%-12s %5d kernels, %8d bytes written, %8d bytes read", name, stats.Launches, stats.Written, stats.Read)
		lines = append(lines, line)
		if !*update && !strings.Contains(string(text), line+"\n") {
			t.Errorf("%s has no line %q", file, line)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644))
	}
}

// TestOpenCLHostWork says which reductions of rows, read from a file, run on the device: few
// rows, too, where they are long.
func TestOpenCLHostWork(t *testing.T) {
	o := OnDevice(clgen.Groups)
	o.HostWork = 512
	d := openDevice(t, o)
	for length, onDevice := range map[int]bool{64: false, 1024: true} {
		file := filepath.Join(t.TempDir(), "m.npy")
		written := Evaluate(Program{Source: fmt.Sprintf("r←(2 %d⍴⍳9) ⎕NPY '%s'\n", length, file)})
		require.Zero(t, written.Status, written.Stderr)
		p := Program{Source: fmt.Sprintf("m←⎕NPY '%s' ⍝: [int]2\n⌈/m\n", file)}
		got, stats := d.Run(p)
		assert.Equal(t, Evaluate(p), got)
		assert.Equal(t, onDevice, stats.Launches > 0, "rows of %d", length)
	}
}

// TestOpenCLLoops holds a loop of loops on an array of the device to one launch, not one a turn.
func TestOpenCLLoops(t *testing.T) {
	o := OnDevice(clgen.Groups)
	o.HostWork = 0
	d := openDevice(t, o)
	p := Program{Source: "n←3000×⌊⍎'1'\nx←n⍴3 1 4\n⌈/+\\x\n"}
	got, stats := d.Run(p)
	assert.Equal(t, Evaluate(p), got)
	assert.Less(t, stats.Launches, 10)
}

// TestOpenCLSearches says which programs of FCL grades and searches of arrays on the
// device come to, and that nothing but a few words is copied.
func TestOpenCLSearches(t *testing.T) {
	t.Parallel()
	o := OnDevice(clgen.Groups)
	d := openDevice(t, o)
	cases := []struct {
		source, computed string
		read             int64 // bytes at most
	}{
		{"+/(97|a)⍳89|a", "indexof_i64", 64},
		{"+/(97|a)∊89|a", "member_i64", 64},
		{"+/∪97|a", "unique_i64", 64},
		{"+/(97|a)~89|a", "without_i64", 64},
		{"+/≠97|a", "indexof_i64", 64},
		{"+/≠1000 2⍴4|a", "firstcell_i64", 64},
		{"+/(0.1×97|a)⍳0.1×89|a", "indexof_near", 64},
		{"+/∪0.1×97|a", "", 8192}, // the host does it
		{"+/a×⍋1000 2⍴4|a", "gradecells_i64", 1024},
	}
	for i, c := range cases {
		if !sampling.All() && i%4 != 0 {
			continue
		}
		var out, trace bytes.Buffer
		p := Program{Source: "a←(⌊⍎'3')×⍳1000\n" + c.source + "\n"}
		stats, err := p.compilation(driver.Options{Target: driver.OpenCL}).RunOpenCL(d.Queue, o, &out, &trace, nil)
		require.NoError(t, err)
		assert.Equal(t, Evaluate(p).Stdout, out.String(), c.source)
		var computed []string
		for line := range strings.Lines(trace.String()) {
			if _, name, ok := strings.Cut(line, "compute "); ok {
				name, _, _ = strings.Cut(name, ",")
				computed = append(computed, name)
			}
		}
		assert.Equal(t, c.computed, strings.Join(computed, " "), c.source)
		assert.LessOrEqual(t, stats.Read, c.read, c.source)
	}
}

// TestOpenCLHost compares the host's part of the plan with the evaluator on
// one case in 48, or all, without a device.
func TestOpenCLHost(t *testing.T) {
	t.Parallel()
	var list []*Device
	for range runtime.NumCPU() {
		list = append(list, &Device{Options: clgen.Options{Schedule: clgen.Groups}})
	}
	checkDevices(t, list, sampled(caseList(t), 48))
}

// deviceSamples say which part of the cases runs on the device, one in so many.
var deviceSamples = map[clgen.Schedule]uint64{clgen.Chunks: 400, clgen.Groups: 1600}

// partCases is how many cases a process runs: PoCL keeps the code of all kernels mapped, and
// Linux lets a process map 65,530 pieces, which those of all cases are more than. partVariable
// says which case is the first.
const (
	partCases    = 1000
	partVariable = "TAILOR_TEST_PART"
)

// TestOpenCLCases compares kernels with the evaluator on a sample of the cases,
// or all; for work-groups, whose kernels compile more slowly, on fewer.
func TestOpenCLCases(t *testing.T) {
	t.Parallel()
	for s, n := range deviceSamples {
		t.Run(s.String(), func(t *testing.T) {
			list := sampled(caseList(t), n)
			if s == clgen.Groups {
				list = fifth(list)
			}
			if from, err := strconv.Atoi(os.Getenv(partVariable)); err == nil {
				checkDevices(t, everyProcessor(t, s), list[from:min(from+partCases, len(list))])
				return
			}
			if len(list) <= partCases {
				checkDevices(t, everyProcessor(t, s), list)
				return
			}
			for from := 0; from < len(list); from += partCases {
				c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOpenCLCases$/^"+s.String()+"$", "-test.timeout=0")
				c.Dir = filepath.Join("internal", "golden") // TestMain leaves it for the root
				c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", partVariable, from))
				out, err := c.CombinedOutput()
				assert.NoError(t, err, "%s", out)
			}
		})
	}
}

// fifth returns a fifth of all cases, another one for each compiler; samples are short already.
func fifth(list []Program) (some []Program) {
	if !sampling.All() {
		return list
	}
	texts := make([]string, len(list))
	for i, p := range list {
		texts[i] = p.Source
	}
	for _, i := range sampling.Part(texts, 5) {
		some = append(some, list[i])
	}
	return some
}

// everyProcessor opens a queue a processor, as drivers compile kernels slowly.
func everyProcessor(t *testing.T, s clgen.Schedule) []*Device {
	var list []*Device
	for range runtime.NumCPU() {
		d := openDevice(t, OnDevice(s))
		list = append(list, d)
	}
	return list
}

// caseList returns the cases of testdata/expr, testdata/errors and
// testdata/tests.
func caseList(t *testing.T) []Program {
	var list []Program
	add := func(file string, line int, source string) {
		list = append(list, Program{Name: fmt.Sprintf("%s:%d", filepath.Base(file), line), Source: source})
	}
	for _, folder := range []string{"expr", "errors"} {
		files, err := filepath.Glob("testdata/" + folder + "/*.txt")
		require.NoError(t, err)
		for _, file := range files {
			if folder == "expr" {
				cases, err := conform.Expressions(file)
				require.NoError(t, err)
				for _, c := range cases {
					add(file, c.Line, c.Source)
				}
				continue
			}
			cases, err := conform.Faults(file)
			require.NoError(t, err)
			for _, c := range cases {
				add(file, c.Line, c.Source)
			}
		}
	}
	cases, err := ReadCases("testdata/tests")
	require.NoError(t, err)
	for _, c := range cases {
		list = append(list, c.Program)
	}
	return list
}

// checkDevices shares programs among devices, and compares with the evaluator.
func checkDevices(t *testing.T, devices []*Device, list []Program) {
	t.Logf("%d cases", len(list))
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, d := range devices {
		wait.Go(func() {
			for i := int(next.Add(1) - 1); i < len(list); i = int(next.Add(1) - 1) {
				checkDevice(t, d, list[i])
			}
		})
	}
	wait.Wait()
}

// checkDevice compares a program with the evaluator.
func checkDevice(t *testing.T, d *Device, p Program) {
	if strings.Contains(p.Source, "⎕TS") || strings.Contains(p.Source, "⎕AI") {
		return
	}
	want := Evaluate(p)
	if want.Status == driver.ExitSource {
		return
	}
	o, _ := d.Run(p)
	if !Agree(want, o) {
		t.Run(p.Name, func(t *testing.T) { assert.Equal(t, want.String(), o.String(), p.Source) })
	}
}

// TestOpenCLFunctions compares the programs of testdata/opencl, which have
// scalar functions at edges and loops of every shape on few elements, with the
// evaluator.
func TestOpenCLFunctions(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/opencl/*.apl")
	require.NoError(t, err)
	for _, s := range []clgen.Schedule{clgen.Chunks, clgen.Groups} {
		d := openDevice(t, OnDevice(s))
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".apl")
			if !sampling.All() && (name != "tolerance" || s != clgen.Chunks) {
				continue
			}
			t.Run(name+"/"+s.String(), func(t *testing.T) {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				p := Program{Name: name + ".apl", Source: string(text)}
				want := Evaluate(p)
				require.Equal(t, driver.ExitDone, want.Status, want.Stderr)
				if o, _ := d.Run(p); !Agree(want, o) {
					assert.Equal(t, want.String(), o.String())
				}
			})
		}
	}
}

// kernelCases have loops of every shape, with several parts under OnDevice.
var kernelCases = map[string]string{
	"sums": `a←(⌊⍎'3')×⍳1000
+/a×a
+/a×1000000000×a
⌈/a-500
b←1000⍴9000000000000000000 ¯9000000000000000000
b←b×1+0×a
+/b
`,
	"digits of negative bases": `a←¯1500+(⌊⍎'3')×⍳1000
+/0 ¯10⊤a
+/0 ¯7 ¯1 ¯10⊤a
+/0 ¯9223372036854775808⊤a
+/(1000⍴¯3 ¯1 0 2 5)|a
`,
	"scans": `a←(⌊⍎'3')×⍳1000
¯3↑+\a×a×a
+\0.5×20↑a
¯5↑⌈\a|¨1000⍴7 911 13
¯3↑+\(1000000000000×a)-1
`,
	"selections": `a←(⌊⍎'3')×⍳1000
(a>2950)/a
⍸2990<a
+/(0=7|a)/a
≢(a<0)/a
`,
	"updates": `a←(⌊⍎'3')×⍳1000
z←50⍴0
z[1+50|a×a]←a
+/z×⍳50
z[1+47|a]+←¯1*a
+/z×⍳50
+/(⍳60)×+/(⍳60)∘.=1+71|a×a
`,
	"overflow in a sum":  "a←(⌊⍎'3')×⍳1000\n+/a×9000000000000000×a>0\n+/1000000000000000000×a\n",
	"overflow in a scan": "a←(⌊⍎'3')×⍳1000\n¯1↑+\\9000000000000000×a>0\n¯1↑+\\90000000000000000×a>0\n",
	"rows":               "m←30 40⍴⍳1200\n+/m\n+⌿m\n3↑⍉m\nm[3;⍳5]\n+/,m+.×⍉m\n",
	"columns": `m←(31+⌊⍎'2') 47⍴0.5×⍳1551
n←⍉m
+/,n×(⍴n)⍴⍳5
n[7;⍳5]
p←(⍉n)+2×m
+/,p
+/,({1+⍉⍵}⍣3)40 40⍴⍳1600
`,
	"segments": `m←(60+⌊⍎'3') 40⍴0.5×⍳2520
a←+/m
3↑a
n←(⌊⍎'20') 50⍴¯7+5|⍳1000
⌈/n
(+/n)÷⌊/n-100
`,
	"long segments": `o←(⌊⍎'3') 400⍴⍳1200
+/o
⌈/o×o
(⌈/o)-⌊/o
+/9000000000000000×o<5
(+/o)÷≢⍉o
`,
	"columns of sums": `o←(⌊⍎'3') 400⍴⍳1200
x←50 3⍴0.25×⍳150
+⌿x
+⌿x⍪x×x
w←100 2⍴⍳200
⌈⌿w×9-w
`,
	"slices": `o←(37+⌊⍎'3') 20⍴0.1×⍳800
+/o
+⌿20 40⍴,o
x←(9+⌊⍎'3') 21⍴7-13|⍳252
⌈/x
⌊⌿⍉x
(+/x×x)-2×x[;3]
3⍴+/o[⍳3;⍳7]
+/1000000000000000000×x>5
(⌈/x)÷+/0.5×x
`,
	"short segments": `o←(⌊⍎'3') 400⍴⍳1200
+/(⌊⍎'30') 2⍴⍳60
+/3 2 40⍴o
+/[2]3 40 2⍴o
`,
	"overflow in a segment": "o←(⌊⍎'10') 40⍴⍳400\n+/1000000000000000000×o>390\n+/4000000000000000000×o>3\n",
	"loops as axes": `b←(⌊⍎'30') 20⍴0=3|⍳600
r←(¯1⌽b)+b+1⌽b
s←(¯1⊖r)+r+1⊖r
+/,s=3
5 20↑s
c←(1⌽b)∨¯1⊖b
+/c
p←0,b,1
+/p
`,
	"products": `m←(19+⌊⍎'3') 40⍴0.5×⍳880
n←⍉m
+/,p←m+.×n
2 3↑p
p[19+⍳3;19+⍳3]
+/,m⌈.+n
+/,m⌊.×n
q←(⌊0.5+m)>400
q∨.∧⍉q
i←(⌊⍎'30') 7⍴⍳210
(⍉i)+.×i
(⍉i)⌈.-i
+/,(3 4 7⍴⍳84)+.×⍉i
+/,(*m÷900)+.×⍟n
+/,(0 5⍴1.5)+.×5 3⍴⍳15
(2 0⍴1.5)+.×0 3⍴2.5
`,
	"products in parts": `l←⌊⍎'300'
m←(7,l)⍴¯3+7|⍳7×l
w←(l,19)⍴0.5×11|⍳19×l
m+.×w
m⌊.+0.5×w
4 3↑m⌈.-⌊w
m+.×⌊w
(1,l)↑m
(1 0↓m[⍳2;])+.×w
(1 0↑m)+.×0 19↑w
(3 0⍴0)+.×0 9⍴0.5
+/,(200 5⍴⍳1000)+.×5 200⍴⍳1000
`,
	"lanes": `n←⌊⍎'100'
f←{w←⍵×1 2 3 ⋄ w[2]←w[1]+w[3] ⋄ ⌈/w}
f¨⍳n
f¨⍳n-67
f¨⍳n-93
+/f¨0.5×⍳n
+/f¨0.5×⍳n-100
g←{⍵>3:⍟⍵+(⍵*÷3)×*-⍵ ⋄ (*⍵)+(1-⍵)*0.2}
g¨0.1×⍳n-90
⌊1000×+/g¨0.01×⍳n-1
s←{(⍵+1)×0.5}⍣20⊢0.25×⍳n-1
⌊1E6×s
t←{1+⍵}⍣(n÷10)⊢0.5×⍳n-29
t
h←{w←3⍴⍵ ⋄ w[1]←÷⍵-50 ⋄ +/w}
+/h¨100+⍳n
+/h¨⍳n-1
`,
	"overflow in a product": "i←(⌊⍎'30') 7⍴⍳210\n+/,(100000000×⍉i)+.×100×i\n(100000000000×⍉i)+.×10000000×i\n",
	"overflow of doubles": `a←0.5×(⌊⍎'3')×⍳1000
⎕←+/a
b←*a
⎕←+/b
`,
	"overflow of doubles that is not seen": `a←1E200+(⌊⍎'3')×⍳1000
⌈/a
+/3⌊a×a
`,
	"overflow of a divisor": `a←1E200+(⌊⍎'3')×⍳1000
⌈/a
+/÷a×a
`,
	"overflow of a sum of doubles": `a←1E305×(⌊⍎'3')×⍳1000
⌈/a
+/a
`,
	"overflow of a running sum of doubles": `a←1E305×(⌊⍎'3')×⍳1000
⌈/a
¯1↑+\a
`,
	"overflow of a sum of rows": `a←1E305×(⌊⍎'3')×20 500⍴⍳1000
⌈/,a
⌈/+/a
`,
	"overflow of a product of doubles": `a←1E155×(⌊⍎'30') 40⍴⍳1200
⌈/,a
+/,a+.×⍉a
`,
	"overflow of complex numbers": `a←1E200J1×(⌊⍎'3')×⍳1000
≢a
+/a×a
`,
	"infinities that no operation makes": `a←0.5×(⌊⍎'3')×⍳1000
b←a×2|⍳1000
+/b÷b
(⌈/b),(⌊/b),⌈/0⍴b
+/{⍵=0:0 ⋄ ÷⍵}¨b
+/(a>3)/÷a
`,
	"elementary": `a←(¯500+⍳1000)×0.37×⌊⍎'3'
+/*a÷100
3↑*a
⌈/*a
⌊/*-a
+/⍟0.001×⍳⌊⍎'1000'
3↑⍟1E¯300×⍳⌊⍎'10'
+/(*-a×a),⍟1+a×a
(⌈/b),(⌊/b),+/b←*2 100⍴a
`,
	"grades": `a←(⌊⍎'3')×⍳1000
v←0.5×500-1009|a×a
g←⍋v
5↑g
+/(⍳1000)×v[g]
w←(v×v>0)×¯1*⍳1000
+/(⍳1000)×⍒w
h←⍒7|a
10↑h
∧/1≤h
t←a>1500
5↑⍋t
5↑⍒t
c←⎕UCS 97+26|a
+/(⍳1000)×⍋c
b←a×¯1000000000000*1=2|⍳1000
+/b[⍋b]×⍳1000
¯3↑⍒b
({⍵[⍋⍵]}⍣2)1↓v[⍳9]
x←1↑v
⍋x
`,
	"searches": `n←⌊⍎'500'
a←97|(⍳n)*2
b←⌊1.1×⍳60
b⍳20↑a
+/a∊b
∪a
a~b
d←0.1×a
e←d×1+2E¯15×n⍴⍳5
e⍳d[⍳9]
≢∪e
`,
	"more searches": `n←⌊⍎'500'
a←97|(⍳n)*2
b←⌊1.1×⍳60
a⍳b
b∊a
+/≠a
≠30↑a
b~⍳100
(10 6⍴b)∊a
a⍳10 6⍴b
{⍺,+/⍵}⌸a
t←a>40
t⍳1 0
∪t
m←(n,3)⍴3|a
∪m
+/≠m
m⍳3 3⍴0 1 1 1 1 1 2 0 1
`,
	"searches of characters": `n←⌊⍎'500'
a←97|(⍳n)*2
c←⎕UCS 97+26|a
c⍳'compiler'
'tailor'∊c
∪c
(≠c)/c
c~'aeiou'
c{≢⍵}⌸a
`,
	"searches by another tolerance": `⎕CT←1E¯10
n←⌊⍎'500'
d←0.1×97|(⍳n)*2
e←d×1+2E¯11×n⍴⍳9
e⍳d[⍳9]
+/e∊d
≢∪e
≢∪d
`,
	"tolerant searches": `n←⌊⍎'500'
a←97|(⍳n)*2
b←⌊1.1×⍳60
d←0.1×a
d⍳0.1×⌽b
+/d∊0.1×b
∪d
d~0.1×⍳50
e←d×1+2E¯15×n⍴⍳5
+/e∊d
(-d)⍳-e[⍳9]
(0×d)⍳-0
∪-0×d
≢∪1E¯300×d,e
1E300 ¯1E300⍳d
`,
	"exact searches": `⎕CT←0
n←⌊⍎'500'
d←0.1×97|(⍳n)*2
e←d×1+2E¯15×n⍴⍳5
e⍳d[⍳9]
+/e∊d
≢∪e
≢e~d
`,
	"grades of matrices": `n←⌊⍎'300'
a←97|(⍳n)*2
m←(n,3)⍴3|a
g←⍋m
+/g×⍳n
10↑⍒m
5↑m[⍋m;]
5↑⍋0.5-m
k←(n,2)⍴⎕UCS 97+26|a
9↑⍋k
9↑⍒k
3↑⍋(n,2 2)⍴4|a
⍋3 2⍴a
⍋(n,1)⍴a>50
`,
	"domain": "a←(⌊⍎'3')×⍳1000\n+/÷a-1500\n",
}

// quickCases are the cases that every test runs.
var quickCases = map[clgen.Schedule][]string{
	clgen.Chunks: {"overflow in a sum", "overflow of doubles", "infinities that no operation makes", "domain", "elementary", "products", "products in parts", "lanes", "exact searches", "tolerant searches", "grades of matrices", "digits of negative bases", "columns of sums"},
	clgen.Groups: {"overflow of a sum of rows", "scans", "selections", "columns", "segments", "slices", "loops as axes", "grades", "searches"},
}

// TestOpenCLKernels compares both schedules with the evaluator.
func TestOpenCLKernels(t *testing.T) {
	t.Parallel()
	for _, s := range []clgen.Schedule{clgen.Chunks, clgen.Groups} {
		d, err := NewDevice(OnDevice(s))
		if err != nil {
			t.Skip(err)
		}
		for name, source := range kernelCases {
			if !sampling.All() && !slices.Contains(quickCases[s], name) {
				continue
			}
			t.Run(name+"/"+s.String(), func(t *testing.T) {
				p := Program{Source: source}
				want := Evaluate(p)
				o, stats := d.Run(p)
				if !Agree(want, o) {
					assert.Equal(t, want.String(), o.String())
				}
				assert.Positive(t, stats.Launches)
			})
		}
		d.Queue.Close()
	}
}
