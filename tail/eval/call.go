package eval

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Calls. An argument that is a variable the caller still needs is lent: the
// callee sees it as shared. Should the result be shared too, it may be the
// lent array, so the caller's variable is marked.

// lent lists the slots of variables that are lent to a callee.
type lent []int

func (l lent) mark(fr *frame) {
	for _, at := range l {
		fr.slots[at].bits |= shared
	}
}

// operands compiles the arguments of a call or op from left to right; they
// are run from right to left.
func (s *scope) operands(args []tail.Expr) ([]tupleCode, lent) {
	var slots lent
	uses := s.uses(args)
	codes := make([]tupleCode, len(args))
	for i, a := range args {
		codes[i] = s.into(a, uses[i])
		if at, ok := s.variable(a); ok && uses[i] == useRead {
			slots = append(slots, at)
		}
	}
	return codes, slots
}

// variable finds the slot of an expression that is an array variable.
func (s *scope) variable(e tail.Expr) (at int, ok bool) {
	switch e.(type) {
	case *tail.Ref, *tail.Proj:
		if t, array := e.Type().(*tail.Array); array && t.Dims() > 0 {
			return s.projected(e)
		}
	}
	return 0, false
}

// uses returns how each of the arguments of an op that only reads them is
// used: those that are variables read after the op as well can be lent. (A
// variable that only another argument reads might be moved by it.)
func (s *scope) uses(args []tail.Expr) []usage {
	uses := make([]usage, len(args))
	for i, a := range args {
		if at, ok := s.variable(a); ok && (at < s.base || s.live.has(at)) {
			uses[i] = useRead
		}
	}
	return uses
}

// activate takes a new frame for f.
func (f *function) activate(m *machine) *frame {
	if n := len(f.pool); n > 0 {
		fr := f.pool[n-1]
		f.pool = f.pool[:n-1]
		return fr
	}
	return &frame{slots: make([]value, f.slots), m: m}
}

// release keeps a frame for the next call.
func (f *function) release(fr *frame) {
	clear(fr.slots)
	f.pool = append(f.pool, fr)
}

// begin counts a call, and faults if there are too many.
func (f *function) begin(m *machine, e *tail.Call) {
	m.tick()
	m.calls++
	m.nest += f.nest
	if m.env.Calls {
		m.active = append(m.active, e)
	}
	if m.calls > m.env.MaxDepth || m.nest > maxNested {
		raiseAt(e.Where, tail.FaultRecursion)
	}
}

func (f *function) end(m *machine, fr *frame) {
	m.calls--
	m.nest -= f.nest
	if m.env.Calls {
		m.active = m.active[:len(m.active)-1]
	}
	f.release(fr)
}

// mostCalls is the number of calls that a fault lists.
const mostCalls = 8

// traced adds to a fault the calls that are active, the innermost first; those from
// one place in a row are one.
func (m *machine) traced(err error) error {
	var fault *diag.Error
	if !errors.As(err, &fault) {
		return err
	}
	listed := 0
	for end := len(m.active); end > 0; {
		e, begin := m.active[end-1], end-1
		for begin > 0 && m.active[begin-1].Where == e.Where && userName(m.active[begin-1].Fn) == userName(e.Fn) {
			begin--
		}
		if listed++; listed > mostCalls {
			fault.Notes = append(fault.Notes, diag.Note{Message: fmt.Sprintf("and %d calls around these", end)})
			break
		}
		note := "in this call of " + userName(e.Fn)
		if end-begin > 1 {
			note = fmt.Sprintf("in %d calls of %s from here", end-begin, userName(e.Fn))
		}
		fault.Notes = append(fault.Notes, diag.Note{Span: e.Where, Message: note})
		end = begin
	}
	return fault
}

// userName returns the name of a function without the number that makes it unique.
func userName(f *tail.Func) string {
	if at := strings.LastIndexByte(f.Name, '_'); at > 0 {
		return f.Name[:at]
	}
	return f.Name
}

// invoke compiles a call up to the callee's filled frame.
func (s *scope) invoke(e *tail.Call) (*function, func(fr *frame) *frame, lent) {
	f := s.m.function(e.Fn)
	args, slots := s.operands(e.Args)
	widths := make([]int, len(args))
	for i, a := range e.Args {
		widths[i] = width(a.Type())
	}
	return f, func(fr *frame) *frame {
		callee := f.activate(fr.m)
		for i := len(args) - 1; i >= 0; i-- {
			at := f.params[i]
			args[i](fr, callee.slots[at:at+widths[i]])
		}
		f.begin(fr.m, e)
		return callee
	}, slots
}

func (s *scope) call(e *tail.Call, u usage) code {
	if u == useTail && s.fn != nil && s.fn.fn == e.Fn {
		again := s.again(e)
		return func(fr *frame) value {
			again(fr)
			return value{}
		}
	}
	f, enter, slots := s.invoke(e)
	isArray := !isScalar(e.Ty)
	return func(fr *frame) value {
		callee := enter(fr)
		v := f.run(callee)
		f.end(fr.m, callee)
		if isArray && !v.owned() {
			slots.mark(fr)
		}
		return v
	}
}

// run evaluates the body until it ends in something else than a tail call.
func (f *function) run(fr *frame) value {
	for {
		fr.again = false
		if v := f.body(fr); !fr.again {
			return v
		}
		fr.m.tick()
	}
}

// runInto is run for a result that is a tuple.
func (f *function) runInto(fr *frame, dst []value) {
	for fr.again = true; fr.again; fr.m.tick() {
		fr.again = false
		f.tuple(fr, dst)
	}
}

func (s *scope) callTuple(e *tail.Call, u usage) tupleCode {
	if u == useTail && s.fn != nil && s.fn.fn == e.Fn {
		again := s.again(e)
		return func(fr *frame, _ []value) { again(fr) }
	}
	f, enter, slots := s.invoke(e)
	return func(fr *frame, dst []value) {
		callee := enter(fr)
		f.runInto(callee, dst)
		f.end(fr.m, callee)
		for _, v := range dst {
			if v.arr != nil && !v.owned() {
				slots.mark(fr)
				break
			}
		}
	}
}

// again compiles a tail call of the function itself: the arguments become the
// parameters, and run repeats the body.
func (s *scope) again(e *tail.Call) func(fr *frame) {
	n := 0
	offs := make([]int, len(e.Args))
	args := make([]tupleCode, len(e.Args))
	for i, a := range e.Args {
		offs[i] = n
		n += width(a.Type())
		args[i] = s.into(a, useKept)
	}
	return func(fr *frame) {
		var small [8]value
		all := small[:]
		if n > len(small) {
			all = make([]value, n)
		}
		for i := len(args) - 1; i >= 0; i-- {
			args[i](fr, all[offs[i]:])
		}
		copy(fr.slots, all[:n]) // the parameters are the first slots
		fr.again = true
	}
}
