package interp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// A loop of control words as a dfn: what it assigns is the state of ⍣, and what else it
// reads stands around it.
//
//	:For i :In v       (s i k z)←{(s i k z)←⍵
//	  s←s+i×i            i←⊃v[k+⎕IO]
//	:EndFor              k←k+1
//	                     s←s+i×i
//	                     s i k ⍬}⍣((≢v)-k)⊢s i k ⍬
//
// The ⍬ keeps scalars of several types apart. The branches of :If are dfns from state to
// state, and so are those of :Select. :Leave and :Continue stand in an :If of their own,
// which becomes a guard.

// sectionText writes a loop that begins at a place in the body of a function.
type sectionText struct {
	in    *Interp
	frame *Frame
	body  []apl.Stmt
	state []string // the names that the loop assigns
	text  strings.Builder
	deep  int // the number of loops around
	// exit returns the state with which the innermost loop goes on, or ends; nil inside
	// of a branch, from where neither is possible.
	exit func(ends bool) string
}

// hiddenName is the beginning of names that only the text has.
const hiddenName = "∆∆"

func (t *sectionText) line(format string, args ...any) { fmt.Fprintf(&t.text, format+"\n", args...) }

// strand returns the state as an array, with more items.
func (t *sectionText) strand(more ...string) string {
	return strings.Join(append(slices.Clone(t.state), more...), " ") + " ⍬"
}

// names returns the target of an assignment of strand.
func (t *sectionText) names(more ...string) string {
	return "(" + strings.Join(append(slices.Clone(t.state), more...), " ") + " " + hiddenName + "z)←"
}

// at returns the statement at a place in the reading that the names ask for.
func (t *sectionText) at(i int) (apl.Stmt, error) {
	if l, ok := t.body[i].(*apl.Loose); ok {
		return t.in.reading(t.frame, l)
	}
	return t.body[i], nil
}

// control returns the control word at a place.
func (t *sectionText) control(i int) (*apl.Control, error) {
	s, err := t.at(i)
	if c, ok := s.(*apl.Control); ok && err == nil {
		return c, nil
	}
	return nil, errNoUnit
}

// statements writes those from one place to another. It reports whether the last one
// left the loop or its body.
func (t *sectionText) statements(from, to int) (left bool, err error) {
	for i := from; i < to; {
		s, err := t.at(i)
		if err != nil {
			return false, err
		}
		switch s := s.(type) {
		case *apl.ExprStmt:
			if !s.Silent || s.Note != nil {
				return false, errNoUnit
			}
			t.line("%s", source(s))
			i++
		case *apl.Control:
			switch {
			case s.Word == apl.If:
				err = t.branches(i)
			case s.Word == apl.Select:
				err = t.cases(i)
			case s.Word.Loop():
				err = t.inner(s)
			case t.exit != nil && (s.Word == apl.Leave || s.Word == apl.Continue):
				t.line("%s", t.exit(s.Word == apl.Leave))
				return true, nil
			default:
				err = errNoUnit
			}
			if err != nil {
				return false, err
			}
			if i = s.End() + 1; s.Word.Loop() {
				i, err = t.behind(i)
			}
			if err != nil {
				return false, err
			}
		default:
			return false, errNoUnit
		}
	}
	return false, nil
}

// behind returns the first place from i on that is no :AndIf or :OrIf.
func (t *sectionText) behind(i int) (int, error) {
	for ; i < len(t.body); i++ {
		if c, err := t.control(i); err != nil || c.Word != apl.AndIf && c.Word != apl.OrIf {
			break
		}
	}
	return i, nil
}

// condition returns the text of the condition at a place with the :AndIf and :OrIf
// behind it, and the place behind them.
func (t *sectionText) condition(i int) (text string, next int, err error) {
	c, err := t.control(i)
	if err != nil {
		return "", 0, err
	}
	if err := t.plain(c.X); err != nil {
		return "", 0, err
	}
	text = "{" + source(c.X) + ":1 ⋄ 0}0"
	for i++; i < len(t.body); i++ {
		c, err := t.control(i)
		if err != nil || c.Word != apl.AndIf && c.Word != apl.OrIf {
			break
		}
		if err := t.plain(c.X); err != nil {
			return "", 0, err
		}
		more := "{" + source(c.X) + ":1 ⋄ 0}0"
		if c.Word == apl.AndIf {
			text = "{" + text + ":" + more + " ⋄ 0}0"
		} else {
			text = "{" + text + ":1 ⋄ " + more + "}0"
		}
	}
	return text, i, nil
}

