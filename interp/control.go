package interp

import (
	"errors"
	"fmt"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/progress"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// errEscape is → alone: it ends all functions that run.
var errEscape = errors.New("the program left its functions")

// loop is a :For that runs.
type loop struct {
	over  *V // or, with :InEach, the vectors of each name
	next  int
	count int
	shown *progress.Loop
}

// lines runs the body of a function with a header.
func (in *Interp) lines(f *Frame) error {
	a := f.trad
	body := a.fn.node.Body
	if m := in.env.Meter; m != nil {
		defer m.Back(m.Now())
	}
	earlier := in.earlier
	in.earlier = nil
	defer func() { in.earlier = earlier }()
	for a.pc < len(body) {
		if in.interrupted() {
			return ErrInterrupted
		}
		if in.env.Meter != nil {
			in.meterLine(body[a.pc])
		}
		next, err := in.step(f, body[a.pc])
		if err != nil {
			if next, err = in.recovered(f, err); err != nil {
				return err
			}
		}
		a.pc = next
	}
	return nil
}

// recovered returns the place of the next statement where something takes care of an
// error of the current one.
func (in *Interp) recovered(f *Frame, err error) (int, error) {
	if j, ok := err.(*jump); ok && j.frame == f {
		in.depth, in.current = f.trad.depth, f
		return j.next, nil
	}
	next, err := in.trapped(f, err)
	if err != nil {
		return in.respond(f, err)
	}
	return next, nil
}

// step runs a statement and returns the place of the next one.
func (in *Interp) step(f *Frame, s apl.Stmt) (int, error) {
	a := f.trad
	if l, ok := s.(*apl.Loose); ok {
		var err error
		if s, err = in.reading(f, l); err != nil {
			return 0, err
		}
	}
	switch s := s.(type) {
	case *apl.Label:
		return a.pc + 1, nil
	case *apl.Branch:
		if s.X == nil {
			return 0, errEscape
		}
		return in.branch(f, s.X)
	case *apl.Control:
		return in.control(f, s)
	}
	n, err := in.statement(f, a.fn.node.Body[a.pc:])
	return a.pc + n, err
}

// end is the place behind the last statement.
func (a *activation) end() int { return len(a.fn.node.Body) }

// branch evaluates where → leads.
func (in *Interp) branch(f *Frame, x apl.Expr) (int, error) {
	v, err := in.need(f, x)
	if err != nil {
		return 0, err
	}
	a := f.trad
	if v.Len() == 0 {
		return a.pc + 1, nil
	}
	next, err := a.line(v)
	if err != nil {
		return 0, at(err, x, nil, nil)
	}
	return next, nil
}

// line returns the place of the line whose number is the first item of v.
func (a *activation) line(v *V) (int, error) {
	line, err := prim.Whole(v.Item(0))
	if err != nil {
		return 0, err
	}
	if line < 1 || line > a.fn.node.Lines() {
		return a.end(), nil
	}
	return a.fn.node.StartOf(line), nil
}

// at returns the control word that a statement of the body is, in the reading that the
// names of the frame ask for; nil if it is none.
func (in *Interp) controlAt(f *Frame, i int) (*apl.Control, error) {
	body := f.trad.fn.node.Body
	if i >= len(body) {
		return nil, nil
	}
	s := body[i]
	if l, ok := s.(*apl.Loose); ok {
		if _, ok := l.Stmt.(*apl.Control); !ok {
			return nil, nil
		}
		var err error
		if s, err = in.reading(f, l); err != nil {
			return nil, err
		}
	}
	c, _ := s.(*apl.Control)
	return c, nil
}

// opener returns the first statement of the structure that a control word belongs to.
func (f *Frame) opener(c *apl.Control) *apl.Control {
	s := f.trad.fn.node.Body[c.Open()]
	if l, ok := s.(*apl.Loose); ok {
		s = l.Stmt
	}
	return s.(*apl.Control)
}

// control runs a control word and returns the place of the next statement.
func (in *Interp) control(f *Frame, c *apl.Control) (int, error) {
	a := f.trad
	switch c.Word {
	case apl.If:
		return in.choose(f, a.pc)
	case apl.ElseIf, apl.Else, apl.Case, apl.CaseList: // the clause before is done
		return f.opener(c).End() + 1, nil
	case apl.Select:
		return in.selectCase(f, c)
	case apl.For:
		return in.startFor(f, c)
	case apl.While:
		return in.while(f, c)
	case apl.Until:
		return in.until(f, c)
	case apl.Trap:
		return in.trap(f, c)
	case apl.With:
		return in.with(f, c)
	case apl.Hold, apl.Disposable: // there are no other threads, and no objects to end
		_, err := in.need(f, c.X)
		return a.pc + 1, err
	case apl.GoTo:
		return in.branch(f, c.X)
	case apl.Return:
		return a.end(), nil
	case apl.Leave:
		if l := a.loops[f.opener(c).Open()]; l != nil {
			l.shown.End()
		}
		return in.behind(f, f.opener(c).End()+1)
	case apl.Continue:
		return f.opener(c).End(), nil
	case apl.AndIf, apl.OrIf: // behind :Until, whose condition was decided
		return a.pc + 1, nil
	}
	if c.Word == apl.End || c.Word.Closes() {
		return in.closing(f, c)
	}
	return a.pc + 1, nil
}

// closing runs the last statement of a structure.
func (in *Interp) closing(f *Frame, c *apl.Control) (int, error) {
	a := f.trad
	switch o := f.opener(c); o.Word {
	case apl.For, apl.While, apl.Repeat:
		return in.nextTurn(f, o)
	case apl.Trap:
		delete(a.traps, o.Open())
		if before, ok := a.reported[o.Open()]; ok {
			in.reported = before
			delete(a.reported, o.Open())
		}
	case apl.With:
		a.globals = a.withs[o.Open()]
		in.moveFor(a.globals)
	}
	return a.pc + 1, nil
}

// conditions evaluates the condition of the control word at place i with the :AndIf and
// :OrIf behind it. It returns the place behind them.
func (in *Interp) conditions(f *Frame, i int) (bool, int, error) {
	c, err := in.controlAt(f, i)
	if err != nil {
		return false, 0, err
	}
	yes, err := in.condition(f, c.X)
	for i++; err == nil; i++ {
		if c, err = in.controlAt(f, i); err != nil || c == nil || c.Word != apl.AndIf && c.Word != apl.OrIf {
			break
		}
		if yes == (c.Word == apl.AndIf) {
			yes, err = in.condition(f, c.X)
		}
	}
	return yes, i, err
}

// behind returns the first place from i on that is no :AndIf or :OrIf.
func (in *Interp) behind(f *Frame, i int) (int, error) {
	for {
		c, err := in.controlAt(f, i)
		if err != nil || c == nil || c.Word != apl.AndIf && c.Word != apl.OrIf {
			return i, err
		}
		i++
	}
}

// choose runs :If: it returns the place of the statements to run.
func (in *Interp) choose(f *Frame, i int) (int, error) {
	for {
		c, err := in.controlAt(f, i)
		if err != nil {
			return 0, err
		}
		if c.Word != apl.If && c.Word != apl.ElseIf {
			return i + 1, nil
		}
		f.trad.pc = i
		yes, then, err := in.conditions(f, i)
		if err != nil || yes {
			return then, err
		}
		i = c.Next()
	}
}

// selectCase runs :Select.
func (in *Interp) selectCase(f *Frame, c *apl.Control) (int, error) {
	v, err := in.need(f, c.X)
	if err != nil {
		return 0, err
	}
	for i := c.Next(); ; {
		clause, err := in.controlAt(f, i)
		if err != nil {
			return 0, err
		}
		if clause.X == nil { // :Else, or the end
			return i + 1, nil
		}
		f.trad.pc = i
		test, err := in.need(f, clause.X)
		if err != nil {
			return 0, err
		}
		compare, left := callOf("≡"), v
		if clause.Word == apl.CaseList {
			compare, left = callOf("∊"), value.Enclose(v)
		}
		r, err := compare.Call(in, left, test)
		if err != nil {
			return 0, at(err, clause, nil, nil)
		}
		if r.Double(0) == 1 {
			return i + 1, nil
		}
		i = clause.Next()
	}
}

// startFor evaluates the array of :For.
func (in *Interp) startFor(f *Frame, c *apl.Control) (int, error) {
	v, err := in.need(f, c.X)
	if err != nil {
		return 0, err
	}
	l := &loop{over: v, count: v.Len()}
	if names := forNames(c); c.Each && names > 1 {
		if l.count != names {
			return 0, in.fault(c.X, diag.NamesDiffer, "%d names for %d arrays", names, l.count)
		}
		l.count = 1
		for i := range v.Len() {
			if n := v.Item(i).Len(); n != 1 && l.count != 1 && n != l.count {
				return 0, in.fault(c.X, diag.WrongLength, "arrays of %d and %d items", l.count, n)
			} else if n != 1 {
				l.count = n
			}
		}
	}
	if f.trad.loops == nil {
		f.trad.loops = map[int]*loop{}
	}
	f.trad.loops[c.Open()] = l
	if in.env.Progress != nil {
		l.shown = in.env.Progress.Begin(c.Span().Line(), l.count)
	}
	return in.nextFor(f, c)
}

// nextFor gives the names of a :For their next values.
func (in *Interp) nextFor(f *Frame, c *apl.Control) (int, error) {
	l := f.trad.loops[c.Open()]
	if l == nil || l.next >= l.count {
		if l != nil {
			l.shown.End()
		}
		return c.End() + 1, nil
	}
	k := l.next
	l.next++
	l.shown.At(k)
	if c.Strand != nil {
		return c.Open() + 1, in.forTargets(f, c, l.over, k)
	}
	if !c.Each && len(c.Names) > 1 {
		return c.Open() + 1, in.forStrand(f, c, l.over.Item(k))
	}
	for i, n := range c.Names {
		v := l.over
		if c.Each && len(c.Names) > 1 {
			v = v.Item(i)
		}
		f.scope(n.Ident).set(n.Ident, v.Item(min(k, v.Len()-1)))
	}
	return c.Open() + 1, nil
}

// forNames returns the number of names of :For, or of names in parentheses.
func forNames(c *apl.Control) int {
	if c.Strand != nil {
		return len(c.Strand.Items)
	}
	return len(c.Names)
}

// forTargets gives names, of which some are in parentheses, the items of step k.
func (in *Interp) forTargets(f *Frame, c *apl.Control, over *V, k int) error {
	targets := c.Strand.Items
	switch {
	case len(targets) == 1:
		return in.store(f, targets[0], nil, over.Item(k))
	case !c.Each:
		return in.storeStrand(f, c.Strand, nil, over.Item(k))
	}
	for i, t := range targets {
		v := over.Item(i)
		if err := in.store(f, t, nil, v.Item(min(k, v.Len()-1))); err != nil {
			return err
		}
	}
	return nil
}

// forStrand gives several names the items of v.
func (in *Interp) forStrand(f *Frame, c *apl.Control, v *V) error {
	if n := v.Len(); n != len(c.Names) && n != 1 || v.Rank() > 1 {
		return in.fault(c.X, diag.NamesDiffer, "%d names for an array of shape %s", len(c.Names), array.ShapeText(v.Shape))
	}
	for i, n := range c.Names {
		f.scope(n.Ident).set(n.Ident, v.Item(min(i, v.Len()-1)))
	}
	return nil
}

func (in *Interp) while(f *Frame, c *apl.Control) (int, error) {
	yes, then, err := in.conditions(f, c.Open())
	if err == nil && !yes {
		return in.behind(f, c.End()+1)
	}
	return then, err
}

func (in *Interp) until(f *Frame, c *apl.Control) (int, error) {
	done, then, err := in.conditions(f, f.trad.pc)
	if err != nil || done {
		return then, err
	}
	return in.nextTurn(f, f.opener(c))
}

// nextTurn returns the place where a loop goes on behind a turn: behind the loop, where
// its compiled form ran all others.
func (in *Interp) nextTurn(f *Frame, o *apl.Control) (int, error) {
	if in.finishedLoop(f, o) {
		if l := f.trad.loops[o.Open()]; l != nil {
			l.shown.End()
		}
		return in.behind(f, o.End()+1)
	}
	switch o.Word {
	case apl.For:
		return in.nextFor(f, o)
	case apl.While:
		return o.Open(), nil
	}
	return o.Open() + 1, nil
}

// trap enters :Trap.
func (in *Interp) trap(f *Frame, c *apl.Control) (int, error) {
	numbers, err := in.events(f, c.X)
	if f.trad.traps == nil {
		f.trad.traps = map[int][]int64{}
	}
	f.trad.traps[c.Open()] = numbers
	return f.trad.pc + 1, err
}

// events evaluates numbers of events.
func (in *Interp) events(f *Frame, x apl.Expr) ([]int64, error) {
	v, err := in.need(f, x)
	if err != nil {
		return nil, err
	}
	numbers, err := prim.Ints(v)
	if err != nil {
		return nil, at(err, x, nil, nil)
	}
	return numbers, nil
}

// trapped returns the place where an error of the current statement is taken care of,
// or the error.
func (in *Interp) trapped(f *Frame, err error) (int, error) {
	if final(err) {
		return 0, err
	}
	a := f.trad
	fault := asFault(err)
	fault.happened(a)
	if fault.leaves == f {
		return 0, err
	}
	if fault.stopped {
		return 0, err
	}
	if c := in.catcher(f, fault.number); c != nil {
		o := c.Open()
		delete(a.traps, o)
		in.depth, in.last, in.current = a.depth, fault, f
		if _, ok := a.reported[o]; !ok {
			if a.reported == nil {
				a.reported = map[int]*Fault{}
			}
			a.reported[o] = in.reported
		}
		in.reported = fault
		next, err := in.handler(f, c, fault)
		if err != nil {
			return in.trapped(f, err)
		}
		return next, nil
	}
	return 0, fault
}

// catcher returns the :Trap around the current statement that takes care of an error, or
// nil.
func (in *Interp) catcher(f *Frame, number int) *apl.Control {
	a := f.trad
	t := a.fn.node
	for o := t.Enclosing(a.pc); o >= 0; o = t.Enclosing(o) {
		c, err := in.controlAt(f, o)
		if err != nil {
			return nil
		}
		if numbers, entered := a.traps[o]; c.Word == apl.Trap && entered && a.pc < c.Next() && catches(numbers, number) {
			return c
		}
	}
	return nil
}

// handler returns the clause of a :Trap that takes care of an error.
func (in *Interp) handler(f *Frame, c *apl.Control, fault *Fault) (int, error) {
	for i := c.Next(); ; {
		f.trad.pc = i
		clause, err := in.controlAt(f, i)
		if err != nil {
			return 0, err
		}
		if clause.X == nil {
			return i + 1, nil
		}
		numbers, err := in.events(f, clause.X)
		if err != nil {
			return 0, err
		}
		if catches(numbers, fault.number) {
			return i + 1, nil
		}
		i = clause.Next()
	}
}

// happened notes the function and the line that an error comes from.
func (e *Fault) happened(a *activation) {
	if e.place == "" && a.fn.title() != "" {
		e.place = fmt.Sprintf("%s[%d]", a.fn.title(), a.fn.node.LineOf(a.pc))
		e.Notes = append(e.Notes, diag.Note{Message: "in " + e.place})
	}
}

// with enters another space.
func (in *Interp) with(f *Frame, c *apl.Control) (int, error) {
	v, err := in.need(f, c.X)
	if err != nil {
		return 0, err
	}
	space, err := in.spaceNamed(f, v)
	if err != nil {
		return 0, at(err, c.X, nil, nil)
	}
	a := f.trad
	if a.withs == nil {
		a.withs = map[int]*Frame{}
	}
	a.withs[c.Open()] = a.globals
	a.globals = in.frameOf(space)
	in.moveTo(space)
	return a.pc + 1, nil
}
