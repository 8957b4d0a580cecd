package apl

import (
	"sort"
	"strings"
)

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func equalWord(a, b string) bool { return strings.EqualFold(a, b) }

// tradfn writes a definition.
func (p *printer) tradfn(t *Tradfn) {
	p.word("∇")
	p.word(" ")
	p.header(t.Header)
	p.lines(t, 0)
	p.newline()
	p.word("∇")
}

// lines writes the statements of a body, each on its own line where the source has it
// there; line is the one that is written already.
func (p *printer) lines(t *Tradfn, line int) {
	for i, s := range t.Body {
		_, label := s.(*Label)
		switch at := t.LineOf(i); {
		case i > 0 && t.LineOf(i-1) == at:
			if _, behind := t.Body[i-1].(*Label); !behind {
				p.word(" ⋄ ")
			}
		default:
			for ; line < at; line++ {
				p.newline()
			}
		}
		p.statement(s)
		if label {
			p.word(" ")
		}
	}
	for ; line < t.Lines(); line++ {
		p.newline()
	}
}

func (p *printer) header(h *Header) {
	if len(h.Result) > 0 {
		result := namesText(h.Result, h.ResultList)
		if h.Shy {
			result = "{" + result + "}"
		}
		p.word(result)
		p.word("←")
	}
	if h.Left != nil {
		left := h.Left.Ident
		if h.Ambivalent {
			left = "{" + left + "}"
		}
		p.word(left)
		p.word(" ")
	}
	name := h.Name.Ident
	if h.LeftOperand != nil {
		name = h.LeftOperand.Ident + " " + name
		if h.RightOperand != nil {
			name += " " + h.RightOperand.Ident
		}
		name = "(" + name + ")"
	}
	p.word(name)
	if len(h.Right) > 0 {
		p.word(" ")
		p.word(namesText(h.Right, h.RightList))
	}
	for _, n := range h.Locals {
		p.word(";")
		p.word(n.Ident)
	}
}

func namesText(names []*Name, list bool) string {
	var idents []string
	for _, n := range names {
		idents = append(idents, n.Ident)
	}
	text := strings.Join(idents, " ")
	if list {
		text = "(" + text + ")"
	}
	return text
}

// control writes a control word.
func (p *printer) control(c *Control) {
	p.word(c.Word.String())
	if c.Word == Implements {
		p.word(" Trigger")
	}
	for _, n := range c.Names {
		p.word(" ")
		p.word(n.Ident)
	}
	if c.Strand != nil {
		for _, t := range c.Strand.Items {
			p.word(" ")
			p.target(t)
		}
	}
	switch {
	case c.Word == For && c.Each:
		p.word(" :InEach")
	case c.Word == For:
		p.word(" :In")
	}
	if c.X != nil {
		p.word(" ")
		p.expr(c.X)
	}
}
