package clgen

import (
	"bufio"
	"fmt"
	"io"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/prng"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
	"github.com/tailor-lang/tailor/tail"
)

// World is what a program sees of the world while it runs.
type World struct {
	Queue  *opencl.Queue
	Stdout io.Writer
	Args   []string
	Exact  bool // ⎕CT←0
	// Received and Sent are the arrays of a session, as in tail.Env.
	Received func(place int) *array.Array
	Sent     func(place int, a *array.Array)
	// Trace, when not nil, gets a line for every launch and transfer.
	Trace io.Writer
}

// Stats count what a run cost.
type Stats struct {
	Launches      int   // kernels launched
	Read, Written int64 // bytes copied from, to the device
	Buffers       int   // allocated on the device
	Device        time.Duration
}

func (s Stats) String() string {
	return fmt.Sprintf("kernels %d\nwritten %d\nread %d\n", s.Launches, s.Written, s.Read)
}

// stop is panicked with to end a run.
type stop struct{ err error }

// machine is the state of one run.
type machine struct {
	*Plan
	world   World
	queue   *opencl.Queue
	program *opencl.Program
	kernels map[string]*opencl.Kernel
	answers *opencl.Buffer
	pool    map[int64][]*opencl.Buffer
	waiting []answer
	stats   Stats
	out     *bufio.Writer
	random  *prng.Source
	start   time.Time
	depth   int
}

// answer is a launch whose scalars have not been read.
type answer struct {
	k  *kernel
	fr *frame
}

// Run runs the program. A fault of the program is a *diag.Error with RunTime
// set.
func (p *Plan) Run(w World) (stats Stats, err error) {
	m := &machine{
		Plan: p, world: w, queue: w.Queue, kernels: map[string]*opencl.Kernel{}, pool: map[int64][]*opencl.Buffer{},
		out: bufio.NewWriter(w.Stdout), random: prng.New(prng.DefaultSeed), start: time.Now(),
	}
	defer func() {
		r := recover()
		m.close()
		if e := m.out.Flush(); e != nil && err == nil {
			err = fmt.Errorf("cannot write the output: %w", e)
		}
		stats = m.stats
		switch r := r.(type) {
		case nil:
		case stop:
			err = r.err
		default:
			panic(r)
		}
	}()
	p.main.call(m, nil)
	return m.stats, nil
}

// close releases what the run holds of the device.
func (m *machine) close() {
	m.drain()
	if m.Foreign != nil {
		m.Foreign.Release()
	}
	for _, c := range m.consts {
		if c.device != nil {
			c.device.Release()
			c.device, c.onDevice = nil, false
		}
	}
	if m.answers != nil {
		m.answers.Release()
	}
	for _, k := range m.kernels {
		k.Release()
	}
	if m.program != nil {
		m.program.Release()
	}
}

// must ends the run where the device failed.
func (m *machine) must(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// transfer counts a copy between host and device.
func (m *machine) transfer(total *int64, n int64, what, name string) {
	*total += n
	m.trace("%s %s, %d bytes", what, name, n)
}

func (m *machine) trace(format string, args ...any) {
	if m.world.Trace != nil {
		fmt.Fprintf(m.world.Trace, "opencl: "+format+"\n", args...)
	}
}

// fault ends the run with a fault of the program.
func (m *machine) fault(f tail.Fault, at diag.Span, b tail.Blame, args ...any) {
	panic(stop{tail.NewFault(f, at, b, b.Text(f, args...))})
}

// frame holds the variables of an active function.
type frame struct {
	m    *machine
	ints []int64
	dbls []float64
	// cplxs are the complex variables.
	cplxs []complex128
	bufs  []*storage
}

// function is a function of the program, ready to run on the host.
type function struct {
	fn                      *ir.Func
	ints, dbls, cplxs, bufs int // variables of each sort
	consts                  map[int]*storage
	stack                   []int // slots of buffers that are freed at the end
	body                    block
}

// call runs f; enter sets the parameters. It returns the frame, which holds
// the results.
func (f *function) call(m *machine, enter func(fr *frame)) *frame {
	fr := &frame{m: m, ints: make([]int64, f.ints), dbls: make([]float64, f.dbls), cplxs: make([]complex128, f.cplxs), bufs: make([]*storage, f.bufs)}
	for slot, c := range f.consts {
		fr.bufs[slot] = c
	}
	if enter != nil {
		enter(fr)
	}
	f.body.run(fr)
	m.settle()
	for _, slot := range f.stack {
		m.free(fr.bufs[slot])
	}
	return fr
}

// op is a statement; it says what comes next.
type op func(fr *frame) next

type next uint8

const (
	goOn next = iota
	leaveLoop
	leaveFunction
)

type block []op

func (b block) run(fr *frame) next {
	for _, o := range b {
		if n := o(fr); n != goOn {
			return n
		}
	}
	return goOn
}
