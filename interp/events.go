package interp

import (
	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// jump is → inside ⍎: the call goes on at another statement. No trap sees it.
type jump struct {
	frame *Frame
	next  int
}

func (*jump) Error() string { return "→ outside of its function" }

// cutback ends all calls up to the one whose ⎕TRAP asked for that, which then runs the
// text; a nil frame is the program.
type cutback struct {
	frame *Frame
	text  string
	fault *Fault
}

func (*cutback) Error() string { return "⎕TRAP ended a function" }

// events is a value of ⎕TRAP.
type events struct {
	value *V
	items []event
}

// event is an item of ⎕TRAP: the numbers of errors, C, E, N or S, and what to execute.
type event struct {
	numbers []int64
	action  rune
	text    string
}

// readEvents reads a value of ⎕TRAP.
func readEvents(y *V) (*events, error) {
	if y.Rank() == 1 && (y.Len() == 2 || y.Len() == 3) && y.Item(0).Kind <= value.Double && y.Item(1).Kind == value.Char {
		y = value.FromItems([]int{1}, []*V{y})
	}
	if y.Rank() == 0 {
		y = y.Ravel()
	}
	e := &events{value: y}
	if y.Rank() > 1 {
		return nil, prim.Errorf(diag.ArgumentRank, "⎕TRAP of rank %d", y.Rank())
	}
	for _, item := range y.AllItems() {
		if item.Len() < 2 || item.Item(1).Kind != value.Char || item.Item(1).Len() != 1 {
			return nil, prim.Errorf(diag.WrongDomain, "an item of ⎕TRAP is numbers, a letter and a text")
		}
		numbers, err := prim.Ints(item.Item(0))
		if err != nil {
			return nil, err
		}
		ev := event{numbers: numbers, action: item.Item(1).Chars[0]}
		switch ev.action {
		case 'C', 'E':
			if item.Len() < 3 {
				return nil, prim.Errorf(diag.WrongLength, "⎕TRAP needs a text to execute")
			}
			if ev.text, err = prim.TextOf(item.Item(2), "the text of ⎕TRAP"); err != nil {
				return nil, err
			}
		case 'N', 'S':
		default:
			return nil, prim.Errorf(diag.WrongDomain, "the action of ⎕TRAP is C, E, N or S")
		}
		e.items = append(e.items, ev)
	}
	return e, nil
}

// find returns the item that says what to do, or nil.
func (e *events) find(number int) *event {
	if e == nil {
		return nil
	}
	for i := range e.items {
		if catches(e.items[i].numbers, number) {
			if e.items[i].action == 'N' {
				return nil
			}
			return &e.items[i]
		}
	}
	return nil
}

// localEvents reports whether a function makes ⎕TRAP local.
func (a *activation) localEvents() bool {
	for _, name := range a.fn.names.system {
		if name == "⎕TRAP" {
			return true
		}
	}
	return false
}

// setEvents is ⎕TRAP←.
func (in *Interp) setEvents(y *V) error {
	e, err := readEvents(y)
	if err != nil {
		return err
	}
	for c := in.current; c != nil; c = c.caller {
		if c.trad != nil && c.trad.localEvents() {
			c.trad.events = e
			return nil
		}
	}
	in.trapping = e
	return nil
}

// eventsNow is the value of ⎕TRAP.
func (in *Interp) eventsNow() *V {
	for c := in.current; c != nil; c = c.caller {
		if c.trad != nil && c.trad.events != nil {
			return c.trad.events.value
		}
	}
	if in.trapping != nil {
		return in.trapping.value
	}
	return value.Empty([]int{0}, value.Vector(value.Zilde(), value.Text(""), value.Text("")))
}

// search returns what the innermost ⎕TRAP that names an error says, and its call; nil
// where none does, or where a :Trap or an error guard comes first.
func (in *Interp) search(f *Frame, number int) (*event, *Frame) {
	for c := f; c != nil; c = c.caller {
		if c.trad == nil {
			for _, which := range c.guards {
				if catches(which, number) {
					return nil, nil
				}
			}
			continue
		}
		if c != f && in.catcher(c, number) != nil {
			return nil, nil
		}
		if e := c.trad.events.find(number); e != nil {
			return e, c
		}
	}
	return in.trapping.find(number), nil
}

// respond does what ⎕TRAP says about an error of the current statement of a call, and
// returns the place of the next one.
func (in *Interp) respond(f *Frame, err error) (int, error) {
	if c, ok := err.(*cutback); ok && c.frame == f {
		return in.react(f, c.fault, c.text)
	}
	if final(err) {
		return 0, err
	}
	fault := asFault(err)
	if fault.leaves == f || fault.stopped {
		return 0, err
	}
	e, owner := in.search(f, fault.number)
	switch {
	case e == nil:
		return 0, err
	case e.action == 'S':
		fault.stopped = true
		return 0, err
	case e.action == 'C' && owner != f:
		return 0, &cutback{owner, e.text, fault}
	}
	return in.react(f, fault, e.text)
}

// react executes the text of ⎕TRAP in a call. Where it does not branch, all functions
// end.
func (in *Interp) react(f *Frame, fault *Fault, text string) (int, error) {
	a := f.trad
	in.depth, in.current, in.last, in.reported = a.depth, f, fault, fault
	if a.reported == nil {
		a.reported = map[int]*Fault{}
	}
	err := in.shown(f, text)
	if j, ok := err.(*jump); ok && j.frame == f {
		return j.next, nil
	}
	if err == nil {
		err = errEscape
	}
	return 0, err
}

// shown runs the statements of a text and displays their values.
func (in *Interp) shown(f *Frame, text string) error {
	prog, err := apl.ParseIn(diag.NewSource("⎕TRAP", text), surroundings(f))
	if err != nil {
		return err
	}
	for _, s := range prog.Body {
		if b, ok := s.(*apl.Branch); ok {
			if err := in.leap(f, b); err != nil {
				return err
			}
			continue
		}
		if err := in.topLevel(f, s); err != nil {
			return err
		}
	}
	return nil
}

// leap is → in a text that a function executes: a *jump, or nil where it leads nowhere.
func (in *Interp) leap(f *Frame, b *apl.Branch) error {
	if b.X == nil {
		return errEscape
	}
	v, err := in.need(f, b.X)
	if err != nil || v.Len() == 0 {
		return err
	}
	call := f.activation()
	if call == nil {
		return errEscape
	}
	if call.trad == nil {
		return in.fault(b, diag.Unreadable, "→ in a dfn")
	}
	next, err := call.trad.line(v)
	if err != nil {
		return at(err, b.X, nil, nil)
	}
	return &jump{call, next}
}

// unhandled does what ⎕TRAP says about an error that ended a statement of the program.
func (in *Interp) unhandled(err error) error {
	text := ""
	if c, ok := err.(*cutback); ok {
		text = c.text
		in.last, in.reported = c.fault, c.fault
	} else {
		if final(err) || asFault(err).stopped {
			return err
		}
		fault := asFault(err)
		e := in.trapping.find(fault.number)
		if e == nil || e.action == 'S' {
			return err
		}
		text, in.last, in.reported = e.text, fault, fault
	}
	in.depth, in.current = 0, nil
	return in.shown(in.global, text)
}
