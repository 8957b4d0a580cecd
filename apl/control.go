package apl

import (
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
)

// controlled reads a statement that starts with a control word or with →; it returns
// nil if the tokens [lo,hi) are neither.
func (p *parser) controlled(lo, hi int) (Stmt, int, *diag.Error) {
	switch {
	case p.toks[lo].kind == tBranch:
		return p.branch(lo, hi)
	case p.toks[lo].kind == tColon && lo+1 < hi && p.toks[lo+1].kind == tName:
		return p.word(lo, hi)
	}
	return nil, 0, nil
}

func (p *parser) branch(lo, hi int) (Stmt, int, *diag.Error) {
	b := &Branch{At: At{p.span(lo, hi)}}
	if lo+1 == hi {
		return b, 1, nil
	}
	if err := p.plain(lo+1, hi); err != nil {
		return nil, 0, err
	}
	u, err := p.array(lo+1, hi)
	b.X = u.x
	return b, u.h + 1, err
}

// word reads a control word and what follows it.
func (p *parser) word(lo, hi int) (Stmt, int, *diag.Error) {
	at := p.span(lo, lo+2)
	w := wordOf(p.text(lo + 1))
	if w == NoWord {
		return nil, 0, unknownWord(at, p.text(lo+1))
	}
	c := &Control{At: At{p.span(lo, hi)}, Word: w}
	lo += 2
	if w == For {
		var err *diag.Error
		if lo, err = p.forNames(c, at, lo, hi); err != nil {
			return nil, 0, err
		}
	}
	switch {
	case w == Section || w == EndSection:
		return c, 1, nil
	case w == Implements:
		return c, 1, p.triggers(c, at, lo, hi)
	case !words[w].takes && lo < hi:
		return nil, 0, diag.Errorf(diag.Unreadable, p.span(lo, hi), "nothing stands behind %s", w)
	case !words[w].takes:
		return c, 1, nil
	case lo == hi:
		return nil, 0, diag.Errorf(diag.Unreadable, at, "%s without an expression", w)
	}
	for i := lo; i < hi; i = p.after(i) {
		if p.toks[i].kind == tColon {
			return nil, 0, fix(diag.Errorf(diag.Unreadable, p.span(i, i+1), "a second control word in a statement"), "write ⋄ before it, or begin a line")
		}
	}
	if err := p.plain(lo, hi); err != nil {
		return nil, 0, err
	}
	u, err := p.array(lo, hi)
	c.X = u.x
	return c, u.h + 1, err
}

// refusedWords are words of the language that are not supported.
var refusedWords = map[string]bool{"Class": true, "EndClass": true,
	"Interface": true, "EndInterface": true, "Access": true, "Field": true, "Property": true, "EndProperty": true,
	"Signature": true, "Attribute": true, "Using": true, "Include": true, "Base": true, "Require": true}

func unknownWord(at diag.Span, text string) *diag.Error {
	known := []string{"Namespace", "EndNamespace", "In", "InEach"}
	for w := If; w < numberOfWords; w++ {
		known = append(known, words[w].text)
	}
	for name := range refusedWords {
		if equalWord(name, text) {
			return diag.Errorf(diag.NotCompiled, at, "the control word :%s is not supported", name)
		}
	}
	e := diag.Errorf(diag.Unreadable, at, "unknown control word: :%s", text)
	if near := diag.Nearest(text, known); near != "" {
		e.Fix = "did you mean :" + near + "?"
	}
	return e
}

// triggers reads `Trigger x,y` behind :Implements; what else it takes is of classes.
func (p *parser) triggers(c *Control, at diag.Span, lo, hi int) *diag.Error {
	if lo == hi || !equalWord(p.text(lo), "Trigger") {
		return diag.Errorf(diag.NotCompiled, at, "the control word :Implements is not supported but for Trigger")
	}
	for i := lo + 1; i < hi; i++ {
		switch {
		case p.plainName(i), p.text(i) == "*":
			c.Names = append(c.Names, p.nameNode(i))
		case p.text(i) != ",":
			return diag.Errorf(diag.Unreadable, p.span(i, i+1), ":Implements Trigger takes names with commas between them")
		}
	}
	return nil
}

// forNames reads `x y :In` and returns the token behind it.
func (p *parser) forNames(c *Control, at diag.Span, lo, hi int) (int, *diag.Error) {
	i := lo
	for i < hi && (p.plainName(i) || p.is(i, tOpen, '(')) {
		i = p.after(i)
	}
	if only, _ := p.onlyNames(lo, i); only && p.opensIn(lo, i) {
		l, err := p.strandTarget(p.span(lo, i), lo, i)
		if err != nil {
			return i, err
		}
		c.Strand = l.target.(*StrandTarget)
		lo = i
	}
	for i = lo; i < hi && p.plainName(i); i++ {
		c.Names = append(c.Names, p.nameNode(i))
		if err := p.define(p.span(i, i+1), p.text(i), ArrayClass); err != nil {
			return i, err
		}
	}
	if i+1 < hi && p.toks[i].kind == tColon && (len(c.Names) > 0 || c.Strand != nil) {
		switch {
		case equalWord(p.text(i+1), "In"):
			return i + 2, nil
		case equalWord(p.text(i+1), "InEach"):
			c.Each = true
			return i + 2, nil
		}
	}
	return i, fix(diag.Errorf(diag.Unreadable, at, ":For without names and :In"), "write :For x :In array")
}

