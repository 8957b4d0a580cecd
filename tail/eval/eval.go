package eval

import (
	"errors"
	"io"
	"os"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/internal/profile"
	"github.com/tailor-lang/tailor/internal/progress"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// Env is what a program sees of the world while the evaluator runs it, and
// the limits it runs under. The zero value of each field stands for a default.
type Env struct {
	Stdout io.Writer // default os.Stdout
	Args   []string  // the program's command-line arguments
	PP     int       // ⎕PP, default the program's

	MaxDepth int   // calls that may be active at once, default 100,000
	MaxBytes int64 // size of the largest array, default what the machine has free

	// Plain evaluates scalar functions element by element, never writes to an
	// array that exists, and uses no loops made for one op. The answers are
	// the same; tests compare them.
	Plain bool
	// Display, when not nil, is called with what a program displays and with the
	// print precision, instead of writing it to Stdout. The array may change when
	// it returns.
	Display func(a *array.Array, pp int)

	Interrupt <-chan struct{} // closed to stop the program with ErrInterrupted
	// Commit, when not nil, is called before an effect that cannot be held back: a
	// file is written, or one that is not regular is read. Its error ends the program.
	Commit func() error
	// Calls adds to a fault the calls of functions that led to it.
	Calls bool
	// Received returns the array that ops receive find in a place, nil where there is
	// none; Sent is called by ops send. Both may be nil.
	Received func(place int) *array.Array
	Sent     func(place int, a *array.Array)
	// Progress, when not nil, says how far loops are.
	Progress *progress.Reporter
	// Meter, when not nil, counts what the lines of the program cost.
	Meter *profile.Meter
}

// ErrInterrupted is what Run returns after Env.Interrupt.
var ErrInterrupted = errors.New("interrupted")

// errOff ends a program without an error.
var errOff = errors.New("off")

const (
	defaultMaxDepth = 100_000
	// maxNested bounds the expression nodes that are under evaluation at
	// once; at some 300 bytes of stack each it stays below Go's limit, which
	// is 512 MB, as stacks grow by doubling.
	maxNested = 1_200_000
	// callNesting and cellNesting are what a call, and an expression evaluated
	// for each cell, count for beside their nodes.
	callNesting = 4
	cellNesting = 8
)

// Run runs p. It is the meaning of TAIL: every backend is compared with it.
//
// A fault of the program is returned as a *diag.Error with RunTime set;
// ErrInterrupted and errors of Env.Stdout are returned as they are.
//
// Reductions go from the last element to the first, as does the sum of an inner
// product; those by + and × of doubles, and by + of complex numbers, are in the order
// of num.Ordered, where the right argument of an inner product is a vector, too, and
// from the first to the last where it is not. Scans
// with an associative function (as its op's row says) and with subtraction
// accumulate from the first element on.
func Run(p *tail.Program, env *Env) error {
	_, err := Values(p, env)
	return err
}

// Values is Run that returns the value of the main expression, or the
// components of the tuple that it is.
func Values(p *tail.Program, env *Env) (result []*array.Array, err error) {
	m := newMachine(p, env)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			if r.err != errOff {
				err = m.traced(r.err)
			}
		default:
			panic(r)
		}
	}()
	return m.main(p.Main), nil
}

// stop is panicked with to leave the evaluator; Eval recovers it.
type stop struct{ err error }

// machine is the state of one evaluation.
type machine struct {
	env     Env
	wrap    bool
	ct      float64 // of the tolerant scalar ops
	match   float64 // of the ops that compare elements; 0 where ⎕CT is
	funcs   map[*tail.Func]*function
	effects *analysis.Effects
	impure  map[*tail.Func]int // impure ops in a function, two standing for more
	calls   int                // active
	active  []*tail.Call       // where Env.Calls is set
	nest    int                // expression nodes under evaluation, by the functions' static depths
	ticks   int
	world   world
	pool    pool
	shape   []int // room for concat
}

func newMachine(p *tail.Program, env *Env) *machine {
	m := &machine{env: *env, wrap: p.Wrap, funcs: map[*tail.Func]*function{}, impure: map[*tail.Func]int{}, effects: analysis.NewEffects(p), ct: p.Tolerance(), match: p.Tolerance()}
	if m.env.Stdout == nil {
		m.env.Stdout = os.Stdout
	}
	if m.env.PP == 0 {
		m.env.PP = p.PP
	}
	if m.env.PP == 0 {
		m.env.PP = display.DefaultPrecision
	}
	if m.env.MaxDepth == 0 {
		m.env.MaxDepth = defaultMaxDepth
	}
	if p.Exact {
		m.match = 0
	}
	m.world = newWorld()
	m.pool.closed = env.Plain
	return m
}

// tick is called by everything that repeats; it notices an interrupt soon.
func (m *machine) tick() {
	m.ticks++
	if m.ticks&255 == 0 {
		m.poll()
	}
}

func (m *machine) poll() {
	select {
	case <-m.env.Interrupt:
		panic(stop{ErrInterrupted})
	default:
	}
}

// value is a value at run time. A scalar is in bits, as toBits makes them; an
// array of rank 1 or more is in arr. Which it is, the static type says.
type value struct {
	word
	arr *array.Array
}

// word holds a scalar of any type; only complex numbers use im.
type word struct {
	bits uint64 // of an array: shared, or 0
	im   uint64
}

// shared marks a reference to an array that other references may see too. The
// holder of a reference without it may write to the array.
const shared = 1

func (v value) owned() bool { return v.bits&shared == 0 }

// frame holds the variables of one activation of a function; lambdas use the
// frame of the function they stand in.
type frame struct {
	slots []value
	again bool // a tail call has set the parameters
	m     *machine
}

// code computes the value of an expression that is no tuple.
type code func(fr *frame) value

// tupleCode computes the components of a tuple.
type tupleCode func(fr *frame, dst []value)

// raise stops the evaluation with a fault of e.
func raise(e *tail.Apply, f tail.Fault, args ...any) {
	panic(stop{e.Fault(f, args...)})
}

// raiseAt stops the evaluation with a fault at a span.
func raiseAt(at diag.Span, f tail.Fault, args ...any) {
	panic(stop{tail.NewFault(f, at, tail.Blame{}, f.Text(args...))})
}
