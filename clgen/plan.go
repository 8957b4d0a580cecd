package clgen

import (
	"github.com/tailor-lang/tailor/fcl/runtime"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/opencl"
)

// Schedule is how a nest is spread over work-items.
type Schedule uint8

// The schedules. The zero value is "unset".
const (
	NoSchedule Schedule = iota
	Chunks              // a work-item a contiguous part: CPUs
	Groups              // a work-item an element, work-groups with local memory: GPUs
)

func (s Schedule) String() string {
	switch s {
	case Chunks:
		return "chunks"
	case Groups:
		return "groups"
	}
	panic("internal error: schedule is unset")
}

// ScheduleFor returns the schedule for a device.
func ScheduleFor(d *opencl.Device) Schedule {
	if d.Kind == opencl.CPU {
		return Chunks
	}
	return Groups
}

// Thresholds are the sizes that choose between ways to run a nest; a tuner may
// set them.
type Thresholds struct {
	HostWork   int64 // nests of less work (points × statements) run on the host, if their operands are there
	GroupSize  int64 // work-items in a work-group of the Groups schedule
	MaxGroups  int64 // work-groups of a reduction
	PerItem    int64 // elements that a work-item of a reduction takes at least
	ItemsAUnit int64 // work-items a compute unit of the Chunks schedule
	ChunkWork  int64 // work that a work-item of the Chunks schedule is worth
	SortLength int64 // elements from which a vector that the host has is graded on the device
}

// DefaultThresholds returns what is used where nothing else is said.
func DefaultThresholds() Thresholds {
	return Thresholds{HostWork: 1 << 13, GroupSize: 256, MaxGroups: 256, PerItem: 8, ItemsAUnit: 4, ChunkWork: 1 << 12, SortLength: 1 << 16}
}

// Options say what to plan for.
type Options struct {
	Schedule Schedule
	// Narrow stores and computes doubles as 32-bit floats on the device; see
	// narrow.go.
	Narrow bool
	// Foreign, where it is not nil, computes calls of some functions.
	Foreign Foreign
	// Levels are those that the program asks for.
	Levels []Level
	// Tested, where it is not nil, makes the plan of the same program with tests for overflow
	// of doubles, for which this one has none.
	Tested func() (*Plan, error)
	// Facts are what is known of the program; nil where nothing is.
	Facts *facts.Base
	// Params are those of FCL's library that are not its own for the device.
	Params map[string]int64
	Thresholds
}

// Plan is a program made ready to run.
type Plan struct {
	Program *ir.Program
	Source  string // the kernels
	kernels string // without the functions that they share
	Options

	runtime *runtime.Set // run-time functions that the device computes
	list    []*kernel
	answers int64 // slots
	host    *eval.Program
	// statements are those that became kernels.
	statements map[ir.Stmt]*kernel
	unfollowed []string // why each of Levels is not followed, or ""
}

// planner makes a plan.
type planner struct {
	plan    *Plan
	kernels map[ir.Stmt]*kernel
	unseen  map[*ir.Var]bool // what may be infinite, as in kernelText
}

// Compile makes the plan of a program.
func Compile(p *ir.Program, o Options) (*Plan, error) {
	if o.Schedule == NoSchedule {
		panic("internal error: schedule is unset")
	}
	if o.Thresholds == (Thresholds{}) {
		o.Thresholds = DefaultThresholds()
	}
	if o.Facts == nil {
		o.Facts = facts.NewBase()
	}
	plan := &Plan{Program: p, Options: o}
	pl := &planner{plan: plan, kernels: map[ir.Stmt]*kernel{}}
	for _, f := range p.Functions() {
		pl.find(f.Body)
	}
	pl.accumulators()
	plan.runtime = &runtime.Set{}
	if !plan.Narrow {
		plan.runtime = runtime.Of(p, pl.params())
	}
	plan.Source = pl.source()
	plan.host, plan.statements = eval.Compile(p, pl), pl.kernels
	return plan, nil
}

// Loose returns the variables of f that kernels set.
func (pl *planner) Loose(f *ir.Func) map[*ir.Var]bool {
	loose := map[*ir.Var]bool{}
	ir.Walk(f.Body, func(s ir.Stmt) {
		if k := pl.kernels[s]; k != nil {
			for _, v := range append(append([]*ir.Var{}, k.flags...), k.outs...) {
				loose[v] = true
			}
		}
	})
	return loose
}

// Statement returns what launches kernels for s, if anything does.
func (pl *planner) Statement(code *eval.Code, s ir.Stmt) (op, bool) {
	c := &hostCode{pl, code}
	if k := pl.kernels[s]; k != nil && k.shape == doneShape {
		return nil, true
	} else if k != nil {
		return c.kernel(s, k), true
	}
	switch s := s.(type) {
	case *ir.Call:
		if f := pl.plan.Foreign; f != nil && f.Computes(s.Fn) {
			return c.foreign(s), true
		}
	case *ir.Runtime:
		if how := pl.plan.runtime.Computes[s]; how != nil {
			return c.compute(s, how), true
		}
	}
	return nil, false
}

// find makes kernels of statements, the outermost that can be one. A comment
// names what follows it.
func (pl *planner) find(list []ir.Stmt) {
	for i := 0; i < len(list); i++ {
		s := list[i]
		if k := pl.shape(s); k != nil {
			k, n := pl.merged(list[i:], k)
			for _, other := range list[i+1 : i+n] {
				if _, nest := other.(*ir.Nest); nest {
					pl.kernels[other] = &kernel{shape: doneShape}
				}
			}
			i += n - 1
			k.base = pl.plan.answers
			pl.plan.answers += k.words(pl.plan.Narrow)
			pl.plan.list = append(pl.plan.list, k)
			pl.kernels[s] = k
			continue
		}
		if _, nest := s.(*ir.Nest); !nest {
			for _, inner := range ir.Blocks(s) {
				pl.find(*inner)
			}
		}
	}
}

// spanOf returns the first span in statements that is known.
func spanOf(list []ir.Stmt) diag.Span {
	var at diag.Span
	ir.Walk(list, func(s ir.Stmt) {
		if at.Valid() {
			return
		}
		switch s := s.(type) {
		case *ir.Nest:
			at = s.At
		case *ir.Comment:
			at = s.At
		case *ir.DeclBuf:
			at = s.At
		case *ir.For:
			at = s.At
		}
	})
	return at
}
