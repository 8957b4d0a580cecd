package golden

import (
	"bytes"

	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/opencl"
)

// Device runs programs through OpenCL kernels, in this process.
type Device struct {
	Queue   *opencl.Queue
	Options clgen.Options
	Relaxed bool // as in driver.Options
}

// NewDevice opens a device for tests; where there is none the error says so.
// Programs are not kept as binaries, as drivers compile all kernels for these,
// but tests launch some.
func NewDevice(o clgen.Options) (*Device, error) {
	q, err := driver.Device(false, o.Narrow)
	if err != nil {
		return nil, err
	}
	q.Cache = ""
	return &Device{Queue: q, Options: o}, nil
}

// OnDevice returns options for tests with small data: every nest that can be a
// kernel is one, over several work-items and groups.
func OnDevice(s clgen.Schedule) clgen.Options {
	o := clgen.Options{Schedule: s, Thresholds: clgen.DefaultThresholds()}
	o.HostWork, o.ChunkWork, o.GroupSize, o.PerItem, o.MaxGroups = 0, 8, 16, 2, 8
	o.Params = map[string]int64{"OrderItems": 8, "Places": 5, "RowItems": 48, "RowLength": 4, "RowSlice": 24, "RowGroups": 8, "RowPart": 2, "TileSize": 4, "ProductBlock": 2, "ProductTerms": 3, "ProductTall": 3}
	if s == clgen.Groups { // else one work-item of a CPU does it
		o.Params["Bins"] = 1 << 31
	}
	o.SortLength = 2
	return o
}

// Run runs a program; the statistics say what it cost.
func (d *Device) Run(p Program) (Outcome, clgen.Stats) {
	var stats clgen.Stats
	o := guarded(func() Outcome {
		var out bytes.Buffer
		var err error
		c := p.compilation(driver.Options{Target: driver.OpenCL, Relaxed: d.Relaxed})
		stats, err = c.RunOpenCL(d.Queue, d.Options, &out, nil, p.Args)
		return failed(out.String(), err)
	})
	return o, stats
}
