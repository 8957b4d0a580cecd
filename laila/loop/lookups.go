package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Lookups looks bytes up in small tables a strip at a time: compilers make no vector
// code of a loop that reads bytes at computed places, and none of what the places are
// computed from.
//
//	segmap i = 0 … n: a[i] = t[(i × i) rem 29]
//
// becomes
//
//	segmap b = 0 … (n + 2047) quo 2048
//	  var from = b × 2048; to = (from + 2048) min n; w = to - from
//	  segmap j = 0 … w: x[j] = u8(((from + j) × (from + j)) rem 29)
//	  segmap j = 0 … w; lookup 29: y[j] = t[i64(x[j])]
//	  segmap i = from … to: a[i] = y[i - from]
//
// Sums that are parts of others, which a nest adds up, are made of strips, too.
//
// What a place is computed from is computed again behind the look-up where that uses it,
// too. Tables of other numbers whose elements are bytes become tables of bytes.
//
// Requires: indices that are in range. Preserves: values, faults.
func Lookups(l *pass.Context, f *ir.Func) {
	if f.Recursive {
		return // strips take room in the stack frame
	}
	p := &lookups{l: l, tables: map[*ir.Buf]*ir.Const{}}
	for _, c := range l.Out.Consts {
		p.tables[c.Buf] = c
	}
	f.Body = p.block(f.Body, false)
}

const (
	// lookupStrip is how many elements are looked up at a time, lookupTrips the least
	// number of iterations where it is known, and lookupRow that of one of several axes;
	// lookupTable is the longest table, and maxLookups the most look-ups of a nest.
	lookupStrip = 2048
	lookupTrips = 1024
	lookupRow   = 128
	lookupTable = 256
	maxLookups  = 3
)

type lookups struct {
	l      *pass.Context
	tables map[*ir.Buf]*ir.Const
	bytes  map[*ir.Buf]*ir.Buf // tables of bytes in the place of others
}

// block rewrites the nests of a block that are in no other nest; repeated says that a
// loop is around it.
func (p *lookups) block(block []ir.Stmt, repeated bool) []ir.Stmt {
	out := make([]ir.Stmt, len(block))
	for k, s := range block {
		out[k] = s
		switch s := s.(type) {
		case *ir.Nest:
			if p.suits(s, repeated) {
				out[k] = p.nest(s)
			} else {
				s.Body = p.parts(s.Body)
			}
			continue
		case *ir.For, *ir.Loop:
			for _, inner := range ir.Blocks(s) {
				*inner = p.block(*inner, true)
			}
			continue
		}
		for _, inner := range ir.Blocks(s) {
			*inner = p.block(*inner, repeated)
		}
	}
	return out
}

func (p *lookups) suits(n *ir.Nest, repeated bool) bool {
	if n.Kind != ir.SegMap || len(n.Dims) == 0 || len(n.Red)+len(n.Pre)+len(n.Post) > 0 || !ir.IsStraight(n.Body) {
		return false
	}
	last := n.Dims[len(n.Dims)-1]
	trips, known := ir.Trips(last)
	if most, ok := p.l.Trips[last.Var]; ok && !known {
		trips, known = most, true
	}
	if len(n.Dims) > 1 {
		return trips >= lookupRow
	}
	return known && trips >= lookupTrips || !known && !repeated
}

// parts rewrites the reductions of a block that is in a nest.
func (p *lookups) parts(block []ir.Stmt) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		n, ok := s.(*ir.Nest)
		if !ok || !isPart(n) {
			out = append(out, s)
			continue
		}
		list := p.list(n)
		if list == nil {
			out = append(out, s)
			continue
		}
		part := p.strips(n, n.Red[0], list)
		part.inner.Red = []ir.Dim{part.axis}
		out = append(out, &ir.For{Var: part.number, Lo: ir.Integer(0), Hi: part.count, Body: append(part.before, part.inner), At: n.At})
	}
	return out
}

// isPart reports whether a nest reduces along one axis in any order, and does nothing else.
func isPart(n *ir.Nest) bool {
	return n.Kind == ir.SegRed && len(n.Dims) == 0 && len(n.Red) == 1 && len(n.Pre)+len(n.Post) == 0 && ir.IsStraight(n.Body) &&
		!slices.ContainsFunc(n.Accs, func(a ir.Acc) bool { return !a.Exact })
}

// lookup is an element of a table that a nest reads, and the strip that has it.
type lookup struct {
	load  *ir.Load
	stmt  int // of the body
	table *ir.Buf
	size  int64
	strip *ir.Buf
}