// plain returns an error for an expression that assigns.
func (t *sectionText) plain(x apl.Expr) error {
	names := apl.FreeNames(x)
	modified := slices.ContainsFunc(names.Free, func(n apl.FreeName) bool { return n.Modified })
	if modified || len(names.Locals) > 0 {
		return errNoUnit
	}
	return nil
}

// branches writes the :If at a place.
func (t *sectionText) branches(i int) error {
	for t.exit != nil { // clauses that leave the loop are guards
		c, err := t.control(i)
		if err != nil {
			return err
		}
		if c.Word != apl.If && c.Word != apl.ElseIf || !t.leaves(c.Next()-1) {
			break
		}
		cond, then, err := t.condition(i)
		if err != nil {
			return err
		}
		t.text.WriteString(cond + ":{" + t.names() + "⍵\n")
		if _, err := t.statements(then, c.Next()); err != nil {
			return err
		}
		t.line("}%s", t.strand())
		i = c.Next()
	}
	exit := t.exit
	t.exit = nil
	defer func() { t.exit = exit }()
	t.text.WriteString(t.names() + "{" + t.names() + "⍵\n")
	for {
		c, err := t.control(i)
		if err != nil {
			return err
		}
		if c.Word == apl.End || c.Word.Closes() {
			break
		}
		then := i + 1
		if c.Word != apl.Else {
			cond := ""
			if cond, then, err = t.condition(i); err != nil {
				return err
			}
			t.text.WriteString(cond + ":")
		}
		t.text.WriteString("{" + t.names() + "⍵\n")
		if _, err := t.statements(then, c.Next()); err != nil {
			return err
		}
		t.line("%s}%s", t.strand(), t.strand())
		i = c.Next()
	}
	t.line("%s}%s", t.strand(), t.strand())
	return nil
}

// cases writes the :Select at a place.
func (t *sectionText) cases(i int) error {
	c, err := t.control(i)
	if err != nil {
		return err
	}
	if err := t.plain(c.X); err != nil {
		return err
	}
	exit := t.exit
	t.exit = nil
	defer func() { t.exit = exit }()
	chosen := t.hidden("s", 0)
	t.text.WriteString(t.names() + "{" + t.names() + "⍵\n")
	t.line("%s←%s", chosen, source(c.X))
	for i = c.Next(); ; i = c.Next() {
		if c, err = t.control(i); err != nil {
			return err
		}
		if c.Word == apl.End || c.Word.Closes() {
			break
		}
		switch c.Word {
		case apl.Case:
			t.text.WriteString("(" + chosen + "≡" + source(c.X) + "):")
		case apl.CaseList:
			t.text.WriteString("((⊂" + chosen + ")∊" + source(c.X) + "):")
		}
		if c.X != nil {
			if err := t.plain(c.X); err != nil {
				return err
			}
		}
		t.text.WriteString("{" + t.names() + "⍵\n")
		if _, err := t.statements(i+1, c.Next()); err != nil {
			return err
		}
		t.line("%s}%s", t.strand(), t.strand())
	}
	t.line("%s}%s", t.strand(), t.strand())
	return nil
}

// leaves reports whether the statement at a place is :Leave or :Continue.
func (t *sectionText) leaves(i int) bool {
	c, err := t.control(i)
	return err == nil && (c.Word == apl.Leave || c.Word == apl.Continue)
}

// inner writes a loop inside of the section.
func (t *sectionText) inner(c *apl.Control) error {
	if c.Word == apl.For {
		if err := t.plain(c.X); err != nil {
			return err
		}
		t.line("%s←,%s", t.hidden("o", 1), source(c.X))
		t.line("%s←0", t.hidden("k", 1))
	}
	return t.loop(c)
}

