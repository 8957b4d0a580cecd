package apl

import "github.com/tailor-lang/tailor/internal/diag"

// definitionEnd returns the token of the ∇ that closes the definition whose header
// starts behind token lo, or -1.
func (p *parser) definitionEnd(lo, hi int) int {
	for i := lo + 1; i < hi; i = p.after(i) {
		if p.lineStart(i) && p.isDel(i) && (i+1 >= hi || p.toks[i+1].kind == tSeparator) {
			return i
		}
	}
	return -1
}

func (p *parser) isDel(i int) bool { return p.toks[i].kind == tName && p.text(i) == "∇" }

// lineStart reports whether token i is the first of its line.
func (p *parser) lineStart(i int) bool { return i == 0 || p.lineEnd(i-1) }

// lineEnd reports whether token i is the end of a line, and no ⋄.
func (p *parser) lineEnd(i int) bool {
	return p.toks[i].kind == tSeparator && p.toks[i].glyph == 0
}

// endOfLine returns the token at which the line of token i ends.
func (p *parser) endOfLine(i, hi int) int {
	for i < hi && !p.lineEnd(i) {
		i = p.after(i)
	}
	return min(i, hi)
}

// lineOf returns the line of the source that token i starts on.
func (p *parser) lineOf(i int) int {
	line, _ := p.src.Position(int(p.toks[i].start))
	return line
}

// tradfn reads the definition whose ∇ is token lo. It returns the token behind it.
func (p *parser) tradfn(lo, hi int) (Stmt, int) {
	end := p.definitionEnd(lo, hi)
	if end < 0 {
		p.faults++
		p.report(fix(diag.Errorf(diag.Unreadable, p.span(lo, lo+1), "∇ opens a definition that is not closed"), "write ∇ on a line of its own behind the last line"))
		return &Unread{At: At{p.span(lo, lo+1)}}, hi
	}
	behind := p.endOfLine(end, hi)
	headerEnd := p.endOfLine(lo, end)
	if lo+3 < end && p.plainName(lo+1) && p.toks[lo+2].kind == tArrow && p.is(lo+3, tOpen, '{') && int(p.toks[lo+3].match)+1 == headerEnd {
		return p.statement(lo+1, headerEnd), behind // the display of a dfn
	}
	h, err := p.header(lo+1, headerEnd)
	if err != nil {
		p.faults++
		p.report(err)
		return &Unread{At: At{p.span(lo, headerEnd)}}, behind
	}
	t := &Tradfn{At: At{p.span(lo, end+1)}, Header: h, labels: map[string]int{}}
	first := p.lineOf(lo)
	t.count = max(p.lineOf(end)-first-1, 0)
	p.localsLines(t, headerEnd, end)
	p.declare(h.Name, h.Class())
	back := p.enter(p.tradScope(t, headerEnd, end), p.base+1)
	p.tradBody(t, headerEnd, end, first)
	back()
	return t, behind
}

// declare gives the name of a definition its class in the current scope.
func (p *parser) declare(n *Name, class Class) {
	p.see(n.Ident, class)
	p.scope.names[n.Ident] = binding{class: class, where: n.Where}
}

// localsLines adds the names of lines `;a;b` that stand before the first statement.
func (p *parser) localsLines(t *Tradfn, lo, hi int) {
	for lo < hi {
		if p.toks[lo].kind == tSeparator {
			lo++
			continue
		}
		if p.toks[lo].kind != tSemicolon {
			return
		}
		end := p.endOfLine(lo, hi)
		names, err := p.locals(lo, end)
		if err != nil {
			p.report(err)
			return
		}
		t.Header.Locals = append(t.Header.Locals, names...)
		lo = end
	}
}

// locals reads `;a;b`.
func (p *parser) locals(lo, hi int) ([]*Name, *diag.Error) {
	var names []*Name
	for i := lo; i < hi; i++ {
		switch t := p.toks[i]; {
		case t.kind == tSemicolon || t.kind == tNote:
		case t.kind == tName && t.glyph == 0 && p.toks[i-1].kind == tSemicolon:
			names = append(names, p.nameNode(i))
		case t.kind == tSystem && p.toks[i-1].kind == tSemicolon:
			n := p.nameNode(i)
			n.Ident = quadName(n.Ident)
			names = append(names, n)
		default:
			return nil, diag.Errorf(diag.Unreadable, p.span(i, i+1), "%s is no local name: ;name;name", clip(p.text(i)))
		}
	}
	return names, nil
}

