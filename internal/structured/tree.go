package structured

import (
	"slices"

	"github.com/tailor-lang/tailor/apl"
)

// item is a statement, or a control structure with what stands in it.
type item struct {
	stmt    apl.Stmt     // an ordinary statement, or nil
	word    *apl.Control // what opens the structure, or :Leave, :Continue, :Return
	clauses []clause     // of :If and :Select; of a loop its body is the only one
	until   []test       // the condition of :Until
	returns bool         // a :Leave behind which the function returns
	tested  bool         // a :Return behind that
	label   string       // a label
	jump    *jump        // a branch to one
}

// clause is a branch of :If or :Select.
type clause struct {
	word  *apl.Control
	tests []test // none for :Else
	body  []item
}

// test is a condition; what joins it to those before is :AndIf or :OrIf.
type test struct{ word *apl.Control }

// reader makes items of the flat body of a function.
type reader struct {
	body   []apl.Stmt
	labels set  // those that branches may lead to
	bad    bool // there is a statement that has no structured form
}

// control returns the control word at a place, or nil.
func (r *reader) control(i int) *apl.Control {
	if i >= len(r.body) {
		return nil
	}
	c, _ := r.body[i].(*apl.Control)
	return c
}

// items reads the statements from one place to another.
func (r *reader) items(from, to int) []item {
	all := r.read(from, to)
	if slices.ContainsFunc(all, func(it item) bool { return it.label != "" || it.jump != nil }) {
		var ok bool
		if all, ok = joined(all, to-from == len(r.body)); !ok {
			r.bad = true
		}
	}
	return all
}

// read is items with labels and branches.
func (r *reader) read(from, to int) (all []item) {
	for i := from; i < to && !r.bad; {
		c := r.control(i)
		if c == nil {
			all = append(all, r.plain(r.body[i]))
			i++
			continue
		}
		it := item{word: c}
		switch c.Word {
		case apl.If:
			it.clauses = r.clauses(i)
		case apl.Select:
			it.clauses = r.clauses(c.Next())
		case apl.For, apl.While, apl.Repeat:
			it = r.loop(c)
		case apl.Leave, apl.Continue, apl.Return:
			all = append(all, it)
			i++
			continue
		default:
			r.bad = true
			return nil
		}
		all = append(all, it)
		for i = c.End() + 1; r.joins(i); i++ { // behind :Until
		}
	}
	return all
}

// plain returns the item of a statement without a control word.
func (r *reader) plain(s apl.Stmt) item {
	it := item{stmt: s}
	switch s := s.(type) {
	case *apl.ExprStmt, *apl.FuncDef:
	case *apl.Label:
		it.label = s.Name.Ident
		r.bad = r.bad || r.labels == nil
	case *apl.Branch:
		if r.labels != nil {
			it.jump = r.jump(s)
		}
		r.bad = r.bad || it.jump == nil
	default:
		r.bad = true
	}
	return it
}

// joins reports whether :AndIf or :OrIf stands at a place.
func (r *reader) joins(i int) bool {
	c := r.control(i)
	return c != nil && (c.Word == apl.AndIf || c.Word == apl.OrIf)
}

// tests reads the condition at a place with what is joined to it.
func (r *reader) tests(i int) (all []test, next int) {
	all = append(all, test{r.control(i)})
	for i++; r.joins(i); i++ {
		all = append(all, test{r.control(i)})
	}
	return all, i
}

// clauses reads those of which the first one is at a place.
func (r *reader) clauses(i int) (all []clause) {
	for !r.bad {
		c := r.control(i)
		if c == nil || c.Word == apl.End || c.Word.Closes() {
			break
		}
		is, first := clause{word: c}, i+1
		if c.X != nil {
			is.tests, first = r.tests(i)
		}
		is.body = r.items(first, c.Next())
		all = append(all, is)
		i = c.Next()
	}
	return all
}

// loop reads a loop.
func (r *reader) loop(c *apl.Control) item {
	it, first, body := item{word: c}, c.Open()+1, clause{word: c}
	if c.Word == apl.While {
		body.tests, first = r.tests(c.Open())
	}
	if end := r.control(c.End()); end != nil && end.Word == apl.Until {
		r.bad = r.bad || c.Word != apl.Repeat
		it.until, _ = r.tests(c.End())
	}
	r.bad = r.bad || c.Word == apl.For && c.Each && (c.Strand != nil || len(c.Names) > 1)
	body.body = r.items(first, c.End())
	it.clauses = []clause{body}
	return it
}

// isLoop reports whether an item is a loop.
func (it *item) isLoop() bool { return it.word != nil && it.word.Word.Loop() }

// exits reports whether :Leave, :Continue or :Return stand among items, outside of loops
// inside of them.
func exits(items []item) bool {
	return slices.ContainsFunc(items, func(it item) bool {
		switch {
		case it.word == nil || it.isLoop():
			return false
		case it.clauses == nil:
			return true
		}
		return slices.ContainsFunc(it.clauses, func(c clause) bool { return exits(c.body) })
	})
}

// leaves reports whether the last of some items leaves what they stand in, on every way.
func leaves(items []item) bool {
	if len(items) == 0 {
		return false
	}
	last := items[len(items)-1]
	switch {
	case last.word == nil || last.isLoop():
		return false
	case last.clauses == nil:
		return true
	}
	end := last.clauses[len(last.clauses)-1]
	return end.tests == nil && !slices.ContainsFunc(last.clauses, func(c clause) bool { return !leaves(c.body) })
}

// size is the number of statements and control words of items.
func size(items []item) (n int) {
	for _, it := range items {
		n++
		for _, c := range it.clauses {
			n += 1 + size(c.body)
		}
	}
	return n
}
