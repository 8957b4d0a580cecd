package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// orderedTerms is grouped for a reduction whose order matters: its terms are stored
// by a map, which runs in groups, and reduced by a loop that does nothing else.
//
//	segred i = 0 … n: …; acc ← acc f x
//
// becomes, for each super-block from … to-1
//
//	segmap i = from … to: …; terms[i - from] ← x
//	part ← the neutral element
//	segred j = 0 … to - from: part ← part f terms[j]
//	acc ← acc f part
//
// Few terms are added up from the first to the last, which is their order, and not stored.
// It is nil where the accumulators are used otherwise, or the map stays as it is, and where the
// branches are of a few iterations at the ends of subsets.
func orderedTerms(l *pass.Context, n *ir.Nest) []ir.Stmt {
	if ir.IsLoopless(n.Body) && !branches(n.Body) {
		return nil
	}
	if subsets := Subsets(l.Base, n); len(subsets) > 0 && !slices.ContainsFunc(subsets, func(s Subset) bool { return branches(s.Body) }) {
		return nil
	}
	d := n.Red[0]
	size := ir.OpMin.Of(ir.Sub(d.Hi, d.Lo), ir.Integer(num.SuperBlock))
	if hi, ok := ir.IntOf(ir.Sub(d.Hi, d.Lo)); ok {
		size = ir.OpMin.Of(ir.Integer(hi), ir.Integer(num.SuperBlock))
	}
	from, j := l.NewVar("from", ir.I64), l.NewVar("j", ir.I64)
	l.Ranges[from], l.Ranges[j] = facts.Between(0, facts.MaxExtent), facts.Between(0, num.SuperBlock-1)
	body := slices.Clone(n.Body)
	sum := &ir.Nest{Kind: ir.SegRed, At: n.At}
	var before, join, after []ir.Stmt
	for _, a := range n.Accs {
		k, x := termOf(body, &a)
		if k < 0 {
			return nil
		}
		terms := &ir.Buf{Name: "terms", Elem: a.Var.Kind}
		part := l.NewVar("part", a.Var.Kind)
		before = append(before, &ir.DeclBuf{Buf: terms, Count: size, Shape: []ir.Expr{size}, At: n.At})
		after = append(after, &ir.Free{Buf: terms})
		body[k] = terms.Store(ir.Sub(d.Var.Use(), from.Use()), x)
		own := a
		own.Var = l.NewVar("acc", a.Var.Kind)
		sum.Accs = append(sum.Accs, own)
		sum.Pre = append(sum.Pre, own.Var.Decl(part.Use()))
		sum.Body = append(sum.Body, own.Var.Assign(a.Combined(own.Var.Use(), terms.Load(j.Use()))))
		sum.Post = append(sum.Post, part.Assign(own.Var.Use()))
		before = append(before, part.Decl(a.Neutral))
		join = append(join, a.Var.Assign(a.Combined(a.Var.Use(), part.Use())), part.Assign(a.Neutral))
	}
	made := false
	loop := cutLoop(l.Base, d.Lo, d.Hi, num.SuperBlock, func(lo, hi ir.Expr) []ir.Stmt {
		first := from.Decl(lo)
		m := &ir.Nest{Kind: ir.SegMap, Dims: []ir.Dim{{Var: d.Var, Lo: lo, Hi: hi}}, Body: body, Flags: n.Flags, At: n.At, Each: n.Each, Even: n.Even}
		grouped := grouped(l, m)
		made = grouped != nil
		sum.Red = []ir.Dim{{Var: j, Lo: ir.Integer(0), Hi: ir.Sub(hi, lo)}}
		return append(append([]ir.Stmt{first}, grouped...), append([]ir.Stmt{sum}, join...)...)
	})
	if !made {
		return nil
	}
	stored := append(append(before, loop), after...)
	if _, known := ir.IntOf(ir.Sub(d.Hi, d.Lo)); !known && l.CPU() && len(n.Body) <= maxFewBody && ir.CanCopy(n.Body) {
		plain := l.NewCloner().Stmt(&ir.For{Var: d.Var, Lo: d.Lo, Hi: d.Hi, Body: n.Body})
		few := ir.OpLe.Of(ir.Sub(d.Hi, d.Lo), ir.Integer(num.Lanes))
		stored = []ir.Stmt{&ir.If{Cond: few, Then: []ir.Stmt{plain}, Else: stored}}
	}
	return append(append(slices.Clone(n.Pre), stored...), n.Post...)
}

// maxFewBody is the number of statements of a loop that is written twice, once for few
// terms.
const maxFewBody = 24

// termOf returns the statement of a body, and x, for the only use of an accumulator,
// a ← a f x; -1 where there is another one.
func termOf(body []ir.Stmt, a *ir.Acc) (int, ir.Expr) {
	at, uses := -1, 0
	var term ir.Expr
	b, ok := a.Combine.(*ir.Binary)
	if !ok {
		return -1, nil
	}
	for i, s := range body {
		t := flow.NewTouched()
		t.Stmt(s)
		if !t.Reads[a.Var] && !t.Writes[a.Var] {
			continue
		}
		uses++
		as, ok := s.(*ir.Assign)
		if !ok {
			return -1, nil
		}
		x, ok := as.X.(*ir.Binary)
		if !ok || as.Var != a.Var || x.Op != b.Op || !ir.IsUse(x.X, a.Var) {
			return -1, nil
		}
		own := flow.NewTouched()
		if own.Expr(x.Y); own.Reads[a.Var] {
			return -1, nil
		}
		at, term = i, x.Y
	}
	if uses != 1 {
		return -1, nil
	}
	return at, term
}
