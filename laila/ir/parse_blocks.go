package ir

// The statements of this file have blocks, of the depth that is given.

func (t *textParser) loopOver(depth int) Stmt {
	d := t.dim()
	s := &For{Var: d.Var, Lo: d.Lo, Hi: d.Hi}
	for t.accept(";") {
		switch word := t.word(); word {
		case "independent":
			s.Independent = true
		case "terms":
			s.Terms = true
		default:
			failText("%q is no attribute of a loop", word)
		}
	}
	t.end()
	s.Body = t.block(depth)
	return s
}

// dim reads NAME = LO … HI.
func (t *textParser) dim() Dim {
	v := t.named(I64)
	t.expect("=")
	lo := t.expr()
	t.expect("…")
	return Dim{v, lo, t.expr()}
}

func (t *textParser) loop(depth int) Stmt {
	t.end()
	return &Loop{t.block(depth)}
}

func (t *textParser) ifElse(depth int) Stmt {
	s := &If{Cond: t.expr()}
	t.end()
	s.Then = t.block(depth)
	if t.line(depth-1, "else") {
		t.end()
		s.Else = t.block(depth)
	}
	return s
}

func (t *textParser) filter(depth int) Stmt {
	d := t.dim()
	t.end()
	s := &Filter{Var: d.Var, Lo: d.Lo, Hi: d.Hi, MaskPre: t.block(depth)}
	t.expectLine(depth-1, "where")
	s.Mask = t.expr()
	t.end()
	s.XPre = t.block(depth)
	t.expectLine(depth-1, "keep")
	s.Dst = t.buffer()
	t.expect("[")
	s.Count = t.variable()
	t.expect("<")
	s.Room = t.expr()
	t.expect("]")
	t.expect("=")
	s.X = t.expr()
	t.end()
	return s
}

func (t *textParser) expectLine(depth int, word string) {
	if !t.line(depth, word) {
		failText("a line with %s is expected behind this one", word)
	}
}

// tile reads ACC: C[AT; STRIDE] with X: A[AT], Y: B[AT], COUNT terms [; ZERO where
// FRESH] and the declarations and the assignment below it.
func (t *textParser) tile(depth int) Stmt {
	s := &Micro{}
	acc := t.name()
	t.expect(":")
	s.C = t.buffer()
	s.Acc = t.newVar(acc, s.C.Elem)
	t.expect("[")
	s.CAt = t.expr()
	t.expect(";")
	s.Stride = t.expr()
	t.expect("]")
	t.expect("with")
	s.X, s.A, s.AAt = t.factor()
	t.expect(",")
	s.Y, s.B, s.BAt = t.factor()
	t.expect(",")
	s.Count = t.expr()
	t.expect("terms")
	if t.accept(";") {
		s.Zero = t.expr()
		t.expect("where")
		s.Fresh = t.expr()
	}
	t.end()
	t.step(s, t.block(depth))
	return s
}

// factor reads NAME: BUFFER[PLACE].
func (t *textParser) factor() (*Var, *Buf, Expr) {
	name := t.name()
	t.expect(":")
	b, at := t.element()
	return t.newVar(name, b.Elem), b, at
}

// step makes declarations and an assignment the step of a tile.
func (t *textParser) step(s *Micro, block []Stmt) {
	for i, d := range block {
		switch d := d.(type) {
		case *Decl:
			s.Decls = append(s.Decls, d)
			continue
		case *Assign:
			if d.Var == s.Acc && i == len(block)-1 {
				s.Step = d.X
				return
			}
		}
		break
	}
	failText("a tile has declarations and an assignment to its accumulator")
}

func nestOf(k NestKind) func(t *textParser, depth int) Stmt {
	return func(t *textParser, depth int) Stmt {
		n := &Nest{Kind: k}
		n.Dims = t.dims()
		for t.accept(";") {
			t.attribute(n)
		}
		t.end()
		if !t.line(depth, "pre") {
			n.Body = t.block(depth)
			return n
		}
		t.end()
		n.Pre = t.block(depth + 1)
		t.expectLine(depth, "red")
		n.Red = t.dims()
		t.end()
		n.Body = t.block(depth + 1)
		for t.line(depth, "join") {
			n.Accs = append(n.Accs, t.acc())
		}
		if t.line(depth, "post") {
			t.end()
			n.Post = t.block(depth + 1)
		}
		return n
	}
}

// dims reads axes up to an attribute or the end of the line.
func (t *textParser) dims() []Dim {
	var list []Dim
	for t.startsName() {
		list = append(list, t.dim())
		before := t.rest
		if !t.accept(";") || !t.startsName() {
			t.rest = before
			break
		}
	}
	return list
}

func (t *textParser) attribute(n *Nest) {
	switch word := t.word(); word {
	case "flags":
		for first := true; first || t.accept(","); first = false {
			n.Flags = append(n.Flags, t.variable())
		}
	case "each":
		n.Each = t.integer()
	case "tally":
		n.Tally = true
	case "lookup":
		n.Lookup = t.integer()
	case "even":
		n.Even = true
	case "split":
		n.Split = t.integer()
	default:
		failText("%q is no attribute of a nest", word)
	}
}

// acc reads NAME: LEFT RIGHT → COMBINE [neutral NEUTRAL] [exact].
func (t *textParser) acc() Acc {
	a := Acc{Var: t.variable()}
	t.expect(":")
	a.Left = t.named(a.Var.Kind)
	a.Right = t.named(a.Var.Kind)
	t.expect("→")
	a.Combine = t.expr()
	if t.accept("neutral") {
		a.Neutral = t.expr()
	}
	a.Exact = t.accept("exact")
	t.end()
	return a
}
