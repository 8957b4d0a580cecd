package driver

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/opencl"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Device opens a queue on the device that TAILOR_DEVICE numbers (from 0, in
// the order of tailor devices), the first where it is not set. One without
// doubles is refused, unless these are narrow.
func Device(profile, narrow bool) (*opencl.Queue, error) {
	list, err := opencl.Devices()
	if errors.Is(err, opencl.ErrNoDevice) {
		return nil, &MissingTool{err.Error()}
	}
	if err != nil {
		return nil, err
	}
	at := 0
	if s := os.Getenv("TAILOR_DEVICE"); s != "" {
		if at, err = strconv.Atoi(s); err != nil || at < 0 || at >= len(list) {
			return nil, &MissingTool{fmt.Sprintf("TAILOR_DEVICE is %q, and there are devices 0 to %d; tailor devices lists them", s, len(list)-1)}
		}
	}
	d := list[at]
	if !d.Doubles && !narrow {
		return nil, &MissingTool{fmt.Sprintf("%s has no doubles; --float=32 computes with 32-bit floats instead, TAILOR_DEVICE chooses another device", d.Name)}
	}
	q, err := opencl.Open(d, profile)
	if err != nil {
		return nil, err
	}
	if cache, err := UserCache(); err == nil {
		if cache.Why() == "" {
			q.Cache = cache.Dir
		}
	}
	return q, nil
}

// DefaultDevice returns the device that programs would run on here, nil where there is none.
func DefaultDevice() *opencl.Device {
	list, err := opencl.Devices()
	if err != nil {
		return nil
	}
	at, err := strconv.Atoi(os.Getenv("TAILOR_DEVICE"))
	if err != nil || at < 0 || at >= len(list) {
		at = 0
	}
	return list[at]
}

// DefaultSchedule returns the schedule for that device; that for GPUs where there is none.
func DefaultSchedule() clgen.Schedule {
	if d := DefaultDevice(); d != nil {
		return clgen.ScheduleFor(d)
	}
	return clgen.Groups
}

// Plan returns the kernels and the host's plan for the OpenCL target.
func (c *Compilation) Plan(o clgen.Options) (*clgen.Plan, error) {
	if o.Schedule == clgen.NoSchedule {
		o.Schedule = DefaultSchedule()
	}
	if lanes := o.Schedule == clgen.Chunks && !o.Narrow; c.Target != OpenCL || c.lanes != lanes { // loops for C are others
		c.Target, c.lanes, c.loops = OpenCL, lanes, nil
	}
	p, err := c.Loops()
	if err != nil {
		return nil, err
	}
	if c.ast != nil {
		o.Levels = nil
		for _, l := range c.ast.Levels {
			o.Levels = append(o.Levels, clgen.Level{Name: l.Name, At: l.Where, Of: l.Of})
		}
	}
	o.Facts = c.known
	if c.optimised.Sticky && analysis.Overflows(c.optimised) {
		o.Tested = c.testedPlan(o)
	}
	var plan *clgen.Plan
	err = c.timed("emit", func() (err error) {
		plan, err = clgen.Compile(p, o)
		return err
	})
	if err == nil {
		c.Levels = plan.Follows()
	}
	return plan, err
}

// testedPlan makes the plan with tests for overflow of doubles.
func (c *Compilation) testedPlan(o clgen.Options) func() (*clgen.Plan, error) {
	return func() (*clgen.Plan, error) {
		t := New(c.Source, c.Options)
		t.ast, t.tested, t.Dump, t.Verify = c.ast, true, nil, false
		return t.Plan(o)
	}
}

// RunOpenCL runs the program on a device. Trace may be nil; without a queue the
// host does everything.
func (c *Compilation) RunOpenCL(q *opencl.Queue, o clgen.Options, stdout, trace io.Writer, args []string) (clgen.Stats, error) {
	return c.RunIn(clgen.World{HostWorld: clgen.HostWorld{Stdout: stdout, Args: args}, Queue: q, Trace: trace}, o)
}

// RunIn is RunOpenCL with all of the program's world, but for Exact.
func (c *Compilation) RunIn(w clgen.World, o clgen.Options) (clgen.Stats, error) {
	if o.Schedule == clgen.NoSchedule {
		o.Schedule = clgen.ScheduleFor(w.Queue.Device)
	}
	plan, err := c.Plan(o)
	if err != nil {
		return clgen.Stats{}, err
	}
	var stats clgen.Stats
	err = c.timed("run", func() (err error) {
		w.Exact = c.optimised.Exact
		stats, err = plan.Run(w)
		return err
	})
	return stats, err
}
