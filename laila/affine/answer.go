package affine

import "github.com/tailor-lang/tailor/laila/ir"

// Answer is what a prover says of a question: yes, no, or a test for run time.
type Answer struct {
	Is Verdict
	// Test is set where Is is Depends: where it holds, the answer is yes. Where it
	// does not, nothing is known.
	Test Cond
}

// Verdict is the outcome of a proof.
type Verdict uint8

const (
	// Open says that there is no proof, and no test worth its time.
	Open Verdict = iota
	Yes
	No
	Depends
)

func (v Verdict) String() string { return [...]string{"open", "yes", "no", "depends"}[v] }

// Cond is a condition on variables: a sum is not negative, or all or any of several
// conditions hold. The zero value never holds.
type Cond struct {
	op    condOp
	p     Poly
	parts []Cond
}

type condOp uint8

const (
	never condOp = iota
	always
	least // p ≥ 0
	all
	some
)

// maxTests is the number of comparisons of a test.
const maxTests = 12

// atLeastZero holds where p ≥ 0, which is not Unknown.
func atLeastZero(p Poly) Cond {
	if p.unknown {
		return Cond{}
	}
	return Cond{op: least, p: p}
}

// both holds where x and y do.
func both(x, y Cond) Cond {
	switch {
	case x.op == never || y.op == always:
		return x
	case y.op == never || x.op == always:
		return y
	}
	return join(all, x, y)
}

// either holds where x does, or y.
func either(x, y Cond) Cond {
	switch {
	case x.op == always || y.op == never:
		return x
	case y.op == always || x.op == never:
		return y
	}
	return join(some, x, y)
}

func join(op condOp, x, y Cond) Cond {
	c := Cond{op: op}
	for _, z := range []Cond{x, y} {
		if z.op == op {
			c.parts = append(c.parts, z.parts...)
		} else {
			c.parts = append(c.parts, z)
		}
	}
	if c.size() > maxTests {
		return Cond{}
	}
	return c
}

func (c Cond) size() int {
	n := 0
	for _, d := range c.parts {
		n += d.size()
	}
	return max(n, 1)
}

// Holds tells whether c holds for values of its variables.
func (c Cond) Holds(value func(Poly) int64) bool {
	for _, d := range c.parts {
		if h := d.Holds(value); h != (c.op == all) {
			return h
		}
	}
	return c.op == always || c.op == all || c.op == least && value(c.p) >= 0
}

// Expr writes the test, a boolean.
func (c Cond) Expr() ir.Expr {
	switch c.op {
	case least:
		var less, more Poly // more ≥ less, without negative terms
		for _, t := range c.p.terms {
			if t.K < 0 {
				less = less.Minus(Poly{terms: []Term{t}})
			} else {
				more = more.Plus(Poly{terms: []Term{t}})
			}
		}
		return ir.OpGe.Of(more.Expr(), less.Expr())
	case all, some:
		x := c.parts[0].Expr()
		for _, d := range c.parts[1:] {
			if c.op == all {
				x = ir.And(x, d.Expr())
			} else {
				x = ir.Or(x, d.Expr())
			}
		}
		return x
	}
	return ir.Boolean(c.op == always)
}

// answer says yes where c is proved, no where the contrary is, else depends.
func answer(c Cond, no bool) Answer {
	switch {
	case c.op == always:
		return Answer{Is: Yes}
	case no:
		return Answer{Is: No}
	case c.op == never:
		return Answer{}
	}
	return Answer{Is: Depends, Test: c}
}
