package fuzz

import (
	"fmt"
	"os"
	"testing"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/golden"
)

// devices are the ways to run programs for OpenCL.
type devices struct {
	list  []*golden.Device
	share int // programs in a hundred that run on the device itself
}

// openDevices opens the OpenCL device, for both schedules, where FUZZOPENCL
// gives a share of programs in percent; drivers compile kernels slowly. The
// host's part of the plan runs all programs, without a device.
func openDevices(t *testing.T) *devices {
	d := &devices{list: []*golden.Device{{Options: golden.OnDevice(clgen.Groups)}}}
	fmt.Sscan(os.Getenv("FUZZOPENCL"), &d.share)
	if d.share == 0 {
		return d
	}
	for _, s := range []clgen.Schedule{clgen.Chunks, clgen.Groups} {
		one, err := golden.NewDevice(golden.OnDevice(s))
		if err != nil {
			t.Log("without OpenCL: ", err)
			break
		}
		t.Cleanup(one.Queue.Close)
		d.list = append(d.list, one)
	}
	return d
}

// compare runs a program for OpenCL and compares with the evaluator.
func (d *devices) compare(t *testing.T, p *Program, seed int64, want golden.Outcome) {
	for _, one := range d.list {
		if one.Queue != nil && int(seed%100) >= d.share {
			continue
		}
		differs := func(want golden.Outcome, q golden.Program) bool {
			o, _ := one.Run(q)
			return !golden.Agree(want, o) && !refused(o)
		}
		if !differs(want, asProgram(p)) {
			continue
		}
		left := maxShrink
		small := p
		report(t, p, seed, func(q *Program) bool {
			left--
			if left > 0 && differs(golden.Evaluate(asProgram(q)), asProgram(q)) {
				small = q
				return true
			}
			return false
		}, nil)
		o, _ := one.Run(asProgram(small))
		t.Logf("OpenCL, schedule %v, on a device: %v: %v", one.Options.Schedule, one.Queue != nil, o)
	}
}
