package place

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// places has the indices at which two nests, or one, use arrays, in terms of
// the variables of the first nest's space and of loops inside.
type places struct {
	l      *pass.Context
	values map[*ir.Var]ir.Expr // variables that are set once, with their values
	rename map[*ir.Var]*ir.Var // the second nest's space
	space  []ir.Dim
	loops  map[*ir.Var]ir.Dim // loops inside
	at     map[*ir.Buf][]affine.Poly
	odd    map[*ir.Buf]bool // used in other ways, or at indices that are no sums
}

func (f *Fuser) places(nests ...*ir.Nest) *places {
	p := &places{l: f.L, values: map[*ir.Var]ir.Expr{}, rename: map[*ir.Var]*ir.Var{}, loops: map[*ir.Var]ir.Dim{},
		at: map[*ir.Buf][]affine.Poly{}, odd: map[*ir.Buf]bool{}, space: ir.SpaceOf(nests[0])}
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
	f := p.read(index)
	if !f.Known() {
		p.odd[b] = true
		return
	}
	p.at[b] = append(p.at[b], f)
}

// read returns x as a sum of products of variables of the space and of others that are
// not set in the nests, or that loops have.
func (p *places) read(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		switch x := x.(type) {
		case *ir.Use:
			if init, ok := p.values[x.Var]; ok {
				return r.Read(init)
			}
			return affine.Of(p.named(x.Var))
		case *ir.Convert:
			if x.To == ir.I64 && x.X.Kind().Exact() && x.X.Kind() != ir.C32 {
				return r.Read(x.X)
			}
		}
		return affine.Unknown
	}}
	return r.Read(x)
}

func (p *places) named(v *ir.Var) *ir.Var {
	if w, ok := p.rename[v]; ok {
		return w
	}
	return v
}

// local reports whether f depends on the space and what is outside of the
// nests only, not on loops or variables inside.
func (p *places) local(f affine.Poly) bool {
	return !slices.ContainsFunc(f.Vars(), func(v *ir.Var) bool {
		_, inner := p.loops[v]
		return inner
	})
}

// aligned reports whether all uses of b are at places that belong to one
// iteration: at indices which have every variable of the space, so that no other
// iteration stores there, or within one row, of a size that is known, for each value
// of the single variable.
func (p *places) aligned(b *ir.Buf) bool {
	uses := p.at[b]
	if p.odd[b] || len(uses) == 0 {
		return false
	}
	if p.own(uses) != nil {
		return true
	}
	n, ok := p.rowOf(uses)
	return ok && n > 0
}

// own returns the different indices of uses that tell iterations apart, nil where there
// are others. Those of planes have the same strides, and different places.
func (p *places) own(uses []affine.Poly) []affine.Poly {
	var different []affine.Poly
	var sets []affine.LMAD
	for _, f := range uses {
		if slices.ContainsFunc(different, f.Equal) {
			continue
		}
		set, ok := p.lmad(f)
		if !ok || len(different) == maxPlanes || !p.local(f) || set.Injective(p.l.Assumptions()).Is != affine.Yes {
			return nil
		}
		for k, other := range sets {
			if slices.ContainsFunc(f.Minus(different[k]).Vars(), p.moves) || set.Disjoint(p.l.Assumptions(), other).Is != affine.Yes {
				return nil
			}
		}
		different, sets = append(different, f), append(sets, set)
	}
	return different
}

// moves reports whether v is a variable of the space.
func (p *places) moves(v *ir.Var) bool {
	return slices.ContainsFunc(p.space, func(d ir.Dim) bool { return d.Var == v })
}

// lmad returns all places of an index.
func (p *places) lmad(f affine.Poly) (affine.LMAD, bool) {
	vars, counts := make([]*ir.Var, len(p.space)), make([]affine.Poly, len(p.space))
	for a, d := range p.space {
		lo := p.read(d.Lo)
		vars[a], counts[a] = d.Var, p.read(d.Hi).Minus(lo)
		f = f.Substitute(d.Var, affine.Of(d.Var).Plus(lo))
	}
	return affine.FromIndex(f, vars, counts)
}

// rowOf returns the size of rows, where all uses are at v×n plus something
// between 0 and n-1, for the single variable v of the space.
func (p *places) rowOf(uses []affine.Poly) (int64, bool) {
	if len(p.space) != 1 {
		return 0, false
	}
	known := p.l.Assumptions()
	size := int64(0)
	for i, f := range uses {
		by, rest := f.Split(p.space[0].Var)
		n, ok := by.Constant()
		if !ok || n <= 0 || i > 0 && n != size || !known.NotNegative(rest) || !known.Less(rest, by) {
			return 0, false
		}
		size = n
	}
	return size, true
}
