package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/clgen"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// Lines on a compiled target. The arrays of the session that a line mentions are
// parameters of its program, known by element type, rank and nesting, so that the
// compiled line is kept for other values; see exchange.go for how they get there.
// Where types depend on values, as the rank of s⍴y does, short arrays are constants,
// and then all are.

// shortArray is the number of elements up to which an array is a constant where
// types depend on values, and mostConstants that of all constants of a compiled
// line: one with more runs on the evaluator.
const (
	shortArray    = 64
	mostConstants = 10_000
)

// line types a line for the target.
func (s *Session) line(tree *apl.Program, o infer.Options) (p *tail.Program, assigned []infer.Known, err error) {
	s.given, s.evaluates = nil, s.target == driver.Eval
	if s.evaluates {
		return infer.Line(tree, s.definitions(), o)
	}
	known := s.mentioned(tree)
	for _, constants := range []int{-1, shortArray} {
		s.given, s.displayed = nil, nil
		o.Received = func(a *array.Array) tail.Expr {
			if a.Len() <= constants {
				return tail.NewLit(diag.Span{}, a)
			}
			s.given = append(s.given, a)
			return parameter(a, len(s.given)-1)
		}
		if p, assigned, err = infer.Line(tree, known, o); err == nil {
			return p, assigned, nil
		}
	}
	s.given, s.displayed, o.Received = nil, nil, nil
	s.evaluates = elementsOf(known) > mostConstants
	return infer.Line(tree, known, o)
}

// parameter returns the expression for the array in a place, of which the element
// type and the rank are known.
func parameter(a *array.Array, place int) tail.Expr {
	return &tail.Apply{Op: tail.OpReceive, Args: []tail.Expr{tail.NewInt(diag.Span{}, int64(place))}, Ty: tail.Ranked(a.Elem, a.Rank())}
}

// elementsOf counts the elements of all arrays among definitions.
func elementsOf(known []infer.Known) int {
	n := 0
	count := func(a *array.Array) { n += a.Len() }
	for _, k := range known {
		if k.Value != nil {
			count(k.Value)
		}
		eachArray(k.Items, count)
	}
	return n
}

// eachArray calls f with the arrays of a strand.
func eachArray(i *infer.Items, f func(*array.Array)) {
	if i == nil {
		return
	}
	if i.Array != nil {
		f(i.Array)
	}
	for _, item := range i.Of {
		eachArray(item, f)
	}
}

// arrays returns all arrays that are known.
func (s *Session) arrays() map[*array.Array]bool {
	all := map[*array.Array]bool{}
	for _, k := range s.known {
		if k.Value != nil {
			all[k.Value] = true
		}
		eachArray(k.Items, func(a *array.Array) { all[a] = true })
	}
	return all
}

// mentioned returns the definitions without the arrays that a line does not mention,
// neither itself nor by functions of the session.
func (s *Session) mentioned(tree *apl.Program) []infer.Known {
	text := []string{tree.Source.Text}
	found := map[string]bool{}
	for i := 0; i < len(text); i++ {
		for _, k := range s.known {
			if !found[k.Name] && reads(text[i], k.Name) {
				found[k.Name] = true
				text = append(text, k.source)
			}
		}
	}
	var all []infer.Known
	for _, k := range s.definitions() {
		if found[k.Name] || strings.HasPrefix(k.Name, "⎕") {
			all = append(all, k)
		}
	}
	return all
}

// reads reports whether name occurs in text as a word that is not just assigned to.
func reads(text, name string) bool {
	for rest := text; mentions(rest, name); {
		_, rest, _ = strings.Cut(rest, name)
		if !strings.HasPrefix(strings.TrimLeft(rest, " "), "←") {
			return true
		}
	}
	return false
}

// compiled runs a program through the C compiler or on the device and returns the
// components of its value.
func (s *Session) compiled(ctx context.Context, p *tail.Program) ([]*array.Array, error) {
	shown, pp := printedLast(p)
	components := s.sendAtEnd(p)
	var values []*array.Array
	var err error
	if s.target == driver.OpenCL {
		values, err = s.onDevice(p)
	} else {
		values, err = s.inProcess(ctx, p, s.Out)
	}
	if err != nil {
		return nil, err
	}
	values = filled(components, values)
	if shown {
		last := len(values) - 1
		s.show(values[last], pp)
		values = values[:last]
	}
	return values, nil
}

