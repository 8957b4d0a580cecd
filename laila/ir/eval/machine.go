package eval

import (
	"bufio"
	"fmt"
	"io"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/prng"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// World is what a program sees of the world while it runs.
type World struct {
	Stdout io.Writer
	Args   []string
	Exact  bool // ⎕CT←0
	// Received and Sent are the arrays of a session, as in package tail/eval.
	Received func(place int) *array.Array
	Sent     func(place int, a *array.Array)
	// Output is shared by the runs that follow on each other where doubles overflow; it may
	// be nil.
	Output *Output
}

// stop is panicked with to end a run.
type stop struct{ err error }

// Machine is the state of one run.
type Machine struct {
	*Program
	World
	Far    Far // nil where all storage is in the host's memory
	out    *bufio.Writer
	random *prng.Source
	depth  int
	over   bool // a double has overflowed
	// How much output there is, and of that which comes.
	written, skip Output
}

// Run runs a program. A fault of the program is a *diag.Error with RunTime set.
// End, where it is not nil, is called when the run has ended, in whatever way.
func (p *Program) Run(w World, far Far, end func()) (err error) {
	m := &Machine{
		Program: p, World: w, Far: far,
		random: prng.New(prng.DefaultSeed),
	}
	m.out = bufio.NewWriter(m)
	if w.Output != nil {
		m.skip = *w.Output
	}
	defer func() {
		r := m.ended(recover())
		if end != nil {
			end()
		}
		if r != (stop{ErrOverflow}) {
			if e := m.out.Flush(); e != nil && err == nil {
				err = fmt.Errorf("cannot write the output: %w", e)
			}
		}
		if w.Output != nil {
			*w.Output = m.written
		}
		switch r := r.(type) {
		case nil:
		case stop:
			err = r.err
		default:
			panic(r)
		}
	}()
	p.functions[p.Source.Main].call(m, nil)
	return nil
}

// Must ends the run where there is an error.
func Must(err error) {
	if err != nil {
		panic(stop{err})
	}
}

// fault ends the run with a fault of the program.
func (m *Machine) fault(f tail.Fault, at diag.Span, b tail.Blame, args ...any) {
	if f == tail.FaultFloat && m.watches() {
		Must(ErrOverflow)
	}
	Must(tail.NewFault(f, at, b, b.Text(f, args...)))
}

// settle waits for the variables that are set later.
func (m *Machine) settle() {
	if m.Far != nil {
		m.Far.Settle()
	}
}

// Frame holds the variables of an active function, each at its slot.
type Frame struct {
	M         *Machine
	Ints      []int64 // all kinds but those below
	Doubles   []float64
	Complexes []complex128
	Bufs      []*Storage
}

// function is a function of the program, ready to run.
type function struct {
	ints, dbls, cplxs, bufs int // variables of each sort
	consts                  map[int]*Storage
	stack                   []int // slots of buffers that are freed at the end
	body                    Block
}

// call runs f; enter sets the parameters. It returns the frame, which holds
// the results.
func (f *function) call(m *Machine, enter func(fr *Frame)) *Frame {
	fr := &Frame{M: m, Ints: make([]int64, f.ints), Doubles: make([]float64, f.dbls), Complexes: make([]complex128, f.cplxs), Bufs: make([]*Storage, f.bufs)}
	for slot, c := range f.consts {
		fr.Bufs[slot] = c
	}
	if enter != nil {
		enter(fr)
	}
	f.body.Run(fr)
	m.settle()
	for _, slot := range f.stack {
		m.free(fr.Bufs[slot])
	}
	return fr
}

// Op is a statement; it says what comes next.
type Op func(fr *Frame) Next

// Next is what comes behind a statement.
type Next uint8

// What may come: the next statement, the end of the innermost Loop, of the function.
const (
	GoOn Next = iota
	LeaveLoop
	LeaveFunction
)

// Block is a list of statements.
type Block []Op

// Run runs them.
func (b Block) Run(fr *Frame) Next {
	for _, o := range b {
		if n := o(fr); n != GoOn {
			return n
		}
	}
	return GoOn
}

// Program is a loop program compiled to closures.
type Program struct {
	Source    *ir.Program
	Consts    map[*ir.Buf]*Storage
	hooks     Hooks
	functions map[*ir.Func]*function
	codes     map[*ir.Func]*Code
}

// Hooks let a device execute a part of a program.
type Hooks interface {
	// Statement returns what executes s in place of the machine's own code, and
	// whether there is anything: a nil Op does nothing.
	Statement(c *Code, s ir.Stmt) (Op, bool)
	// Loose returns the variables of f that a device sets, which are there once
	// Far.Settle has been called.
	Loose(f *ir.Func) map[*ir.Var]bool
	// Watches reports whether the machine notes doubles that overflow.
	Watches() bool
}

// Compile compiles a well-formed program; hooks may be nil.
func Compile(p *ir.Program, hooks Hooks) *Program {
	q := &Program{Source: p, hooks: hooks, Consts: map[*ir.Buf]*Storage{}, functions: map[*ir.Func]*function{}, codes: map[*ir.Func]*Code{}}
	for _, c := range p.Consts {
		q.Consts[c.Buf] = constant(c)
	}
	all := p.Functions()
	for _, f := range all {
		c := &Code{program: q, hooks: hooks, f: &function{consts: map[int]*Storage{}}, slots: map[*ir.Var]int{}, bufs: map[*ir.Buf]int{}}
		if hooks != nil {
			c.loose = hooks.Loose(f)
		}
		q.functions[f], q.codes[f] = c.f, c
	}
	for _, f := range all {
		q.functions[f].body = q.codes[f].Block(f.Body)
	}
	return q
}