func (p *parser) nameNode(i int) *Name { return &Name{At{p.span(i, i+1)}, p.text(i)} }

// tradScope returns the scope of a body: its arguments and labels have classes, its
// locals those that the parse before found.
func (p *parser) tradScope(t *Tradfn, lo, hi int) *scope {
	h := t.Header
	sc := &scope{parent: p.scope, names: map[string]binding{}, trad: &tradScope{key: h.Name.Ident + "/", locals: map[string]bool{}}}
	array := func(names ...*Name) {
		for _, n := range names {
			if n != nil {
				sc.trad.locals[n.Ident] = true
				sc.names[n.Ident] = binding{class: ArrayClass, where: n.Where}
				p.see(n.Ident, ArrayClass)
			}
		}
	}
	array(h.Result...)
	array(h.Right...)
	array(h.Left)
	for _, n := range h.Locals {
		sc.trad.locals[n.Ident] = true
	}
	for _, n := range []*Name{h.LeftOperand, h.RightOperand} {
		if n != nil {
			sc.trad.locals[n.Ident] = true
			sc.names[n.Ident] = binding{class: FunctionClass, where: n.Where}
			sc.trad.operands = append(sc.trad.operands, n.Ident)
		}
	}
	for i := lo; i+1 < hi; i = p.after(i) {
		if k := p.lineHead(i); k >= 0 && p.isLabel(k, hi) {
			array(p.nameNode(k))
		}
	}
	return sc
}

// lineHead returns the first token of a line's statements, behind the number in
// brackets that there may be, where token i starts the line; else -1.
func (p *parser) lineHead(i int) int {
	if !p.lineStart(i) {
		return -1
	}
	return p.numbered(i)
}

// numbered returns the token behind `[n]` at the start of a line.
func (p *parser) numbered(i int) int {
	if p.is(i, tOpen, '[') && int(p.toks[i].match) == i+2 && p.toks[i+1].kind == tNumber {
		return i + 3
	}
	return i
}

// isLabel reports whether token i is the name of a label.
func (p *parser) isLabel(i, hi int) bool {
	return i+1 < hi && p.toks[i].kind == tName && p.toks[i].glyph == 0 && p.toks[i+1].kind == tColon &&
		(i+2 >= hi || p.toks[i+2].kind != tColon)
}

// tradBody reads the lines of a body, which are the tokens [lo,hi); first is the line
// of the header.
func (p *parser) tradBody(t *Tradfn, lo, hi, first int) {
	for lo < hi && len(p.errs) < maxErrors {
		end := lo
		for end < hi && p.toks[end].kind != tSeparator {
			end = p.after(end)
		}
		if k := p.lineHead(lo); k >= 0 {
			lo = min(k, end)
		}
		if lo < end && p.toks[lo].kind != tSemicolon {
			p.tradStatement(t, lo, end, p.lineOf(lo)-first)
		}
		lo = end + 1
	}
	p.nest(t)
}

// tradStatement reads the tokens [lo,hi), which are not empty: a label, a statement, or
// both.
func (p *parser) tradStatement(t *Tradfn, lo, hi, line int) {
	add := func(s Stmt) {
		t.Body, t.lines = append(t.Body, s), append(t.lines, line)
	}
	if p.isLabel(lo, hi) {
		n := p.nameNode(lo)
		if old, ok := t.labels[n.Ident]; ok {
			p.report(diag.Errorf(diag.Unreadable, n.Where, "%s is the label of line %d already", n.Ident, old))
		}
		t.labels[n.Ident] = line
		add(&Label{At{p.span(lo, lo+2)}, n})
		if lo += 2; lo == hi {
			return
		}
	}
	add(p.statement(lo, hi))
}

