package clgen

import (
	"fmt"
	"io"
	"time"

	fcldevice "github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/opencl"
)

// HostWorld is the world that a program sees on the host.
type HostWorld = eval.World

// World is the world that a program sees while it runs.
type World struct {
	HostWorld
	Queue *opencl.Queue
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

func (s Stats) plus(t Stats) Stats {
	return Stats{s.Launches + t.Launches, s.Read + t.Read, s.Written + t.Written, s.Buffers + t.Buffers, s.Device + t.Device}
}

func (s Stats) String() string {
	return fmt.Sprintf("kernels %d\nwritten %d\nread %d\n", s.Launches, s.Written, s.Read)
}

// machine is the device's part of one run.
type machine struct {
	*Plan
	world    World
	queue    *opencl.Queue
	program  *opencl.Program
	kernels  map[string]*opencl.Kernel
	answers  *opencl.Buffer
	pool     map[int64][]*opencl.Buffer
	loaded   map[string]*fcldevice.Loaded // programs of FCL that have run
	waiting  []answer
	stats    Stats
	unlooked bool // kernels may have noted a double that overflowed since the host looked
}

// The host's part of a program.
type (
	storage = eval.Storage
	frame   = eval.Frame
	intCode = eval.IntCode
	op      = eval.Op
	block   = eval.Block
)

// hostCode is the code of a function on the host.
type hostCode struct {
	*planner
	*eval.Code
}

// on returns the device of a run.
func on(fr *frame) *machine { return fr.M.Far.(*machine) }

// answer is a launch whose scalars have not been read.
type answer struct {
	k  *kernel
	fr *frame
}

// Run runs the program. A fault of the program is a *diag.Error with RunTime
// set.
func (p *Plan) Run(w World) (Stats, error) {
	var output eval.Output
	w.HostWorld.Output = &output
	stats, err := p.run(w)
	if err != eval.ErrOverflow {
		return stats, err
	}
	tested, err := p.Tested()
	if err != nil {
		return stats, err
	}
	more, err := tested.run(w)
	return stats.plus(more), err
}

func (p *Plan) run(w World) (Stats, error) {
	m := &machine{Plan: p, world: w, queue: w.Queue, kernels: map[string]*opencl.Kernel{}, pool: map[int64][]*opencl.Buffer{}, loaded: map[string]*fcldevice.Loaded{}}
	err := p.host.Run(w.HostWorld, m, m.close)
	return m.stats, err
}

// close releases what the run holds of the device.
func (m *machine) close() {
	m.drain()
	if m.Foreign != nil {
		m.Foreign.Release()
	}
	for _, c := range m.host.Consts {
		if b := device(c); b != nil {
			b.Release()
			c.Device, c.OnDevice = nil, false
		}
	}
	if m.answers != nil {
		m.answers.Release()
	}
	for _, l := range m.loaded {
		l.Release()
	}
	for _, k := range m.kernels {
		k.Release()
	}
	if m.program != nil {
		m.program.Release()
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