// nest returns n with its look-ups in strips, or n.
func (p *lookups) nest(n *ir.Nest) ir.Stmt {
	list := p.list(n)
	if list == nil {
		return n
	}
	last := len(n.Dims) - 1
	s := p.strips(n, n.Dims[last], list)
	s.inner.Dims = []ir.Dim{s.axis}
	outer := *n
	outer.Dims, outer.Each, outer.Even = append(n.Dims[:last:last], ir.Dim{Var: s.number, Lo: ir.Integer(0), Hi: s.count}), s.size, true
	outer.Body = append(s.before, s.inner)
	return &outer
}

// list returns the look-ups of a nest; nil where there are none, or too many.
func (p *lookups) list(n *ir.Nest) []*lookup {
	values := flow.Definitions(n.Body)
	var list []*lookup
	for k, s := range n.Body {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				list = p.find(n, values, list, k, x)
			}
		}
	}
	if len(list) > maxLookups {
		return nil
	}
	return list
}

// find adds the look-ups in x, in the order in which they are made; those that x may not
// come to stay.
func (p *lookups) find(n *ir.Nest, values map[*ir.Var]ir.Expr, list []*lookup, k int, x ir.Expr) []*lookup {
	operands := ir.Operands(x)
	if s, ok := x.(*ir.Select); ok {
		operands = []ir.Expr{s.Cond}
	}
	for _, y := range operands {
		if y != nil {
			list = p.find(n, values, list, k, y)
		}
	}
	ld, ok := x.(*ir.Load)
	if !ok || slices.ContainsFunc(list, func(u *lookup) bool { return ir.Alike(u.load, ld) }) {
		return list
	}
	table, size := p.table(ld.Buf)
	if table == nil || !p.computed(n, values, ld.Index) || flow.SummaryOf(n).Stores[ld.Buf] {
		return list
	}
	return append(list, &lookup{load: ld, stmt: k, table: table, size: size})
}

// computed reports whether an index is no sum of the nest's variable and others, and is
// computed by declarations of the nest only, and of no array that it stores.
func (p *lookups) computed(n *ir.Nest, values map[*ir.Var]ir.Expr, index ir.Expr) bool {
	plain, ok := true, true
	stores := flow.SummaryOf(n).Stores
	var walk func(x ir.Expr)
	walk = func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			if v, declared := values[x.Var]; declared {
				walk(v)
			} else if ir.DeclaresVar(n.Body, x.Var) {
				ok = false // it is set more than once
			}
		case *ir.Int:
		case *ir.Binary:
			plain = plain && (x.Op == ir.OpAdd || x.Op == ir.OpSub || x.Op == ir.OpMul)
		case *ir.Convert:
		case *ir.Load:
			plain, ok = false, ok && !stores[x.Buf]
		default:
			plain = false
		}
		for _, y := range ir.Operands(x) {
			if y != nil {
				walk(y)
			}
		}
	}
	walk(index)
	return ok && !plain && index.Kind() == ir.I64
}

// table returns the bytes of a small table, and how many there are; nil where it has
// other elements.
func (p *lookups) table(b *ir.Buf) (*ir.Buf, int64) {
	if !b.Const {
		if ir.Width(b.Elem) == 1 && b.Stack > 1 && b.Stack <= lookupTable {
			return b, b.Stack
		}
		return nil, 0
	}
	c := p.tables[b]
	if c == nil || len(c.Ints) < 2 || len(c.Ints) > lookupTable {
		return nil, 0
	}
	if ir.Width(b.Elem) == 1 {
		return b, int64(len(c.Ints))
	}
	if slices.Min(c.Ints) < 0 || slices.Max(c.Ints) > 255 {
		return nil, 0
	}
	t := p.bytes[b]
	if t == nil {
		t = &ir.Buf{Name: b.Name, Elem: ir.U8, Const: true}
		if b.Elem == ir.C32 {
			t.Elem = ir.C8
		}
		p.l.Like(b, t)
		p.l.Out.Consts = append(p.l.Out.Consts, &ir.Const{Buf: t, Ints: c.Ints})
		if p.bytes == nil {
			p.bytes = map[*ir.Buf]*ir.Buf{}
		}
		p.bytes[b] = t
	}
	return t, int64(len(c.Ints))
}

// inStrips is a nest over strips of an axis, which look their elements up before.
type inStrips struct {
	number *ir.Var // of a strip
	count  ir.Expr
	size   int64
	before []ir.Stmt // in a strip
	inner  *ir.Nest
	axis   ir.Dim // of inner
}

