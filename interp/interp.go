package interp

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/claims"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/internal/pictures"
	"github.com/tailor-lang/tailor/internal/prng"
	profiling "github.com/tailor-lang/tailor/internal/profile"
	"github.com/tailor-lang/tailor/internal/progress"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// Interp is a program that runs.
type Interp struct {
	state    prim.Context
	out      *bufio.Writer
	pending  string // the output of ⍞ on the line, which input is behind
	stdout   io.Writer
	stdin    io.Reader
	input    *bufio.Reader // of stdin
	args     []string
	global   *Frame
	root     *value.Namespace // #, whose names are in global
	session  *value.Namespace // ⎕SE, once it is used
	chosen   *value.Namespace // the space that ⎕CS chose outside of functions; nil is #
	forms    map[string]*functionForm
	trapping *events // ⎕TRAP outside of functions
	spaces   map[*value.Namespace]*space
	here     *value.Namespace // whose system variables state has
	apart    bool             // there are other namespaces than #, with system variables of their own
	current  *Frame           // the call that runs, or nil
	depth    int
	calls    int // of dfns, see interrupted
	env      *Env
	// shy reports that the last call gave a result that is not displayed.
	shy       bool
	hide      bool         // the value of the system function that was called last is not displayed
	note      string       // the annotation of the statement that runs, which types what is read
	last      *Fault       // the error that ⎕EN and its like describe
	executing []*Frame     // the calls in which ⍎ runs texts
	private   map[any]bool // defined functions and operators that ⎕PATH does not find
	reported  *Fault       // the error that ⎕DMX describes, inside what takes care of it
	readings  map[reading]*apl.Dop
	frames    []*Frame                          // to be used again, see leaf
	leaves    map[*apl.Dfn]bool                 // see leaf
	lastReads map[*apl.Var]bool                 // the names in them that are read for the last time
	claims    map[*apl.Annotation]*claims.Claim // as they were read
	lifts     map[*apl.Dfn]bool                 // see lift
	literals  map[*apl.Literal]*V
	program   *apl.Program           // that runs, or a line of a session
	complete  *apl.Program           // that runs, behind which all names are forgotten; nil in a session
	sources   map[Function]described // of derived functions that have names
	traced    tracing                // see storeSelected
	defs      []apl.Stmt             // that the line of a session made, see Line
	started   time.Time
	access    Access
	ties      map[int]*tie
	compiler  Compiler
	profiles  map[profileKey]*profile
	sections  map[*apl.Control]*section
	works     map[workKey]*arrayWork
	epoch     int // see Frame.epoch
	// stretch is that of the statement that runs, while it may be compiled, and interpreted
	// the values of what that assigns before it; earlier is that of the statement before.
	stretch, earlier *stretch
	interpreted      []binding
	places           map[apl.Stmt]*place // of statements that have run
	active           int                 // calls of functions with headers that run
	// watching reports that there are triggers, untriggered that they wait; assigned is
	// what they are to be called for, and indexers the places that are assigned now.
	watching, untriggered bool
	assigned              []assigned
	indexers              *V
	// looseReadings are the readings of statements, by the classes of the names.
	looseReadings map[*apl.Loose]map[string]apl.Stmt
}

// Env is what a program has around it.
type Env struct {
	Stdout io.Writer
	Args   []string
	Stdin  io.Reader // for ⎕ and ⍞; nil is none
	Access Access
	// Display shows a value with its text instead of writing the text, and the print
	// precision.
	Display func(v *V, text string, precision int)
	// Picture shows a picture of ⎕PLOT; nil writes it in characters.
	Picture   func(*pictures.Picture)
	Interrupt <-chan struct{} // closed to stop the program with ErrInterrupted
	// Compiler compiles functions of the program; nil interprets all of it.
	Compiler Compiler
	// Progress, where it is not nil, says how far loops are.
	Progress *progress.Reporter
	// Meter, where it is not nil, counts what the lines of the program cost.
	Meter *profiling.Meter
	// Eager compiles every dfn, loop and statement at once, and EagerArrays primitive functions,
	// too; for tests.
	Eager, EagerArrays bool
	// Trust leaves out what annotations have to be tested for.
	Trust bool
}

// ErrInterrupted is the error of a program that Env.Interrupt stopped.
var ErrInterrupted = errors.New("interrupted")

// New returns an interpreter without names.
func New(env *Env) *Interp {
	out := env.Stdout
	if out == nil {
		out = os.Stdout
	}
	in := &Interp{
		compiler:      env.Compiler,
		profiles:      map[profileKey]*profile{},
		sections:      map[*apl.Control]*section{},
		works:         map[workKey]*arrayWork{},
		state:         prim.Context{Origin: 1, Tolerance: defaultTolerance, Precision: defaultPrecision, Width: display.Width, Migration: defaultMigration, Random: prng.New(prng.DefaultSeed)},
		out:           bufio.NewWriter(out),
		stdout:        out,
		stdin:         env.Stdin,
		args:          env.Args,
		access:        env.Access,
		env:           env,
		global:        &Frame{},
		root:          value.NewNamespace("#"),
		readings:      map[reading]*apl.Dop{},
		leaves:        map[*apl.Dfn]bool{},
		lastReads:     map[*apl.Var]bool{},
		claims:        map[*apl.Annotation]*claims.Claim{},
		lifts:         map[*apl.Dfn]bool{},
		literals:      map[*apl.Literal]*V{},
		places:        map[apl.Stmt]*place{},
		looseReadings: map[*apl.Loose]map[string]apl.Stmt{},
		started:       time.Now(),
	}
	in.here = in.root
	return in
}

