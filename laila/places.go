package laila

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// form is an index as a sum of products of at most two variables.
type form struct {
	terms map[product2]int64
	c     int64
}

// product2 is a variable, or a product of two in the order of creation.
type product2 struct{ x, y *ir.Var }

// places has the indices at which two nests, or one, use arrays, in terms of
// the variables of the first nest's space and of loops inside.
type places struct {
	l      *lowerer
	values map[*ir.Var]ir.Expr // variables that are set once, with their values
	rename map[*ir.Var]*ir.Var // the second nest's space
	space  []ir.Dim
	loops  map[*ir.Var]ir.Dim // loops inside
	at     map[*ir.Buf][]form
	odd    map[*ir.Buf]bool // used in other ways, or at indices that are no forms
}

func (f *fuser) places(nests ...*ir.Nest) *places {
	p := &places{l: f.l, values: map[*ir.Var]ir.Expr{}, rename: map[*ir.Var]*ir.Var{}, loops: map[*ir.Var]ir.Dim{},
		at: map[*ir.Buf][]form{}, odd: map[*ir.Buf]bool{}, space: ir.SpaceOf(nests[0])}
	assign := map[*ir.Var]bool{}
	for _, n := range nests {
		for k, d := range ir.SpaceOf(n) {
			if d.Var != p.space[k].Var {
				p.rename[d.Var] = p.space[k].Var
			}
		}
		flow.NoteAssigned(n.Body, assign)
	}
	for _, n := range nests {
		p.note(n.Body, assign)
	}
	for _, n := range nests {
		p.block(n.Body)
	}
	return p
}

// note collects the variables that are set once, and the loops.
func (p *places) note(block []ir.Stmt, assigned map[*ir.Var]bool) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Decl:
			if !assigned[s.Var] && s.Init != nil {
				p.values[s.Var] = s.Init
			}
		case *ir.For:
			p.loops[s.Var] = ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
		case *ir.Nest:
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				p.loops[d.Var] = d
			}
		}
		for _, inner := range ir.Blocks(s) {
			p.note(*inner, assigned)
		}
	}
}

func (p *places) block(block []ir.Stmt) {
	for _, s := range block {
		switch s := s.(type) {
		case *ir.Store:
			p.use(s.Buf, s.Index)
		case *ir.DeclBuf, *ir.Free, *ir.Move, *ir.Swap, *ir.Copy, *ir.Call, *ir.Runtime, *ir.Micro, *ir.Filter:
			ir.EachBuffer(s, func(b *ir.Buf) { p.odd[b] = true })
		}
		for _, x := range ir.Exprs(s) {
			p.expr(x)
		}
		for _, inner := range ir.Blocks(s) {
			p.block(*inner)
		}
	}
}

func (p *places) expr(x ir.Expr) {
	if l, ok := x.(*ir.Load); ok {
		p.use(l.Buf, l.Index)
	}
	for _, y := range ir.Operands(x) {
		p.expr(y)
	}
}

func (p *places) use(b *ir.Buf, index ir.Expr) {
	f := form{terms: map[product2]int64{}}
	if !p.add(&f, index, 1, 0) {
		p.odd[b] = true
		return
	}
	p.at[b] = append(p.at[b], f)
}

// add adds k times x to f; it reports false where x is no form.
func (p *places) add(f *form, x ir.Expr, k int64, depth int) bool {
	if depth > 24 {
		return false
	}
	switch x := x.(type) {
	case *ir.Int:
		f.c += k * x.Val
		return true
	case *ir.Use:
		if init, ok := p.values[x.Var]; ok {
			return p.add(f, init, k, depth+1)
		}
		p.term(f, product2{x: p.named(x.Var)}, k)
		return true
	case *ir.Convert:
		if x.To == ir.I64 && x.X.Kind().Exact() && x.X.Kind() != ir.C32 {
			return p.add(f, x.X, k, depth+1)
		}
	case *ir.Unary:
		if x.Op == ir.OpNeg && x.Kind() == ir.I64 {
			return p.add(f, x.X, -k, depth+1)
		}
	case *ir.Binary:
		if x.Kind() != ir.I64 {
			return false
		}
		switch x.Op {
		case ir.OpAdd:
			return p.add(f, x.X, k, depth+1) && p.add(f, x.Y, k, depth+1)
		case ir.OpSub:
			return p.add(f, x.X, k, depth+1) && p.add(f, x.Y, -k, depth+1)
		case ir.OpMul:
			return p.product(f, x, k, depth+1)
		}
	}
	return false
}

func (p *places) named(v *ir.Var) *ir.Var {
	if w, ok := p.rename[v]; ok {
		return w
	}
	return v
}

func (p *places) term(f *form, t product2, k int64) {
	f.terms[t] += k
	if f.terms[t] == 0 {
		delete(f.terms, t)
	}
}

