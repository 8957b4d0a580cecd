package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Distribute computes what loops that carry numbers from step to step need in each step,
// but do not compute from these, in loops of their own, a strip at a time: those become
// vector code, and only the recurrence runs in order.
//
//	for i = 0 … n
//	  var e = (i × i) rem 29
//	  acc = acc + e
//	  a[i] = acc
//
// becomes
//
//	for b = 0 … (n + 1023) quo 1024
//	  var from = b × 1024; to = (from + 1024) min n
//	  segmap j = 0 … to - from: x[j] = ((from + j) × (from + j)) rem 29
//	  for i = from … to
//	    acc = acc + x[i - from]
//	    a[i] = acc
//
// What costs little stays where it is, and so do scans that threads share.
//
// Preserves: values, faults. Leaves: declarations without uses.
func Distribute(l *pass.Context, f *ir.Func) {
	if f.Recursive {
		return // strips take room in the stack frame
	}
	d := &distributor{l}
	f.Body = d.block(f.Body, false)
}

const (
	// distributeStrip is how many elements are computed at a time, distributeLeast the least
	// number of iterations, distributeWeight what a value costs at least, and
	// distributeMost how many values are computed before at most.
	distributeStrip  = 1024
	distributeLeast  = 64
	distributeWeight = 4
	distributeMost   = 4
)

type distributor struct{ l *pass.Context }

func (d *distributor) block(block []ir.Stmt, repeated bool) []ir.Stmt {
	var out []ir.Stmt
	for _, s := range block {
		again := repeated
		switch s := s.(type) {
		case *ir.Nest:
			out = append(out, s)
			continue
		case *ir.For:
			if list := d.values(s, repeated); len(list) > 0 {
				out = append(out, d.distribute(s, list, repeated)...)
				continue
			}
			if before, after := d.narrow(s); before != nil {
				out = append(out, before, s, after)
				continue
			}
			again = true
		case *ir.Loop:
			again = true
		}
		for _, inner := range ir.Blocks(s) {
			*inner = d.block(*inner, again)
		}
		out = append(out, s)
	}
	return out
}

// values returns the expressions of a loop that are computed before it: of what the steps
// carry they use nothing, but something that does uses them.
func (d *distributor) values(f *ir.For, repeated bool) []ir.Expr {
	if trips, known := ir.Trips(ir.Dim{Lo: f.Lo, Hi: f.Hi}); known && trips < distributeLeast || f.Independent || f.Terms {
		return nil
	}
	if d.l.Threads && !repeated {
		if _, ok := flow.ScanOf(f, d.l.Relaxed); ok {
			return nil
		}
	}
	c := newCarrier(f)
	if c == nil {
		return nil
	}
	for _, s := range f.Body {
		for _, x := range ir.Exprs(s) {
			if x != nil {
				c.find(x, c.isLate(x) || c.setsLate(s))
			}
		}
	}
	if len(c.list) > distributeMost {
		return nil
	}
	return c.list
}

// carrier is a loop of straight code that carries numbers from step to step.
type carrier struct {
	body   []ir.Stmt
	late   map[*ir.Var]bool // computed from what is carried, or set more than once
	stored map[*ir.Buf]bool
	list   []ir.Expr
}

// newCarrier returns what a loop carries; it is nil where that is nothing, or where the
// loop only reduces.
func newCarrier(f *ir.For) *carrier {
	c := &carrier{body: f.Body, late: map[*ir.Var]bool{}, stored: flow.SummaryOf(f).Stores}
	if _, ok := flow.ScanOf(f, false); ok && len(c.stored) == 0 {
		return nil
	}
	declared, set := map[*ir.Var]bool{}, map[*ir.Var]bool{}
	for _, s := range f.Body {
		var v *ir.Var
		switch s := s.(type) {
		case *ir.Decl:
			declared[s.Var] = true
			if s.Init != nil {
				v = s.Var
			}
		case *ir.Assign:
			v = s.Var
		case *ir.Checked:
			v = s.Var
			c.late[v] = true
		case *ir.Store, *ir.Comment:
		default:
			return nil
		}
		if v != nil && (set[v] || !declared[v]) {
			c.late[v] = true
		}
		set[v] = true
	}
	if len(c.late) == 0 {
		return nil
	}
	for changed := true; changed; { // what is assigned may be used before
		changed = false
		for _, s := range f.Body {
			if v := definedBy(s); v != nil && !c.late[v] && c.isLate(ir.Exprs(s)[0]) {
				c.late[v], changed = true, true
			}
		}
	}
	return c
}

