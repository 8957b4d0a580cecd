package laila

import "math"

// mostSteps is how many steps are bounded at once.
const mostSteps = 4096

// before declares what is known of the steps that come.
func (b *stepBounds) before() []Stmt {
	out := []Stmt{&Decl{b.sure, integer(0)}, &Decl{b.next, integer(0)}, &Decl{b.wait, integer(1)}, &Decl{b.looked, &Int{0, U8}}}
	for _, s := range b.order {
		out = append(out, &Decl{s.lo, &Float{0}}, &Decl{s.hi, &Float{0}})
	}
	return out
}

// chunk finds out whether a chunk of now steps needs no looks; look is run before
// the first one that does.
func (b *stepBounds) chunk(chunk, now *Var, left Expr, look []Stmt) []Stmt {
	out := []Stmt{&If{
		Cond: &Binary{And, &Binary{Lt, &Use{b.sure}, &Use{now}}, &Binary{Ge, &Use{chunk}, &Use{b.next}}},
		Then: b.again(chunk, now, left),
	}}
	return append(out,
		&Decl{b.free, &Binary{And, &Binary{Ge, &Use{b.sure}, &Use{now}}, &Unary{Not, &Math{"tl_no_fma", U8, nil}}}},
		&Assign{b.sure, sub(&Use{b.sure}, &Use{now})},
		&If{
			Cond: &Unary{Not, &Binary{Or, &Use{b.free}, &Use{b.looked}}},
			Then: append(look, &Assign{b.looked, &Int{1, U8}}),
		},
	)
}

// again takes the bounds from the elements, and carries them as far as they hold.
func (b *stepBounds) again(chunk, now *Var, left Expr) []Stmt {
	var out []Stmt
	var numbers Expr = &Int{1, U8}
	for _, s := range b.order {
		zero := b.q.t.l.newVar("zero", F64)
		out = append(out, &Decl{zero, &Float{0}}, &Assign{s.lo, &Float{math.Inf(1)}}, &Assign{s.hi, &Float{math.Inf(-1)}})
		for _, buf := range s.first {
			out = append(out, b.ends(s, buf, zero))
		}
		numbers = &Binary{And, numbers, &Binary{Eq, &Use{zero}, &Float{0}}}
	}
	var good Expr = &Int{1, U8}
	for _, x := range b.good {
		good = &Binary{And, good, x}
	}
	steps := b.q.t.l.newVar("ahead", I64)
	loop := append([]Stmt{&BreakIf{&Binary{Ge, &Use{b.sure}, &Use{steps}}}}, b.step...)
	loop = append(loop, &BreakIf{&Unary{Not, good}}, &Assign{b.sure, add(&Use{b.sure}, integer(1))})
	return append(out,
		&Assign{b.sure, integer(0)},
		&Decl{steps, &Select{numbers, &Binary{Min, left, integer(mostSteps)}, integer(0)}},
		&Loop{Body: loop},
		&If{
			Cond: &Binary{Lt, &Use{b.sure}, &Use{now}},
			Then: []Stmt{
				&Assign{b.next, add(&Use{chunk}, &Use{b.wait})},
				&Assign{b.wait, mul(&Use{b.wait}, integer(2))},
			},
			Else: []Stmt{&Assign{b.wait, integer(1)}},
		},
	)
}

// ends widens bounds to the elements of an array; zero becomes no number where one
// of them is infinite, or no number.
func (b *stepBounds) ends(s *elements, buf *Buf, zero *Var) Stmt {
	l := b.q.t.l
	k := l.newVar("k", I64)
	nest := &Nest{Kind: SegRed, Red: []Dim{{k, integer(s.from), integer(s.end)}}, At: b.q.t.nests[0].nest.At}
	over := func(v *Var, op BinOp, neutral float64, elem Expr) {
		acc, x, y := l.newVar("acc", F64), l.newVar("x", F64), l.newVar("y", F64)
		nest.Pre = append(nest.Pre, &Decl{acc, &Use{v}})
		nest.Accs = append(nest.Accs, Acc{Var: acc, Left: x, Right: y, Combine: &Binary{op, &Use{x}, &Use{y}}, Neutral: &Float{neutral}, Exact: true})
		nest.Body = append(nest.Body, &Assign{acc, &Binary{op, &Use{acc}, elem}})
		nest.Post = append(nest.Post, &Assign{v, &Use{acc}})
	}
	over(s.lo, Min, math.Inf(1), &Load{buf, &Use{k}})
	over(s.hi, Max, math.Inf(-1), &Load{buf, &Use{k}})
	over(zero, Add, 0, &Binary{Mul, &Load{buf, &Use{k}}, &Float{0}})
	return nest
}