// product adds k times a product of two forms of the first degree.
func (p *places) product(f *form, x *ir.Binary, k int64, depth int) bool {
	a, b := form{terms: map[product2]int64{}}, form{terms: map[product2]int64{}}
	if !p.add(&a, x.X, 1, depth) || !p.add(&b, x.Y, 1, depth) {
		return false
	}
	a.terms[product2{}] = a.c
	b.terms[product2{}] = b.c
	for s, m := range a.terms {
		for t, n := range b.terms {
			var all []*ir.Var
			for _, v := range []*ir.Var{s.x, s.y, t.x, t.y} {
				if v != nil {
					all = append(all, v)
				}
			}
			switch {
			case m == 0 || n == 0:
			case len(all) == 0:
				f.c += k * m * n
			case len(all) == 1:
				p.term(f, product2{x: all[0]}, k*m*n)
			case len(all) == 2:
				if all[1].ID < all[0].ID {
					all[0], all[1] = all[1], all[0]
				}
				p.term(f, product2{all[0], all[1]}, k*m*n)
			default:
				return false
			}
		}
	}
	return true
}

// equal reports whether two indices are the same.
func (f form) equal(h form) bool {
	if f.c != h.c || len(f.terms) != len(h.terms) {
		return false
	}
	for t, k := range f.terms {
		if h.terms[t] != k {
			return false
		}
	}
	return true
}

// local reports whether f depends on the space and what is outside of the
// nests only, not on loops or variables inside.
func (p *places) local(f form) bool {
	for t := range f.terms {
		for _, v := range []*ir.Var{t.x, t.y} {
			if _, inner := p.loops[v]; inner {
				return false
			}
		}
	}
	return true
}

// aligned reports whether all uses of b are at places that belong to one
// iteration: at one and the same index, which has every variable of the space
// so that no other iteration stores there, or within one row, of a size that
// is known, for each value of the single variable.
func (p *places) aligned(b *ir.Buf) bool {
	uses := p.at[b]
	if p.odd[b] || len(uses) == 0 {
		return false
	}
	if p.single(uses) {
		return true
	}
	n, ok := p.rowOf(uses)
	return ok && n > 0
}

// single reports whether all uses are at one index that tells iterations apart.
func (p *places) single(uses []form) bool {
	if !p.local(uses[0]) || !p.distinct(uses[0]) {
		return false
	}
	for _, f := range uses[1:] {
		if !f.equal(uses[0]) {
			return false
		}
	}
	return true
}

// distinct reports whether f differs in different iterations: it is the
// row-major position in the space, or in some part of an array, of its
// variables.
func (p *places) distinct(f form) bool {
	if len(p.space) == 1 {
		v := p.space[0].Var
		return f.terms[product2{x: v}] != 0 && !f.quadratic(v)
	}
	rest := form{terms: map[product2]int64{}}
	for t, k := range f.terms {
		rest.terms[t] = k
	}
	// From the last axis: its coefficient is 1, the next one's the extent …
	stride := form{terms: map[product2]int64{}, c: 1}
	for a := len(p.space) - 1; a >= 0; a-- {
		d := p.space[a]
		if !ir.IsInt(d.Lo, 0) {
			return false
		}
		if !rest.take(d.Var, stride, p.l) {
			return false
		}
		if a == 0 {
			break
		}
		next := form{terms: map[product2]int64{}}
		switch hi := d.Hi.(type) {
		case *ir.Int:
			next.c = stride.c * hi.Val
			for t, k := range stride.terms {
				next.terms[t] = k * hi.Val
			}
		case *ir.Use:
			if len(stride.terms) > 0 {
				return false
			}
			next.terms[product2{x: hi.Var}] = stride.c
		default:
			return false
		}
		stride = next
	}
	for t := range rest.terms {
		for _, d := range p.space {
			if t.x == d.Var || t.y == d.Var {
				return false
			}
		}
	}
	return true
}

// take removes v times stride from f; it reports false where f has another
// multiple of v.
func (f form) take(v *ir.Var, stride form, l *lowerer) bool {
	if f.terms[product2{x: v}] != stride.c {
		return false
	}
	delete(f.terms, product2{x: v})
	for t, k := range stride.terms {
		pair := product2{v, t.x}
		if t.x.ID < v.ID {
			pair = product2{t.x, v}
		}
		if t.y != nil || f.terms[pair] != k {
			return false
		}
		delete(f.terms, pair)
	}
	return true
}

func (f form) quadratic(v *ir.Var) bool {
	for t := range f.terms {
		if t.y != nil && (t.x == v || t.y == v) {
			return true
		}
	}
	return false
}

// rowOf returns the size of rows, where all uses are at v×n plus something
// between 0 and n-1, for the single variable v of the space.
func (p *places) rowOf(uses []form) (int64, bool) {
	if len(p.space) != 1 {
		return 0, false
	}
	v := p.space[0].Var
	n := uses[0].terms[product2{x: v}]
	for _, f := range uses {
		if f.quadratic(v) || f.terms[product2{x: v}] != n || n <= 0 {
			return 0, false
		}
		r := p.rangeOfRest(f, v)
		if r.lo < 0 || r.hi >= n {
			return 0, false
		}
	}
	return n, true
}

// rangeOfRest bounds f without its term in v.
func (p *places) rangeOfRest(f form, v *ir.Var) interval {
	lin := affine.Sum{Coef: map[*ir.Var]int64{}, Const: f.c}
	for t, k := range f.terms {
		switch {
		case t.y != nil:
			return anyInt
		case t.x == v:
		default:
			lin.Coef[t.x] = k
		}
	}
	return p.l.rangeOfLinear(lin)
}
