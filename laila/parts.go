package laila

// parts computes complex numbers as pairs of doubles. Variables, and arrays of
// which nothing but loops knows, become two, one of the real and one of the
// imaginary parts, and the arithmetic that both take is written out:
//
//	var z: c64 = tl_addz(tl_mulz(x, x), c)
//	m[i] = tl_absz(z) <= 2
//
// becomes
//
//	var z: f64 = ((x * x) - (x_2 * x_2)) + c
//	var z_2: f64 = ((x * x_2) + (x_2 * x)) + c_2
//	m[i] = (z * z) + (z_2 * z_2) <= 4
//
// which is vector code, and what the passes behind this one understand. A
// magnitude is a square root of a sum, rounded correctly, so that its
// comparison with a constant is one of the sum with the last number whose root
// passes (num.AbsZ says why there is no overflow to think of). Arrays that
// functions are given, and accumulators, stay complex.
//
// Requires: nothing. Preserves: the values, bit by bit, and faults.
func (l *lowerer) parts(f *Func) {
	p := newParts(l)
	for _, a := range append(append([]Array{}, f.Params...), f.Results...) {
		p.hold(a)
	}
	p.find(f.Body)
	if !p.complex {
		return
	}
	f.Body = p.block(f.Body)
	l.partStates(p)
}

// inParts does that for statements of a function that is not complete, with
// the variables that they declare.
func (l *lowerer) inParts(block []Stmt) []Stmt {
	p := newParts(l)
	p.find(block)
	declared := map[*Var]bool{}
	Walk(block, func(s Stmt) {
		if d, ok := s.(*Decl); ok {
			declared[d.Var] = true
		}
	})
	Walk(block, func(s Stmt) {
		if a, ok := s.(*Assign); ok && !declared[a.Var] {
			p.held[a.Var] = true
		}
	})
	if !p.complex {
		return block
	}
	return p.block(block)
}

// complexParts rewrites statements.
type complexParts struct {
	l       *lowerer
	complex bool          // whether there is something to do
	held    map[*Var]bool // variables that stay complex
	changed map[*Var]bool // variables that are assigned to
	vars    map[*Var][2]Expr
	assign  map[*Var][2]*Var
	bufs    map[*Buf][2]*Buf
	with    map[*Buf]*Buf // arrays that share storage, as a forest
	stays   map[*Buf]bool // roots of those that stay complex
	out     []Stmt
}

func newParts(l *lowerer) *complexParts {
	return &complexParts{l: l, held: map[*Var]bool{}, changed: map[*Var]bool{}, vars: map[*Var][2]Expr{}, assign: map[*Var][2]*Var{}, bufs: map[*Buf][2]*Buf{}, with: map[*Buf]*Buf{}, stays: map[*Buf]bool{}}
}

// root returns what stands for all arrays that may have b's storage.
func (p *complexParts) root(b *Buf) *Buf {
	for p.with[b] != nil {
		if next := p.with[p.with[b]]; next != nil {
			p.with[b] = next
		}
		b = p.with[b]
	}
	return b
}

func (p *complexParts) join(a, b *Buf) {
	if a, b = p.root(a), p.root(b); a != b {
		p.with[a] = b
		p.stays[b] = p.stays[b] || p.stays[a]
	}
}

// hold keeps an array or a scalar complex.
func (p *complexParts) hold(a Array) {
	if a.Buf != nil {
		p.stays[p.root(a.Buf)] = true
	}
	if a.Scalar != nil {
		p.held[a.Scalar] = true
	}
}

// find collects what stays complex, and what is assigned to.
func (p *complexParts) find(block []Stmt) {
	assigned(block, p.changed)
	Walk(block, func(s Stmt) {
		for _, x := range Exprs(s) {
			WalkExpr(x, func(x Expr) { p.complex = p.complex || x.Kind() == C64 })
		}
		switch s := s.(type) {
		case *Move:
			p.join(s.Dst, s.Src)
		case *Swap:
			p.join(s.A, s.B)
		case *Alias:
			p.join(s.Dst, s.Src)
		case *Filter:
			p.stays[p.root(s.Dst)] = true
		case *Micro:
			for _, b := range []*Buf{s.C, s.A, s.B} {
				p.stays[p.root(b)] = true
			}
			p.holdAll(s.Step, s.Zero)
			for _, d := range s.Decls {
				p.held[d.Var] = true
				p.holdAll(d.Init)
			}
		case *Nest:
			for _, a := range s.Accs {
				p.held[a.Var], p.held[a.Left], p.held[a.Right] = true, true, true
				p.holdAll(a.Combine, a.Neutral)
			}
		case *Call:
			for _, a := range append(append([]Array{}, s.Args...), s.Results...) {
				p.hold(a)
			}
		case *Runtime:
			for _, a := range s.Results {
				p.hold(a)
			}
			for _, a := range s.Args {
				if a.Array != nil {
					p.hold(*a.Array)
				}
			}
		}
	})
}

