package pass

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Target is what executes the loops.
type Target uint8

// The targets. The zero value is for loops that are to run anywhere.
const (
	Anywhere   Target = iota
	CPU               // C on a CPU, with caches and vectors
	CPUKernels        // OpenCL kernels on a CPU: a nest stays one nest
	GPUKernels        // OpenCL kernels on a GPU
)

// Context is a program on its way through the passes: its loops, what is known of
// them, what executes them, and the passes that are to run.
type Context struct {
	*facts.Base
	Out     *ir.Program
	Target  Target
	Enabled map[string]bool       // passes by their names
	Threads bool                  // nests are shared among threads
	Loops   map[ir.Stmt]LoopState // loops with a state of arrays
	Blocked map[*ir.Nest]bool     // nests over blocks of indices, with a nest over the indices inside
	Splits  int64                 // how many maps were split
}

// NewContext makes the context of a program without functions.
func NewContext(out *ir.Program, target Target) *Context {
	c := &Context{Base: facts.NewBase(), Out: out, Target: target,
		Enabled: map[string]bool{}, Loops: map[ir.Stmt]LoopState{}, Blocked: map[*ir.Nest]bool{}}
	c.Bytes = c.CPU()
	return c
}

// On reports whether a pass that acts where it is asked for is to act.
func (c *Context) On(name string) bool {
	on, ok := c.Enabled[name]
	if !ok {
		panic("internal error: there is no pass " + name)
	}
	return on
}

// CPU reports whether loops are for a CPU with caches.
func (c *Context) CPU() bool { return c.Target == CPU }

// Vectors reports whether loops are to become vector code of a CPU.
func (c *Context) Vectors() bool { return c.Target == CPU || c.Target == CPUKernels }