// errOff ends a program by ⎕OFF.
var errOff = errors.New("the program ended itself")

// final reports whether an error is none that a program can trap.
func final(err error) bool {
	switch err.(type) {
	case *jump, *cutback:
		return true
	}
	return err == errOff || err == errEscape || err == errAbandoned || err == ErrInterrupted
}

// Run runs a program. The error is a *diag.Error, or one of the output.
func Run(p *apl.Program, env *Env) error {
	in := New(env)
	in.program, in.complete = p, p
	err := in.Program(p)
	if e := in.out.Flush(); err == nil && e != nil {
		err = e
	}
	return err
}

// outside returns the frame that statements outside of functions run in: the global one,
// or that of the namespace which ⎕CS chose.
func (in *Interp) outside() *Frame {
	if in.chosen != nil {
		return in.frameOf(in.chosen)
	}
	return in.global
}

// Program runs the statements of a program in the global frame.
func (in *Interp) Program(p *apl.Program) error {
	for rest := p.Body; len(rest) > 0; {
		if in.env.Meter != nil {
			in.meterLine(rest[0])
		}
		n, err := in.statement(in.outside(), rest)
		rest = rest[n:]
		if err != nil {
			err = in.unhandled(err)
		}
		if err != nil {
			if err == errOff {
				return nil
			}
			if err == errEscape {
				continue
			}
			return diagnostic(err)
		}
	}
	return nil
}

// topLevel runs a statement outside dfns and displays its value.
func (in *Interp) topLevel(f *Frame, s apl.Stmt) error {
	switch s := s.(type) {
	case *apl.ExprStmt:
		in.shy, in.note = false, ""
		if s.Note != nil {
			in.note = s.Note.Text
		}
		if s.Silent && s.Note == nil {
			if ok, err := in.grow(f, s.X); ok {
				return err
			}
		}
		v, err := in.eval(f, s.X)
		if err == nil {
			err = in.noted(s, v)
		}
		if err != nil {
			return err
		}
		if v != nil && !s.Silent && !in.shy {
			return in.print(v, s.X)
		}
		return nil
	case *apl.FuncDef, *apl.OperatorDef:
		return in.define(f, s)
	case *apl.Display:
		return in.display(f, s)
	case *apl.NamespaceDef:
		return in.namespace(f, s)
	case *apl.Block:
		return in.block(f, s)
	case *apl.Tradfn:
		in.defined(f, s)
		in.fixed(f, s)
		return nil
	case *apl.Loose:
		r, err := in.reading(f, s)
		if err != nil {
			return err
		}
		return in.topLevel(f, r)
	case *apl.Unread:
		return in.fault(s, diag.Unreadable, "a statement that could not be read")
	}
	return in.fault(s, diag.Unreadable, "a statement that stands in dfns only")
}

// define binds the name of a definition.
func (in *Interp) define(f *Frame, s apl.Stmt) error {
	switch s := s.(type) {
	case *apl.FuncDef:
		fn, err := in.function(f, s.F)
		if err != nil {
			return err
		}
		in.bind(f, s, fn)
	case *apl.OperatorDef:
		op, err := in.operator(f, s.Op)
		if err != nil {
			return err
		}
		in.bindOperator(f, s, op)
	}
	return nil
}

// bindOperator gives the name of a definition to its operator.
func (in *Interp) bindOperator(f *Frame, s *apl.OperatorDef, op Operator) {
	if d, ok := op.(*dop); ok && d.note == nil {
		d.note = s.Note
	}
	if strings.Contains(s.Name.Ident, ".") {
		in.setMember(f, s.Name.Ident, op)
		return
	}
	in.defined(f, s)
	f.scope(s.Name.Ident).set(s.Name.Ident, op)
}

// bind gives the name of a definition to its function.
func (in *Interp) bind(f *Frame, s *apl.FuncDef, fn Function) {
	if c, ok := fn.(*closure); ok && c.name == "" {
		c.name = s.Name.Ident
		if c.note == nil {
			c.note = s.Note
		}
	}
	in.remember(f, fn, s.F)
	if strings.Contains(s.Name.Ident, ".") {
		in.setMember(f, s.Name.Ident, fn)
		return
	}
	in.defined(f, s)
	f.scope(s.Name.Ident).set(s.Name.Ident, fn)
}

// print displays the value of an expression as the session does.
func (in *Interp) print(v *V, x apl.Node) error {
	in.pending = ""
	if err := prim.Shown(v); err != nil {
		return at(err, x, nil, nil)
	}
	text := prim.Display(&in.state, v)
	if in.env.Display != nil {
		in.out.Flush()
		in.env.Display(v, text, in.state.Precision)
		return nil
	}
	in.out.WriteString(text)
	return nil
}