// definedBy returns the variable to which a statement gives the value of an expression.
func definedBy(s ir.Stmt) *ir.Var {
	switch s := s.(type) {
	case *ir.Decl:
		if s.Init != nil {
			return s.Var
		}
	case *ir.Assign:
		return s.Var
	}
	return nil
}

func (c *carrier) setsLate(s ir.Stmt) bool {
	if k, ok := s.(*ir.Checked); ok {
		return c.late[k.Var]
	}
	return c.late[definedBy(s)]
}

// isLate reports whether x uses what is carried, or elements that the loop stores.
func (c *carrier) isLate(x ir.Expr) bool {
	return ir.MentionsAny(x, c.late) || c.loadsStored(x)
}

func (c *carrier) loadsStored(x ir.Expr) bool {
	ld, ok := x.(*ir.Load)
	return ok && c.stored[ld.Buf] || slices.ContainsFunc(ir.Operands(x), func(y ir.Expr) bool { return y != nil && c.loadsStored(y) })
}

// find adds the parts of x that are worth computing before; used says that x is part of
// what needs what is carried. Only one of the alternatives of a choice may be safe to compute.
func (c *carrier) find(x ir.Expr, used bool) {
	if !used || len(c.list) > distributeMost { // which are too many
		return
	}
	if !c.isLate(x) {
		if ir.IsPlainSum(x, 0) && x.Kind() == ir.I64 && !ir.MentionsDeclared(x, c.body) || slices.ContainsFunc(c.list, func(y ir.Expr) bool { return ir.Alike(x, y) }) {
			return
		}
		v := &ir.Var{Kind: x.Kind()}
		if cost.BodyWeight(append(needed(c.body, x), v.Assign(x))) >= distributeWeight {
			c.list = append(c.list, x)
		}
		return
	}
	operands := ir.Operands(x)
	if s, ok := x.(*ir.Select); ok {
		operands = []ir.Expr{s.Cond}
	}
	for _, y := range operands {
		if y != nil {
			c.find(y, true)
		}
	}
}

// distribute returns a loop over strips of f in which the values of a list are computed
// before the steps that use them. Where f may have few steps it stands beside that.
func (d *distributor) distribute(f *ir.For, list []ir.Expr, repeated bool) []ir.Stmt {
	l := d.l
	trips, known := ir.Trips(ir.Dim{Lo: f.Lo, Hi: f.Hi})
	if most, ok := l.Trips[f.Var]; ok && !known {
		trips, known = most, true
	}
	counter := func(name string, r facts.Interval) *ir.Var {
		v := l.NewVar(name, ir.I64)
		l.Ranges[v] = r
		return v
	}
	lo, hi := l.NewVar("lo", ir.I64), l.NewVar("hi", ir.I64)
	out := []ir.Stmt{lo.Decl(f.Lo), hi.Decl(f.Hi)}
	l.Ranges[lo], l.Ranges[hi] = l.RangeOf(f.Lo), l.RangeOf(f.Hi)
	var plain *ir.For
	if !known && repeated {
		plain = l.NewCloner().Stmt(f).(*ir.For)
		plain.Lo, plain.Hi = lo.Use(), hi.Use()
	}
	size := int64(distributeStrip)
	strips := ir.Quo(ir.OpMax.Of(ir.Add(ir.Sub(hi.Use(), lo.Use()), ir.Integer(size-1)), ir.Integer(0)), ir.Integer(size))
	b := counter("b", facts.Between(0, facts.MaxExtent))
	var at ir.Expr = ir.Mul(b.Use(), ir.Integer(size))
	once := known && trips <= 4*distributeStrip
	if once {
		size, at = trips, ir.Integer(0)
	}
	from, to, w := counter("from", l.RangeOf(f.Lo)), counter("to", l.RangeOf(f.Hi)), counter("w", facts.Between(0, size))
	l.Ranges[from] = l.Ranges[from].Union(l.Ranges[to])
	body := []ir.Stmt{
		from.Decl(ir.Add(lo.Use(), at)),
		to.Decl(ir.OpMin.Of(ir.Add(from.Use(), ir.Integer(size)), hi.Use())),
		w.Decl(ir.OpMax.Of(ir.Sub(to.Use(), from.Use()), ir.Integer(0))),
	}
	values := make([]*ir.Buf, len(list))
	for k, x := range list {
		s := &ir.Buf{Name: "x", Elem: x.Kind(), Stack: size}
		if r := l.RangeOf(x); x.Kind() == ir.I64 {
			s.Elem = facts.Narrowest(r)
			l.Bufs[s] = r
		} else if p := l.SpanPointer(x); p != nil {
			l.BufSpans[s] = *p
		}
		values[k] = s
		j := counter("j", facts.Between(0, size-1))
		c := l.NewCloner()
		c.Vars[f.Var] = ir.Add(from.Use(), j.Use())
		stmts := c.List(needed(f.Body, x))
		body = append(body, &ir.DeclBuf{Buf: s, Count: ir.Integer(size), Shape: []ir.Expr{ir.Integer(size)}},
			&ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: j, Lo: ir.Integer(0), Hi: w.Use()}},
				Body: append(stmts, s.Store(j.Use(), ir.ConvertTo(s.Elem, c.Expr(x))))})
	}
	var replace func(x ir.Expr) ir.Expr
	replace = func(x ir.Expr) ir.Expr {
		for k, y := range list {
			if ir.Alike(x, y) {
				return ir.ConvertTo(y.Kind(), values[k].Load(ir.Sub(f.Var.Use(), from.Use())))
			}
		}
		return ir.MapOperands(x, replace)
	}
	for _, s := range f.Body {
		ir.ReplaceExprs(s, replace)
	}
	f.Lo, f.Hi = from.Use(), to.Use()
	l.Trips[f.Var] = size
	if before, after := d.narrow(f); before != nil {
		body = append(body, before, f, after)
	} else {
		body = append(body, f)
	}
	if once {
		return append(out, body...)
	}
	var loop ir.Stmt = &ir.For{Var: b, Lo: ir.Integer(0), Hi: strips, Body: body}
	if plain != nil {
		enough := ir.OpGe.Of(ir.Sub(hi.Use(), lo.Use()), ir.Integer(distributeLeast))
		loop = &ir.If{Cond: enough, Then: []ir.Stmt{loop}, Else: []ir.Stmt{plain}}
	}
	return append(out, loop)
}

