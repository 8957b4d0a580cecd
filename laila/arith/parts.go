package arith

import (
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Parts computes complex numbers as pairs of doubles. Variables, and arrays of
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
func Parts(l *pass.Context, f *ir.Func) {
	p := newParts(l)
	for _, a := range append(append([]ir.Array{}, f.Params...), f.Results...) {
		p.hold(a)
	}
	p.find(f.Body)
	if !p.complex {
		return
	}
	f.Body = p.block(f.Body)
	partStates(l, p)
}

// InParts does that for statements of a function that is not complete, with
// the variables that they declare.
func InParts(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	p := newParts(l)
	p.find(block)
	declared := map[*ir.Var]bool{}
	ir.Walk(block, func(s ir.Stmt) {
		if d, ok := s.(*ir.Decl); ok {
			declared[d.Var] = true
		}
	})
	ir.Walk(block, func(s ir.Stmt) {
		if a, ok := s.(*ir.Assign); ok && !declared[a.Var] {
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
	l       *pass.Context
	complex bool             // whether there is something to do
	held    map[*ir.Var]bool // variables that stay complex
	changed map[*ir.Var]bool // variables that are assigned to
	vars    map[*ir.Var][2]ir.Expr
	assign  map[*ir.Var][2]*ir.Var
	bufs    map[*ir.Buf][2]*ir.Buf
	with    map[*ir.Buf]*ir.Buf // arrays that share storage, as a forest
	stays   map[*ir.Buf]bool    // roots of those that stay complex
	out     []ir.Stmt
}

func newParts(l *pass.Context) *complexParts {
	return &complexParts{l: l, held: map[*ir.Var]bool{}, changed: map[*ir.Var]bool{}, vars: map[*ir.Var][2]ir.Expr{}, assign: map[*ir.Var][2]*ir.Var{}, bufs: map[*ir.Buf][2]*ir.Buf{}, with: map[*ir.Buf]*ir.Buf{}, stays: map[*ir.Buf]bool{}}
}

// root returns what stands for all arrays that may have b's storage.
func (p *complexParts) root(b *ir.Buf) *ir.Buf {
	for p.with[b] != nil {
		if next := p.with[p.with[b]]; next != nil {
			p.with[b] = next
		}
		b = p.with[b]
	}
	return b
}

func (p *complexParts) join(a, b *ir.Buf) {
	if a, b = p.root(a), p.root(b); a != b {
		p.with[a] = b
		p.stays[b] = p.stays[b] || p.stays[a]
	}
}

// hold keeps an array or a scalar complex.
func (p *complexParts) hold(a ir.Array) {
	if a.Buf != nil {
		p.stays[p.root(a.Buf)] = true
	}
	if a.Scalar != nil {
		p.held[a.Scalar] = true
	}
}

// find collects what stays complex, and what is assigned to.
func (p *complexParts) find(block []ir.Stmt) {
	flow.NoteAssigned(block, p.changed)
	ir.Walk(block, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			ir.WalkExpr(x, func(x ir.Expr) { p.complex = p.complex || x.Kind() == ir.C64 })
		}
		switch s := s.(type) {
		case *ir.Move:
			p.join(s.Dst, s.Src)
		case *ir.Swap:
			p.join(s.A, s.B)
		case *ir.Alias:
			p.join(s.Dst, s.Src)
		case *ir.Filter:
			p.stays[p.root(s.Dst)] = true
		case *ir.Micro:
			for _, b := range []*ir.Buf{s.C, s.A, s.B} {
				p.stays[p.root(b)] = true
			}
			p.holdAll(s.Step, s.Zero)
			for _, d := range s.Decls {
				p.held[d.Var] = true
				p.holdAll(d.Init)
			}
		case *ir.Nest:
			for _, a := range s.Accs {
				p.held[a.Var], p.held[a.Left], p.held[a.Right] = true, true, true
				p.holdAll(a.Combine, a.Neutral)
			}
		case *ir.Call:
			for _, a := range append(append([]ir.Array{}, s.Args...), s.Results...) {
				p.hold(a)
			}
		case *ir.Runtime:
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

func (p *complexParts) holdAll(xs ...ir.Expr) {
	for _, x := range xs {
		ir.WalkExpr(x, func(x ir.Expr) {
			if u, ok := x.(*ir.Use); ok {
				p.held[u.Var] = true
			}
		})
	}
}

// bufParts returns the arrays of the parts of b's elements; it is not ok where b
// stays.
func (p *complexParts) bufParts(b *ir.Buf) ([2]*ir.Buf, bool) {
	if b.Elem != ir.C64 || b.Const || p.stays[p.root(b)] {
		return [2]*ir.Buf{}, false
	}
	two, ok := p.bufs[b]
	if !ok {
		re, im := *b, *b
		re.Elem, im.Elem = ir.F64, ir.F64
		two = [2]*ir.Buf{&re, &im}
		p.bufs[b] = two
		if p.l.Fixed[b] {
			p.l.Fixed[&re], p.l.Fixed[&im] = true, true
		}
	}
	return two, true
}

// declare returns two new variables for the parts of v.
func (p *complexParts) declare(v *ir.Var) [2]*ir.Var {
	two := [2]*ir.Var{p.l.NewVar(v.Name, ir.F64), p.l.NewVar(v.Name, ir.F64)}
	p.assign[v] = two
	p.changed[two[0]], p.changed[two[1]] = true, true
	p.vars[v] = [2]ir.Expr{two[0].Use(), two[1].Use()}
	return two
}

// block rewrites the statements of a block.
func (p *complexParts) block(block []ir.Stmt) []ir.Stmt {
	outer := p.out
	p.out = nil
	for _, s := range block {
		p.stmt(s)
	}
	block, p.out = p.out, outer
	return block
}

// inside rewrites the blocks of a statement.
func (p *complexParts) inside(s ir.Stmt) {
	for _, b := range ir.Blocks(s) {
		*b = p.block(*b)
	}
}

func (p *complexParts) emit(s ...ir.Stmt) { p.out = append(p.out, s...) }

func (p *complexParts) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		if s.Var.Kind == ir.C64 && !p.held[s.Var] {
			p.decl(s)
			return
		}
	case *ir.Assign:
		if s.Var.Kind == ir.C64 && !p.held[s.Var] {
			re, im := p.pair(s.X)
			re, im = p.bound(re), p.bound(im)
			two := p.assign[s.Var]
			p.emit(two[0].Assign(re), two[1].Assign(im))
			return
		}
	case *ir.Store:
		if two, ok := p.bufParts(s.Buf); ok {
			at := p.small(p.expr(s.Index))
			re, im := p.pair(s.X)
			ir.EachLoad(im, func(b *ir.Buf) {
				if b == two[0] { // before it is overwritten
					im = p.atom(im)
				}
			})
			p.emit(two[0].Store(at, re), two[1].Store(at, im))
			return
		}
	case *ir.Filter:
		s.Lo, s.Hi, s.Room = p.expr(s.Lo), p.expr(s.Hi), p.expr(s.Room)
		p.inside(s)
		s.MaskPre, s.Mask = p.before(s.MaskPre, s.Mask)
		s.XPre, s.X = p.before(s.XPre, s.X)
		p.emit(s)
		return
	case *ir.Micro:
		p.emit(s)
		return
	case *ir.DeclBuf:
		if two, ok := p.bufParts(s.Buf); ok {
			for _, b := range two {
				d := *s
				d.Buf = b
				p.emit(&d)
			}
			return
		}
	case *ir.Free, *ir.Move, *ir.Swap, *ir.Alias, *ir.Copy:
		p.moved(s)
		return
	}
	ir.ReplaceExprs(s, p.expr)
	p.inside(s)
	p.emit(s)
}

// before rewrites an expression that is evaluated behind the statements pre.
func (p *complexParts) before(pre []ir.Stmt, x ir.Expr) ([]ir.Stmt, ir.Expr) {
	outer := p.out
	p.out = pre
	x = p.expr(x)
	pre, p.out = p.out, outer
	return pre, x
}

// decl declares the parts of a variable. One that is not assigned to and whose
// parts are constants or such variables is these.
func (p *complexParts) decl(s *ir.Decl) {
	if s.Init == nil {
		two := p.declare(s.Var)
		p.emit(two[0].Decl(nil), two[1].Decl(nil))
		return
	}
	re, im := p.pair(s.Init)
	if !p.changed[s.Var] {
		p.vars[s.Var] = [2]ir.Expr{p.named(s.Var.Name, re), p.named(s.Var.Name, im)}
		return
	}
	re, im = p.bound(re), p.bound(im)
	two := p.declare(s.Var)
	p.emit(two[0].Decl(re), two[1].Decl(im))
}

// moved does for both parts what s does for an array.
func (p *complexParts) moved(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Free:
		if two, ok := p.bufParts(s.Buf); ok {
			p.emit(&ir.Free{Buf: two[0]}, &ir.Free{Buf: two[1]})
			return
		}
	case *ir.Move:
		if dst, ok := p.bufParts(s.Dst); ok {
			src, _ := p.bufParts(s.Src)
			p.emit(&ir.Move{Dst: dst[0], Src: src[0]}, &ir.Move{Dst: dst[1], Src: src[1]})
			return
		}
	case *ir.Swap:
		if a, ok := p.bufParts(s.A); ok {
			b, _ := p.bufParts(s.B)
			p.emit(&ir.Swap{A: a[0], B: b[0]}, &ir.Swap{A: a[1], B: b[1]})
			return
		}
	case *ir.Alias:
		if dst, ok := p.bufParts(s.Dst); ok {
			src, _ := p.bufParts(s.Src)
			p.emit(&ir.Alias{Dst: dst[0], Src: src[0]}, &ir.Alias{Dst: dst[1], Src: src[1]})
			return
		}
	case *ir.Copy:
		p.copied(s)
		return
	}
	p.emit(s)
}

// copied copies both parts; between an array that stays and one that does not,
// element by element.
func (p *complexParts) copied(s *ir.Copy) {
	dst, split := p.bufParts(s.Dst)
	src, split2 := p.bufParts(s.Src)
	switch {
	case split && split2:
		for i := range dst {
			p.emit(&ir.Copy{Dst: dst[i], DstIndex: s.DstIndex, Src: src[i], SrcIndex: s.SrcIndex, Count: s.Count})
		}
	case split || split2:
		i := p.l.NewVar("i", ir.I64)
		body := []ir.Stmt{s.Dst.Store(ir.Add(s.DstIndex, i.Use()), s.Src.Load(ir.Add(s.SrcIndex, i.Use())))}
		p.emit(&ir.For{Var: i, Lo: ir.Integer(0), Hi: s.Count, Body: p.block(body), Independent: true})
	default:
		p.emit(s)
	}
}

// bound returns x in a variable, unless it is a constant.
func (p *complexParts) bound(x ir.Expr) ir.Expr {
	if _, ok := x.(*ir.Float); ok {
		return x
	}
	return p.let("t", x)
}

// named returns x, in a variable where it is more than a constant or a variable
// that stays what it is.
func (p *complexParts) named(name string, x ir.Expr) ir.Expr {
	switch y := x.(type) {
	case *ir.Float:
		return x
	case *ir.Use:
		if !p.changed[y.Var] {
			return x
		}
	}
	return p.let(name, x)
}

// atom returns x if it is a constant or a variable, else in a variable.
func (p *complexParts) atom(x ir.Expr) ir.Expr {
	switch x.(type) {
	case *ir.Float, *ir.Int, *ir.Use:
		return x
	}
	return p.let("t", x)
}

// small returns an index that may be written twice.
func (p *complexParts) small(x ir.Expr) ir.Expr {
	if ir.Size(x, 9) > 8 {
		return p.let("at", x)
	}
	return x
}

func (p *complexParts) let(name string, x ir.Expr) ir.Expr {
	v := p.l.NewVar(name, x.Kind())
	if x.Kind().Exact() {
		p.l.Ranges[v] = facts.RangeOfKind(x.Kind())
	}
	p.emit(v.Decl(x))
	return v.Use()
}

// partStates replaces arrays in what is known of the state of loops.
func partStates(l *pass.Context, p *complexParts) {
	for s, info := range l.Loops {
		var arrays []pass.StateArray
		for _, a := range info.Arrays {
			two, ok := p.bufs[a.Buf]
			if !ok {
				arrays = append(arrays, a)
				continue
			}
			for _, b := range two {
				arrays = append(arrays, pass.StateArray{Buf: b, Dims: a.Dims, Spare: a.Spare})
			}
		}
		info.Arrays = arrays
		l.Loops[s] = info
	}
}