// sendAtEnd makes p give the components of its value back, in order, but for those that
// are arrays of the session: they are returned, with nil for the others.
func (s *Session) sendAtEnd(p *tail.Program) (components []*array.Array) {
	received := s.receivedBy(p.Main)
	p.Main = atEnd(p.Main, func(t *tail.Tuple) tail.Expr {
		var sent []tail.Expr
		for _, e := range t.Elems {
			components = append(components, received(e))
			if received(e) == nil {
				sent = append(sent, e)
			}
		}
		var end tail.Expr = &tail.Tuple{}
		for i := len(sent) - 1; i >= 0; i-- {
			place := tail.NewInt(diag.Span{}, int64(i))
			end = &tail.Let{Var: &tail.Var{Name: "_", Type: tail.Scalar(array.Int)}, Bind: apply(tail.OpSend, sent[i], place), Body: end}
		}
		return end
	})
	return components
}

// receivedBy returns a function that says which array of the session an expression
// behind the lets of e is, or nil.
func (s *Session) receivedBy(e tail.Expr) func(tail.Expr) *array.Array {
	bound := map[*tail.Var]tail.Expr{}
	for l, ok := e.(*tail.Let); ok; l, ok = l.Body.(*tail.Let) {
		bound[l.Var] = l.Bind
	}
	return func(e tail.Expr) *array.Array {
		for {
			r, ok := e.(*tail.Ref)
			if !ok {
				break
			}
			e = bound[r.Var]
		}
		if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpReceive {
			return s.given[a.Args[0].(*tail.Lit).Value.Int(0)]
		}
		return nil
	}
}

// filled puts values where components are nil.
func filled(components, values []*array.Array) []*array.Array {
	for i, c := range components {
		if c == nil {
			components[i], values = values[0], values[1:]
		}
	}
	return components
}

// onDevice runs a program on the OpenCL device.
func (s *Session) onDevice(p *tail.Program) ([]*array.Array, error) {
	var values []*array.Array
	given := s.given
	world := clgen.World{
		Queue: s.queue,
		HostWorld: clgen.HostWorld{
			Stdout:   s.Out,
			Received: func(place int) *array.Array { return given[place] },
			Sent:     func(place int, a *array.Array) { values = append(values[:place], a) },
		},
	}
	c := driver.FromTyped(p, driver.Options{Target: driver.OpenCL})
	defer s.timer.since(time.Now())
	_, err := c.RunIn(world, clgen.Options{Thresholds: clgen.DefaultThresholds()})
	return values, err
}

// inProcess compiles a program to C and runs it as a process.
func (s *Session) inProcess(ctx context.Context, p *tail.Program, out io.Writer) ([]*array.Array, error) {
	path, err := s.binary(ctx, p)
	if err != nil {
		return nil, err
	}
	s.memory.forget(s.arrays())
	x, err := s.memory.exchange(s.given)
	if err != nil {
		return nil, err
	}
	defer x.close()
	var faults bytes.Buffer
	cmd := exec.CommandContext(ctx, path)
	cmd.Stdout, cmd.Stderr = out, &faults
	cmd.ExtraFiles, cmd.Env = x.files, append(os.Environ(), x.environment())
	if s.timer.on {
		cmd.Env = append(cmd.Env, "TAILOR_TIME=1")
	}
	err = cmd.Run()
	said := s.timer.reported(faults.String())
	if err != nil {
		return nil, ended(ctx, cmd, err, said)
	}
	return x.values()
}

// ended returns the error of a process that did not end well.
func ended(ctx context.Context, cmd *exec.Cmd, err error, faults string) error {
	if cmd.ProcessState == nil {
		if ctx.Err() != nil {
			return eval.ErrInterrupted
		}
		return fmt.Errorf("cannot start the compiled line: %w", err)
	}
	if cmd.ProcessState.ExitCode() < 0 { // ended by a signal: by Ctrl-C, of which ctx may hear later
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	if ctx.Err() != nil {
		return eval.ErrInterrupted
	}
	if cmd.ProcessState.ExitCode() < 0 {
		return fmt.Errorf("the compiled line was stopped: %v", cmd.ProcessState)
	}
	return faultText(faults)
}

// binary compiles a program, unless Ctrl-C comes before, and returns the path of the
// binary.
func (s *Session) binary(ctx context.Context, p *tail.Program) (string, error) {
	cc, cache, err := driver.Tools()
	if err != nil {
		return "", err
	}
	c := driver.FromTyped(p, driver.Options{Target: s.target})
	text, err := c.C("")
	if err != nil {
		return "", err
	}
	defer context.AfterFunc(ctx, cc.Cancel)()
	path, err := cache.Binary(cc, text, c.Options)
	if err != nil && ctx.Err() != nil {
		return "", eval.ErrInterrupted
	}
	return path, err
}

// faultText is what a compiled line says of its fault.
type faultText string

func (f faultText) Error() string { return string(f) }

// goesOn reports whether an error of a line is one that the interpreter goes on with.
func goesOn(err error) bool {
	var fault *diag.Error
	if errors.As(err, &fault) {
		return driver.GoesOn(fault)
	}
	var text faultText
	return errors.As(err, &text) && driver.SaysGoesOn(string(text))
}