// narrow lets a loop carry a sum, minimum or maximum in as few bits as it needs: it returns
// the statements before and behind the loop, or nil. More elements are in a vector then.
//
//	for i = 0 … n: acc = acc + i64(x[i]); a[i] = i16(acc)
//
// becomes
//
//	var acc_2: i16 = i16(acc)
//	for i = 0 … n: acc_2 = acc_2 + i16(x[i]); a[i] = acc_2
//	acc = i64(acc_2)
func (d *distributor) narrow(f *ir.For) (before, after ir.Stmt) {
	var set *ir.Assign
	for _, s := range f.Body {
		if a, ok := s.(*ir.Assign); ok && !ir.DeclaresVar(f.Body, a.Var) {
			if set != nil {
				return nil, nil
			}
			set = a
		}
	}
	if set == nil || set.Var.Kind != ir.I64 || !ir.IsStraight(f.Body) {
		return nil, nil
	}
	acc, l := set.Var, d.l
	kind, x := facts.Narrowest(l.RangeOf(acc.Use())), set.X
	if c, ok := x.(*ir.Convert); ok && c.X.Kind().Exact() {
		kind, x = c.X.Kind(), c.X
	}
	b, ok := x.(*ir.Binary)
	if !ok || kind == ir.I64 || kind == ir.U8 || b.Op != ir.OpAdd && b.Op != ir.OpMin && b.Op != ir.OpMax {
		return nil, nil
	}
	carried := func(x ir.Expr) bool {
		c, ok := x.(*ir.Convert)
		return ir.IsUse(x, acc) && kind != ir.I64 && b.Kind() == ir.I64 || ok && c.To == kind && b.Kind() == kind && ir.IsUse(c.X, acc)
	}
	elem := b.Y
	if !carried(b.X) {
		elem = b.X
		if !carried(b.Y) {
			return nil, nil
		}
	}
	if ir.Mentions(elem, acc) || !facts.Fits(kind, l.RangeOf(elem)) {
		return nil, nil
	}
	n := l.NewVar(acc.Name, kind)
	if r, ok := l.Ranges[acc]; ok && facts.Fits(kind, r) {
		l.Ranges[n] = r
	}
	var replace func(x ir.Expr) ir.Expr
	replace = func(x ir.Expr) ir.Expr {
		if c, ok := x.(*ir.Convert); ok && c.To == kind && ir.IsUse(c.X, acc) {
			return n.Use()
		}
		if ir.IsUse(x, acc) {
			return ir.ConvertTo(ir.I64, n.Use())
		}
		return ir.MapOperands(x, replace)
	}
	for k, s := range f.Body {
		if s == set {
			f.Body[k] = n.Assign(b.Op.Of(n.Use(), ir.ConvertTo(kind, elem)))
		} else {
			ir.ReplaceExprs(s, replace)
		}
	}
	some := ir.OpLt.Of(f.Lo, f.Hi)
	return n.Decl(ir.ConvertTo(kind, acc.Use())), acc.Assign(ir.Choose(some, ir.ConvertTo(ir.I64, n.Use()), acc.Use()))
}