func (p *complexParts) holdAll(xs ...Expr) {
	for _, x := range xs {
		WalkExpr(x, func(x Expr) {
			if u, ok := x.(*Use); ok {
				p.held[u.Var] = true
			}
		})
	}
}

// bufParts returns the arrays of the parts of b's elements; it is not ok where b
// stays.
func (p *complexParts) bufParts(b *Buf) ([2]*Buf, bool) {
	if b.Elem != C64 || b.Const || p.stays[p.root(b)] {
		return [2]*Buf{}, false
	}
	two, ok := p.bufs[b]
	if !ok {
		re, im := *b, *b
		re.Elem, im.Elem = F64, F64
		two = [2]*Buf{&re, &im}
		p.bufs[b] = two
		if p.l.fixed[b] {
			p.l.fixed[&re], p.l.fixed[&im] = true, true
		}
	}
	return two, true
}

// declare returns two new variables for the parts of v.
func (p *complexParts) declare(v *Var) [2]*Var {
	two := [2]*Var{p.l.newVar(v.Name, F64), p.l.newVar(v.Name, F64)}
	p.assign[v] = two
	p.changed[two[0]], p.changed[two[1]] = true, true
	p.vars[v] = [2]Expr{&Use{two[0]}, &Use{two[1]}}
	return two
}

// block rewrites the statements of a block.
func (p *complexParts) block(block []Stmt) []Stmt {
	outer := p.out
	p.out = nil
	for _, s := range block {
		p.stmt(s)
	}
	block, p.out = p.out, outer
	return block
}

// inside rewrites the blocks of a statement.
func (p *complexParts) inside(s Stmt) {
	for _, b := range Blocks(s) {
		*b = p.block(*b)
	}
}

func (p *complexParts) emit(s ...Stmt) { p.out = append(p.out, s...) }

func (p *complexParts) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		if s.Var.Kind == C64 && !p.held[s.Var] {
			p.decl(s)
			return
		}
	case *Assign:
		if s.Var.Kind == C64 && !p.held[s.Var] {
			re, im := p.pair(s.X)
			re, im = p.bound(re), p.bound(im)
			two := p.assign[s.Var]
			p.emit(&Assign{two[0], re}, &Assign{two[1], im})
			return
		}
	case *Store:
		if two, ok := p.bufParts(s.Buf); ok {
			at := p.small(p.expr(s.Index))
			re, im := p.pair(s.X)
			loadsOf(im, func(b *Buf) {
				if b == two[0] { // before it is overwritten
					im = p.atom(im)
				}
			})
			p.emit(&Store{two[0], at, re}, &Store{two[1], at, im})
			return
		}
	case *Filter:
		s.Lo, s.Hi = p.expr(s.Lo), p.expr(s.Hi)
		p.inside(s)
		s.MaskPre, s.Mask = p.before(s.MaskPre, s.Mask)
		s.XPre, s.X = p.before(s.XPre, s.X)
		p.emit(s)
		return
	case *Micro:
		p.emit(s)
		return
	case *DeclBuf:
		if two, ok := p.bufParts(s.Buf); ok {
			for _, b := range two {
				d := *s
				d.Buf = b
				p.emit(&d)
			}
			return
		}
	case *Free, *Move, *Swap, *Alias, *Copy:
		p.moved(s)
		return
	}
	replaceExprs(s, p.expr)
	p.inside(s)
	p.emit(s)
}

// before rewrites an expression that is evaluated behind the statements pre.
func (p *complexParts) before(pre []Stmt, x Expr) ([]Stmt, Expr) {
	outer := p.out
	p.out = pre
	x = p.expr(x)
	pre, p.out = p.out, outer
	return pre, x
}

