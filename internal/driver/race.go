package driver

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
	"github.com/tailor-lang/tailor/tail/eval"
)

// headStart is the time that the evaluator has before a compiler starts: most
// programs need less.
const headStart = 25 * time.Millisecond

// mostHeld is how much output the evaluator holds back.
const mostHeld = 1 << 20

// A Race is a program that the evaluator runs while it is compiled. Output of the
// evaluator is held back until it is certain that it answers, and before an effect
// that cannot be held back it is decided who does: the evaluator where the work
// looks small, else the compiled program, if it can be had.
type Race struct {
	Stdout io.Writer
	Args   []string
	// Compile returns the path of the compiled program; Cancel, which may be called
	// twice, makes it return soon.
	Compile func() (string, error)
	Cancel  func()
	// Compiling is called when the compiler starts, and Answer before there is output.
	Compiling, Answer func()

	mu      sync.Mutex
	state   raceState
	text    []byte // held back
	light   bool
	stop    chan struct{} // closed to stop the evaluator
	urgent  chan struct{} // closed when the evaluator waits for the compiler
	hurry   func()
	ended   chan struct{} // closed when the compiler has ended
	outcome compiled
}

type raceState uint8

const (
	racing    raceState = iota
	committed           // the evaluator answers
	lost                // the compiled program does
)

// compiled is what a compiler came to.
type compiled struct {
	path string
	err  error
}

// Run runs the program. It returns the path of the compiled program where this is
// to answer; else the evaluator has answered, and err is its error.
func (r *Race) Run(c *Compilation) (path string, err error) {
	p, err := c.TAIL()
	if err != nil {
		return "", err
	}
	r.light, r.stop, r.urgent, r.ended = analysis.Light(p), make(chan struct{}), make(chan struct{}), make(chan struct{})
	r.hurry = sync.OnceFunc(func() { close(r.urgent) })
	evaluated := make(chan error, 1)
	go func() { evaluated <- r.evaluate(c, p) }()
	select {
	case err := <-evaluated:
		if !r.unfit(err) {
			return "", r.finish(err)
		}
		evaluated <- err
	case <-r.urgent:
	case <-time.After(headStart):
	}
	r.Compiling()
	go r.compile()
	return r.await(evaluated)
}

// await waits for the evaluator or the compiler, whichever ends first.
func (r *Race) await(evaluated chan error) (string, error) {
	select {
	case err := <-evaluated:
		if !r.unfit(err) {
			r.Cancel()
			r.patience()
			return "", r.finish(err)
		}
		<-r.ended
		if r.outcome.err == nil {
			return r.outcome.path, nil
		}
		return "", r.finish(err)
	case <-r.ended:
	}
	if r.outcome.err == nil && r.lose() {
		return r.outcome.path, nil
	}
	return "", r.finish(<-evaluated)
}

// patience gives a compiler that was cancelled the time to remove its files.
func (r *Race) patience() {
	select {
	case <-r.ended:
	case <-time.After(200 * time.Millisecond):
	}
}

// unfit reports whether the evaluator has failed where a compiled program may not:
// by a limit of its own.
func (r *Race) unfit(err error) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var fault *diag.Error
	var broken *internalError
	limit := errors.As(err, &fault) && (fault.Kind() == diag.Limit || fault.Kind() == diag.Space) && !fault.Signalled
	return r.state == racing && (limit || errors.As(err, &broken) || err == eval.ErrInterrupted)
}

// internalError is a panic of the evaluator.
type internalError struct{ text string }

func (e *internalError) Error() string { return "internal error: " + e.text }

// evaluate runs the program in the evaluator.
func (r *Race) evaluate(c *Compilation, p *tail.Program) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = &internalError{fmt.Sprint(x)}
		}
	}()
	env := &eval.Env{Stdout: heldOutput{r}, Args: r.Args, Interrupt: r.stop, Commit: r.commit}
	return c.timed("run", func() error { return eval.Run(p, env) })
}

// compile runs the compiler.
func (r *Race) compile() {
	defer close(r.ended)
	defer func() {
		if x := recover(); x != nil {
			r.outcome.err = &internalError{fmt.Sprint(x)}
		}
	}()
	r.outcome.path, r.outcome.err = r.Compile()
}

// commit decides who answers before an effect that cannot be held back.
func (r *Race) commit() error {
	r.mu.Lock()
	state := r.state
	r.mu.Unlock()
	if state == racing && !r.light {
		r.hurry()
		<-r.ended
		if r.outcome.err == nil {
			return eval.ErrInterrupted
		}
	}
	return r.win()
}

// win lets the evaluator answer, unless the compiled program does already.
func (r *Race) win() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch r.state {
	case lost:
		return eval.ErrInterrupted
	case committed:
		return nil
	}
	r.state = committed
	r.Cancel()
	return r.release()
}

// lose lets the compiled program answer, unless the evaluator does already.
func (r *Race) lose() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.state == committed {
		return false
	}
	r.state = lost
	close(r.stop)
	return true
}

// finish ends a run of the evaluator.
func (r *Race) finish(err error) error {
	if e := r.win(); err == nil {
		err = e
	}
	return err
}

// release writes what was held back.
func (r *Race) release() error {
	r.Answer()
	_, err := r.Stdout.Write(r.text)
	r.text = nil
	return err
}

// heldOutput is the output of the evaluator.
type heldOutput struct{ *Race }

func (h heldOutput) Write(p []byte) (int, error) {
	h.mu.Lock()
	if h.state == racing {
		h.text = append(h.text, p...)
		full := len(h.text) > mostHeld
		h.mu.Unlock()
		if full {
			return len(p), h.commit()
		}
		return len(p), nil
	}
	defer h.mu.Unlock()
	if h.state == lost {
		return 0, eval.ErrInterrupted
	}
	return h.Stdout.Write(p)
}