// hidden returns a name of the loop that is so many loops further inside.
func (t *sectionText) hidden(kind string, further int) string {
	return fmt.Sprintf("%s%s%d", hiddenName, kind, t.deep+further)
}

// loop writes a loop, of which the state, and for :For the items and the place of the
// next one, have values.
func (t *sectionText) loop(c *apl.Control) (err error) {
	exit := t.exit
	t.deep++
	defer func() { t.exit = exit; t.deep-- }()
	switch c.Word {
	case apl.For:
		return t.forLoop(c)
	case apl.While:
		cond, first, err := t.condition(c.Open())
		if err != nil {
			return err
		}
		return t.conditional(c, first, "~"+cond)
	case apl.Repeat:
		return t.conditional(c, c.Open()+1, "")
	}
	return errNoUnit
}

// forLoop writes a :For.
func (t *sectionText) forLoop(c *apl.Control) error {
	if c.Strand != nil || c.Each || len(c.Names) != 1 {
		return errNoUnit
	}
	over, k, q := t.hidden("o", 0), t.hidden("k", 0), t.hidden("q", 0)
	carried := []string{k}
	if t.hasExits(c) {
		carried = append(carried, q)
	}
	t.exit = func(ends bool) string {
		if ends {
			return t.strand(k, "1")
		}
		return t.strand(k, "0")
	}
	begin := fmt.Sprintf("{%s⍵\n%s←⊃%s[%s+%d]\n%s←%s+1\n", t.names(carried...), c.Names[0].Ident, over, k, t.in.state.Origin, k, k)
	if len(carried) == 1 {
		t.text.WriteString(t.names(k) + begin)
		if _, err := t.statements(c.Open()+1, c.End()); err != nil {
			return err
		}
		t.line("%s}⍣((≢%s)-%s)⊢%s", t.strand(k), over, k, t.strand(k))
		return nil
	}
	t.text.WriteString(t.names(k, q) + "{" + t.names(k, q) + "⍵\n")
	t.line("%s≥≢%s:%s", k, over, t.strand(k, q))
	t.text.WriteString(begin)
	if _, err := t.statements(c.Open()+1, c.End()); err != nil {
		return err
	}
	t.line("%s}⍣{%s⍺ ⋄ %s∨%s≥≢%s}⊢%s", t.strand(k, q), t.names(k, q), q, k, over, t.strand(k, q))
	t.line("}%s", t.strand(k, "0"))
	return nil
}

// conditional writes a :While, which ends where stop is 1, or a :Repeat, where stop is "".
func (t *sectionText) conditional(c *apl.Control, first int, stop string) error {
	q, until := t.hidden("q", 0), "0"
	closing, err := t.control(c.End())
	if err != nil {
		return err
	}
	if closing.Word == apl.Until {
		if until, _, err = t.condition(c.End()); err != nil {
			return err
		}
	}
	t.exit = func(ends bool) string {
		if ends {
			return t.strand("1")
		}
		return t.strand("(" + until + ")")
	}
	t.text.WriteString(t.names(q) + "{" + t.names(q) + "⍵\n")
	if stop != "" {
		t.line("%s:%s", stop, t.strand(q))
	}
	t.text.WriteString("{" + t.names(q) + "⍵\n")
	left, err := t.statements(first, c.End())
	if err != nil {
		return err
	}
	if !left {
		t.line("%s←%s", q, until)
	}
	t.text.WriteString(t.strand(q) + "}⍣{" + t.names(q) + "⍺ ⋄ ")
	if stop != "" {
		t.text.WriteString(q + ":1 ⋄ " + stop)
	} else {
		t.text.WriteString(q)
	}
	t.line("}⊢%s", t.strand(q))
	t.line("}%s", t.strand("0"))
	return nil
}

// hasExits reports whether :Leave or :Continue belong to a loop.
func (t *sectionText) hasExits(c *apl.Control) bool {
	for i := c.Open() + 1; i < c.End(); {
		s, err := t.control(i)
		switch {
		case err != nil:
			i++
		case s.Word.Loop() && s.Open() == i:
			i = s.End() + 1
		case s.Word == apl.Leave || s.Word == apl.Continue:
			return true
		default:
			i++
		}
	}
	return false
}