// header reads the tokens [lo,hi) of a header.
func (p *parser) header(lo, hi int) (*Header, *diag.Error) {
	if hi > lo && p.toks[hi-1].kind == tNote {
		hi--
	}
	if lo == hi {
		return nil, diag.Errorf(diag.Unreadable, p.span(lo-1, lo), "∇ without a header")
	}
	h := &Header{At: At{p.span(lo, hi)}}
	end := lo
	for end < hi && p.toks[end].kind != tSemicolon {
		end = p.after(end)
	}
	var err *diag.Error
	if end < hi {
		if h.Locals, err = p.locals(end, hi); err != nil {
			return nil, err
		}
	}
	for i := lo; i < end; i = p.after(i) {
		if p.toks[i].kind == tArrow {
			if err := p.headerResult(h, lo, i); err != nil {
				return nil, err
			}
			lo = i + 1
			break
		}
	}
	if ok := lo < end && p.headerCall(h, lo, end); !ok {
		return nil, fix(diag.Errorf(diag.Unreadable, h.Where, "this is no header of a function"), "write r←f y, r←x f y, r←{x}f y or r←(f op g)y, and locals as ;a;b")
	}
	return h, nil
}

// headerResult reads what stands left of ← in a header.
func (p *parser) headerResult(h *Header, lo, hi int) *diag.Error {
	if hi-lo > 1 && p.is(lo, tOpen, '{') && int(p.toks[lo].match) == hi-1 {
		h.Shy = true
		lo, hi = lo+1, hi-1
	}
	names, list, ok := p.namelist(lo, hi)
	if !ok {
		return diag.Errorf(diag.Unreadable, p.span(min(lo, hi-1), hi), "the result of a header is r, {r} or (r s)")
	}
	h.Result, h.ResultList = names, list
	return nil
}

// namelist reads a name, or names in parentheses.
func (p *parser) namelist(lo, hi int) (names []*Name, list, ok bool) {
	if hi-lo > 2 && p.is(lo, tOpen, '(') && int(p.toks[lo].match) == hi-1 {
		list = true
		lo, hi = lo+1, hi-1
	} else if hi-lo != 1 {
		return nil, false, false
	}
	for i := lo; i < hi; i++ {
		if !p.plainName(i) {
			return nil, list, false
		}
		names = append(names, p.nameNode(i))
	}
	return names, list, true
}

func (p *parser) plainName(i int) bool { return p.toks[i].kind == tName && p.toks[i].glyph == 0 }

// headerCall reads the call of a header: `x f y`, `{x}(f op g)(y z)`.
func (p *parser) headerCall(h *Header, lo, hi int) bool {
	var parts [][2]int
	for i := lo; i < hi; i = p.after(i) {
		parts = append(parts, [2]int{i, p.after(i)})
	}
	ok := true
	name := func(k int) *Name {
		if i := parts[k][0]; parts[k][1] == i+1 && p.plainName(i) {
			return p.nameNode(i)
		}
		ok = false
		return &Name{}
	}
	n := len(parts)
	if n > 3 {
		return false
	}
	if n > 1 {
		last := parts[n-1]
		if h.Right, h.RightList, ok = p.namelist(last[0], last[1]); !ok {
			return false
		}
		n--
	}
	if n == 2 {
		if first := parts[0]; p.is(first[0], tOpen, '{') && first[1] == first[0]+3 && p.plainName(first[0]+1) {
			h.Left, h.Ambivalent = p.nameNode(first[0]+1), true
		} else {
			h.Left = name(0)
		}
	}
	if k := parts[n-1]; p.is(k[0], tOpen, '(') && len(h.Right) > 0 {
		return ok && p.headerOperator(h, k[0]+1, k[1]-1)
	}
	h.Name = name(n - 1)
	return ok
}

// headerOperator reads `f op` or `f op g`.
func (p *parser) headerOperator(h *Header, lo, hi int) bool {
	for i := lo; i < hi; i++ {
		if !p.plainName(i) {
			return false
		}
	}
	if hi-lo != 2 && hi-lo != 3 {
		return false
	}
	h.LeftOperand, h.Name = p.nameNode(lo), p.nameNode(lo+1)
	if hi-lo == 3 {
		h.RightOperand = p.nameNode(lo + 2)
	}
	return true
}