// decl declares the parts of a variable. One that is not assigned to and whose
// parts are constants or such variables is these.
func (p *complexParts) decl(s *Decl) {
	if s.Init == nil {
		two := p.declare(s.Var)
		p.emit(&Decl{two[0], nil}, &Decl{two[1], nil})
		return
	}
	re, im := p.pair(s.Init)
	if !p.changed[s.Var] {
		p.vars[s.Var] = [2]Expr{p.named(s.Var.Name, re), p.named(s.Var.Name, im)}
		return
	}
	re, im = p.bound(re), p.bound(im)
	two := p.declare(s.Var)
	p.emit(&Decl{two[0], re}, &Decl{two[1], im})
}

// moved does for both parts what s does for an array.
func (p *complexParts) moved(s Stmt) {
	switch s := s.(type) {
	case *Free:
		if two, ok := p.bufParts(s.Buf); ok {
			p.emit(&Free{two[0]}, &Free{two[1]})
			return
		}
	case *Move:
		if dst, ok := p.bufParts(s.Dst); ok {
			src, _ := p.bufParts(s.Src)
			p.emit(&Move{dst[0], src[0]}, &Move{dst[1], src[1]})
			return
		}
	case *Swap:
		if a, ok := p.bufParts(s.A); ok {
			b, _ := p.bufParts(s.B)
			p.emit(&Swap{a[0], b[0]}, &Swap{a[1], b[1]})
			return
		}
	case *Alias:
		if dst, ok := p.bufParts(s.Dst); ok {
			src, _ := p.bufParts(s.Src)
			p.emit(&Alias{dst[0], src[0]}, &Alias{dst[1], src[1]})
			return
		}
	case *Copy:
		p.copied(s)
		return
	}
	p.emit(s)
}

// copied copies both parts; between an array that stays and one that does not,
// element by element.
func (p *complexParts) copied(s *Copy) {
	dst, split := p.bufParts(s.Dst)
	src, split2 := p.bufParts(s.Src)
	switch {
	case split && split2:
		for i := range dst {
			p.emit(&Copy{dst[i], s.DstIndex, src[i], s.SrcIndex, s.Count})
		}
	case split || split2:
		i := p.l.newVar("i", I64)
		body := []Stmt{&Store{s.Dst, add(s.DstIndex, &Use{i}), &Load{s.Src, add(s.SrcIndex, &Use{i})}}}
		p.emit(&For{Var: i, Lo: integer(0), Hi: s.Count, Body: p.block(body), Independent: true})
	default:
		p.emit(s)
	}
}

// bound returns x in a variable, unless it is a constant.
func (p *complexParts) bound(x Expr) Expr {
	if _, ok := x.(*Float); ok {
		return x
	}
	return p.let("t", x)
}

// named returns x, in a variable where it is more than a constant or a variable
// that stays what it is.
func (p *complexParts) named(name string, x Expr) Expr {
	switch y := x.(type) {
	case *Float:
		return x
	case *Use:
		if !p.changed[y.Var] {
			return x
		}
	}
	return p.let(name, x)
}

// atom returns x if it is a constant or a variable, else in a variable.
func (p *complexParts) atom(x Expr) Expr {
	switch x.(type) {
	case *Float, *Int, *Use:
		return x
	}
	return p.let("t", x)
}

// small returns an index that may be written twice.
func (p *complexParts) small(x Expr) Expr {
	if size(x, 9) > 8 {
		return p.let("at", x)
	}
	return x
}

func (p *complexParts) let(name string, x Expr) Expr {
	v := p.l.newVar(name, x.Kind())
	if x.Kind().exact() {
		p.l.ranges[v] = rangeOfKind(x.Kind())
	}
	p.emit(&Decl{v, x})
	return &Use{v}
}

// partStates replaces arrays in what is known of the state of loops.
func (l *lowerer) partStates(p *complexParts) {
	for s, info := range l.loops {
		var arrays []stateArray
		for _, a := range info.arrays {
			two, ok := p.bufs[a.buf]
			if !ok {
				arrays = append(arrays, a)
				continue
			}
			for _, b := range two {
				arrays = append(arrays, stateArray{b, a.dims, a.spare})
			}
		}
		info.arrays = arrays
		l.loops[s] = info
	}
}