// opensIn reports whether a parenthesis opens in the tokens [lo,hi).
func (p *parser) opensIn(lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if p.is(i, tOpen, '(') {
			return true
		}
	}
	return false
}

// nester finds what belongs together in a body.
type nester struct {
	*parser
	t    *Tradfn
	open []int // the statements that open structures, innermost last
	last []int // the last clause of each of them
}

// nest gives the control words of a body their places, and reports what does not
// match. A body with a control word that could not be read, which was reported, is that
// statement alone.
func (p *parser) nest(t *Tradfn) {
	for i, s := range t.Body {
		if _, ok := s.(*Unread); ok && strings.HasPrefix(s.Span().Text(), ":") {
			t.Body, t.lines = t.Body[i:i+1], t.lines[i:i+1]
			break
		}
	}
	n := &nester{parser: p, t: t}
	t.enclosing = make([]int, len(t.Body))
	for i, s := range t.Body {
		t.enclosing[i] = n.innermost()
		if c := controlOf(s); c != nil {
			n.place(i, c)
		}
	}
	for _, o := range n.open {
		c := controlOf(t.Body[o])
		p.faults++
		p.report(diag.Errorf(diag.Unreadable, wordSpan(c), "%s is not closed: no %s", c.Word, words[c.Word].opens))
	}
}

// controlOf returns the control word that a statement is, or nil.
func controlOf(s Stmt) *Control {
	if l, ok := s.(*Loose); ok {
		s = l.Stmt
	}
	c, _ := s.(*Control)
	return c
}

// wordSpan is the place of a control word without its expression.
func wordSpan(c *Control) diag.Span {
	at := c.Where
	at.End = min(at.End, at.Start+len(c.Word.String()))
	return at
}

func (n *nester) innermost() int {
	if len(n.open) == 0 {
		return -1
	}
	return n.open[len(n.open)-1]
}

func (n *nester) place(i int, c *Control) {
	row := words[c.Word]
	switch {
	case row.opens != NoWord:
		c.open = i
		n.open, n.last = append(n.open, i), append(n.last, i)
	case c.Word == AndIf || c.Word == OrIf:
		n.conjunction(i, c)
	case row.within != nil:
		n.clause(i, c)
	case row.ends != NoWord || c.Word == End || c.Word == Until:
		n.close(i, c)
	case c.Word == Leave || c.Word == Continue:
		if c.open = n.loop(); c.open < 0 {
			n.misplaced(c, "outside a loop")
		}
	}
}

// loop returns the statement that opens the innermost loop, or -1.
func (n *nester) loop() int {
	for k := len(n.open) - 1; k >= 0; k-- {
		if controlOf(n.t.Body[n.open[k]]).Word.Loop() {
			return n.open[k]
		}
	}
	return -1
}

func (n *nester) misplaced(c *Control, where string) {
	n.faults++
	n.report(diag.Errorf(diag.Unreadable, wordSpan(c), "%s %s", c.Word, where))
}

// conjunction requires that :AndIf or :OrIf stands behind a condition.
func (n *nester) conjunction(i int, c *Control) {
	if i > 0 {
		if before := controlOf(n.t.Body[i-1]); before != nil {
			switch before.Word {
			case If, ElseIf, While, Until, c.Word:
				c.open = before.open
				return
			}
		}
	}
	n.misplaced(c, "does not follow a condition")
}

// clause is :ElseIf, :Else, :Case and :CaseList.
func (n *nester) clause(i int, c *Control) {
	o := n.innermost()
	if o >= 0 {
		for _, w := range words[c.Word].within {
			if controlOf(n.t.Body[o]).Word == w {
				c.open = o
				n.t.enclosing[i] = n.outside()
				controlOf(n.t.Body[n.last[len(n.last)-1]]).next = i
				n.last[len(n.last)-1] = i
				return
			}
		}
	}
	n.misplaced(c, "does not stand in a structure that it belongs to")
}

// outside returns the statement that opens the structure around the innermost one.
func (n *nester) outside() int {
	if len(n.open) < 2 {
		return -1
	}
	return n.open[len(n.open)-2]
}

// close ends the innermost structure.
func (n *nester) close(i int, c *Control) {
	o := n.innermost()
	if o < 0 {
		n.misplaced(c, "closes nothing")
		return
	}
	opener := controlOf(n.t.Body[o])
	ends := words[c.Word].ends == opener.Word || c.Word == End || c.Word == Until && (opener.Word == Repeat || opener.Word == While)
	if !ends {
		n.misplaced(c, "does not close "+opener.Word.String())
		return
	}
	n.t.enclosing[i] = n.outside()
	c.open, c.end = o, i
	controlOf(n.t.Body[n.last[len(n.last)-1]]).next = i
	for k := o; k < i; k++ {
		if s := controlOf(n.t.Body[k]); s != nil && s.open == o && s.Word != AndIf && s.Word != OrIf && s.Word != Leave && s.Word != Continue {
			s.end = i
		}
	}
	n.open, n.last = n.open[:len(n.open)-1], n.last[:len(n.last)-1]
}
