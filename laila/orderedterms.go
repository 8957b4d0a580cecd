package laila

import (
	"slices"

	"github.com/tailor-lang/tailor/internal/num"
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
// It is nil where the accumulators are used otherwise, or the map stays as it is.
func (l *lowerer) orderedTerms(n *Nest) []Stmt {
	if isStraightBody(n.Body) && !branches(n.Body) {
		return nil
	}
	d := n.Red[0]
	size := &Binary{Min, sub(d.Hi, d.Lo), integer(num.SuperBlock)}
	if hi, ok := intOf(sub(d.Hi, d.Lo)); ok {
		size = &Binary{Min, integer(hi), integer(num.SuperBlock)}
	}
	from, j := l.newVar("from", I64), l.newVar("j", I64)
	l.ranges[from], l.ranges[j] = interval{0, maxExtent}, interval{0, num.SuperBlock - 1}
	body := slices.Clone(n.Body)
	sum := &Nest{Kind: SegRed, At: n.At}
	var before, join, after []Stmt
	for _, a := range n.Accs {
		k, x := termOf(body, &a)
		if k < 0 {
			return nil
		}
		terms := &Buf{Name: "terms", Elem: a.Var.Kind}
		part := l.newVar("part", a.Var.Kind)
		before = append(before, &DeclBuf{Buf: terms, Count: size, Shape: []Expr{size}, At: n.At})
		after = append(after, &Free{terms})
		body[k] = &Store{terms, sub(&Use{d.Var}, &Use{from}), x}
		own := a
		own.Var = l.newVar("acc", a.Var.Kind)
		sum.Accs = append(sum.Accs, own)
		sum.Pre = append(sum.Pre, &Decl{own.Var, &Use{part}})
		sum.Body = append(sum.Body, &Assign{own.Var, a.combined(&Use{own.Var}, &Load{terms, &Use{j}})})
		sum.Post = append(sum.Post, &Assign{part, &Use{own.Var}})
		before = append(before, &Decl{part, a.Neutral})
		join = append(join, &Assign{a.Var, a.combined(&Use{a.Var}, &Use{part})}, &Assign{part, a.Neutral})
	}
	made := false
	loop := l.cutLoop(d.Lo, d.Hi, num.SuperBlock, func(lo, hi Expr) []Stmt {
		first := &Decl{from, lo}
		m := &Nest{Kind: SegMap, Dims: []Dim{{d.Var, lo, hi}}, Body: body, Flags: n.Flags, At: n.At, Each: n.Each, Even: n.Even}
		grouped := l.grouped(m)
		made = grouped != nil
		sum.Red = []Dim{{j, integer(0), sub(hi, lo)}}
		return append(append([]Stmt{first}, grouped...), append([]Stmt{sum}, join...)...)
	})
	if !made {
		return nil
	}
	out := append(slices.Clone(n.Pre), before...)
	return append(append(append(out, loop), after...), n.Post...)
}

// termOf returns the statement of a body, and x, for the only use of an accumulator,
// a ← a f x; -1 where there is another one.
func termOf(body []Stmt, a *Acc) (int, Expr) {
	at, uses := -1, 0
	var term Expr
	b, ok := a.Combine.(*Binary)
	if !ok {
		return -1, nil
	}
	for i, s := range body {
		t := newTouched()
		t.stmt(s)
		if !t.reads[a.Var] && !t.writes[a.Var] {
			continue
		}
		uses++
		as, ok := s.(*Assign)
		if !ok {
			return -1, nil
		}
		x, ok := as.X.(*Binary)
		if !ok || as.Var != a.Var || x.Op != b.Op || !isUse(x.X, a.Var) {
			return -1, nil
		}
		own := newTouched()
		if own.expr(x.Y); own.reads[a.Var] {
			return -1, nil
		}
		at, term = i, x.Y
	}
	if uses != 1 {
		return -1, nil
	}
	return at, term
}