// strips returns n over strips of an axis.
func (p *lookups) strips(n *ir.Nest, d ir.Dim, list []*lookup) inStrips {
	l := p.l
	counter := func(name string) *ir.Var {
		v := l.NewVar(name, ir.I64)
		l.Ranges[v] = facts.Between(0, facts.MaxExtent)
		return v
	}
	b, from, to, w := counter("b"), counter("from"), counter("to"), counter("w")
	size := int64(lookupStrip)
	count := ir.Quo(ir.Add(ir.Sub(d.Hi, d.Lo), ir.Integer(size-1)), ir.Integer(size))
	if n, ok := l.Trips[d.Var]; ok && n <= 2*lookupStrip { // in a strip already
		size, count, l.Ranges[b] = n, ir.Integer(1), facts.Between(0, 0)
	}
	l.Ranges[w] = facts.Between(0, size)
	strip := ir.Integer(size)
	body := []ir.Stmt{
		from.Decl(ir.Add(d.Lo, ir.Mul(b.Use(), strip))),
		to.Decl(ir.OpMin.Of(ir.Add(from.Use(), strip), d.Hi)),
		w.Decl(ir.Sub(to.Use(), from.Use())),
	}
	over := func(stmts func(j *ir.Var) []ir.Stmt) *ir.Nest {
		j := l.NewVar("j", ir.I64)
		l.Ranges[j] = facts.Between(0, size-1)
		return &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: j, Lo: ir.Integer(0), Hi: w.Use()}}, Body: stmts(j), At: n.At}
	}
	declare := func(name string, k ir.Kind) *ir.Buf {
		s := &ir.Buf{Name: name, Elem: k, Stack: size}
		body = append(body, &ir.DeclBuf{Buf: s, Count: strip, Shape: []ir.Expr{strip}, At: n.At})
		return s
	}
	for k, u := range list {
		x := declare("x", ir.U8)
		u.strip = declare("y", u.table.Elem)
		l.Like(u.load.Buf, u.strip)
		body = append(body, over(func(j *ir.Var) []ir.Stmt {
			c := p.cloner(list[:k], func() ir.Expr { return j.Use() })
			c.Vars[d.Var] = ir.Add(from.Use(), j.Use())
			stmts := c.List(needed(n.Body[:u.stmt], u.load.Index))
			return append(stmts, x.Store(j.Use(), ir.ConvertTo(ir.U8, c.Expr(u.load.Index))))
		}))
		find := over(func(j *ir.Var) []ir.Stmt {
			return []ir.Stmt{u.strip.Store(j.Use(), u.table.Load(ir.ConvertTo(ir.I64, x.Load(j.Use()))))}
		})
		find.Lookup = u.size
		body = append(body, find)
	}
	i := l.Twin(d.Var)
	c := p.cloner(list, func() ir.Expr { return ir.Sub(i.Use(), from.Use()) })
	c.Vars[d.Var] = i.Use()
	inner := *n
	inner.Body = c.List(n.Body)
	return inStrips{b, count, size, body, &inner, ir.Dim{Var: i, Lo: from.Use(), Hi: to.Use()}}
}

// cloner copies statements with the elements of strips in the place of look-ups.
func (p *lookups) cloner(list []*lookup, at func() ir.Expr) *ir.Cloner {
	c := p.l.NewCloner()
	if len(list) == 0 {
		return c
	}
	found := make([]ir.Expr, len(list)) // the look-ups as they are copied
	c.Load = func(ld *ir.Load) ir.Expr {
		for k, u := range list {
			if ld.Buf != u.load.Buf {
				continue
			}
			if found[k] == nil {
				found[k] = c.Expr(u.load.Index)
			}
			if ir.Alike(ld.Index, found[k]) {
				return ir.ConvertTo(u.load.Buf.Elem, u.strip.Load(at()))
			}
		}
		return ld
	}
	return c
}

// needed returns the declarations, and the assignments to what is declared, that an
// expression needs.
func needed(block []ir.Stmt, x ir.Expr) []ir.Stmt {
	wanted := map[*ir.Var]bool{}
	want := func(x ir.Expr) { ir.EachUse(x, func(v *ir.Var) { wanted[v] = true }) }
	want(x)
	var out []ir.Stmt
	for k := len(block) - 1; k >= 0; k-- {
		switch s := block[k].(type) {
		case *ir.Decl:
			if wanted[s.Var] {
				if s.Init != nil {
					want(s.Init)
				}
				out = append(out, s)
			}
		case *ir.Assign:
			if wanted[s.Var] && ir.DeclaresVar(block, s.Var) {
				want(s.X)
				out = append(out, s)
			}
		}
	}
	slices.Reverse(out)
	return out
}
