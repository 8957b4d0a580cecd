package opt

import (
	"math/bits"

	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// hoist moves arrays that a function computes, and that do not depend on its
// parameters, in front of the application that the function is an argument of,
// so that they are computed once. Only what is total moves, since the function
// may not be applied at all; nothing moves out of a branch. Scalars and mere
// views of arrays stay.
//
// Requires: nothing. Preserves: types. Leaves lets in arguments; run simplify
// after.
//
//	each(fn x:int => addi(x,reduce(maxi,0,v)),iota(9))
//
// becomes
//
//	let h:int = reduce(maxi,0,v) in each(fn x:int => addi(x,h),iota(9))
func hoist(o *optimiser) {
	o.bodies(func(e tail.Expr) tail.Expr {
		h := &hoister{optimiser: o, vars: map[*tail.Var]levels{}, defs: definitions(e), many: map[*tail.Var]bool{}, bounded: analysis.NewEffects(o.p)}
		h.bounded.Ranges = analysis.NewRanger(h.defs)
		done, _ := h.expr(e)
		return done
	})
}

// levels is a set of depths of functions: bit d stands for the function that d
// functions are around, itself included; bit 0 for outside all.
type levels uint64

// maxLevel is the deepest nesting of functions that hoist looks into.
const maxLevel = 60

// top returns the depth of the innermost function in the set.
func (l levels) top() int { return max(bits.Len64(uint64(l))-1, 0) }

type hoister struct {
	*optimiser
	vars    map[*tail.Var]levels
	defs    map[*tail.Var]tail.Expr
	bounded *analysis.Effects  // by the ranges of variables, for arrays that groups need
	many    map[*tail.Var]bool // arrays that a branch is for that have many elements (manyIn)
	depth   int
	branch  int          // branches around this place
	entered []int        // branches around the functions around this place
	moved   [][]letFrame // what moves in front of the functions around this place
	joining bool         // this place is an argument of a catenation
	times   []int64      // how often the functions around this place are applied (timesOf)
}

// expr returns e without what moved and the functions that it depends on.
func (h *hoister) expr(e tail.Expr) (tail.Expr, levels) {
	switch e := e.(type) {
	case *tail.Ref:
		return e, h.vars[e.Var]
	case *tail.Let:
		return h.lets(e)
	case *tail.Apply:
		return h.apply(e)
	case *tail.If:
		cond, all := h.expr(e.Cond)
		h.branch++
		many := manyIn(cond)
		h.many[many] = many != nil
		then, l := h.expr(e.Then)
		delete(h.many, many)
		other, m := h.expr(e.Else)
		h.branch--
		return &tail.If{At: e.At, Cond: cond, Then: then, Else: other, Ty: e.Ty}, all | l | m
	}
	var all levels
	done := tail.MapChildren(e, func(x tail.Expr) tail.Expr {
		y, l := h.expr(x)
		all |= l
		return y
	})
	return done, all
}

func (h *hoister) lets(e tail.Expr) (tail.Expr, levels) {
	var frames []letFrame
	var all levels
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			break
		}
		bind, l := h.expr(let.Bind)
		if _, alias := bind.(*tail.Ref); alias && l.top() < h.depth && h.branch == h.entered[l.top()] {
			h.vars[let.Var] = l
			h.moved[l.top()] = append(h.moved[l.top()], letFrame{let.At, let.Var, bind})
			all |= l
			e = let.Body
			continue
		}
		h.vars[let.Var] = l | 1<<h.depth // it is bound here, whatever it is bound to
		all |= l
		frames = append(frames, letFrame{let.At, let.Var, bind})
		e = let.Body
	}
	last, l := h.expr(e)
	return rebuilt(frames, last), all | l
}

func (h *hoister) apply(e *tail.Apply) (tail.Expr, levels) {
	var all levels
	var frames []letFrame
	args := make([]tail.Expr, len(e.Args))
	part := h.joining
	for i, a := range e.Args {
		h.joining = e.Op == tail.OpCat
		var l levels
		if lam, ok := a.(*tail.Lam); ok && h.depth < maxLevel {
			var before []letFrame
			h.times = append(h.times, timesOf(e))
			args[i], before, l = h.lambda(lam)
			h.times = h.times[:h.depth]
			frames = append(frames, before...)
		} else {
			args[i], l = h.expr(a)
		}
		all |= l
	}
	h.joining = false
	done := rebuilt(frames, e.WithArgs(args))
	top := all.top()
	if search, ok := done.(*tail.Apply); ok && h.depth > 0 && (top >= h.depth || h.branch != h.entered[top]) {
		if x := h.tabled(search); x != nil {
			return x, all
		}
	}
	if top >= h.depth || part && e.Op == tail.OpCat || !computes(e) || h.branch != h.entered[top] || !h.effects.Total(done) {
		return done, all
	}
	v := h.variable("h", e.Ty)
	h.vars[v] = all
	h.moved[top] = append(h.moved[top], letFrame{e.At, v, done})
	return &tail.Ref{At: e.At, Var: v}, all
}

// lambda returns f without what moved in front of it.
func (h *hoister) lambda(f *tail.Lam) (tail.Expr, []letFrame, levels) {
	h.depth++
	h.entered = append(h.entered, h.branch)
	h.moved = append(h.moved, nil)
	for _, p := range f.Params {
		h.vars[p] = 1 << h.depth
	}
	body, l := h.expr(f.Body)
	h.depth--
	frames := h.moved[h.depth]
	h.entered, h.moved = h.entered[:h.depth], h.moved[:h.depth]
	if body == f.Body {
		return f, frames, l &^ (1 << (h.depth + 1))
	}
	return &tail.Lam{At: f.At, Params: f.Params, Body: body}, frames, l &^ (1 << (h.depth + 1))
}

// computes reports whether e is worth moving: it makes elements, and not just
// a view of those of another array.
func computes(e *tail.Apply) bool {
	if e.Op.Row().Scalar {
		return false
	}
	switch e.Op {
	case tail.OpCat:
		return joined(e) > maxJoined
	case tail.OpIota, tail.OpShape, tail.OpTally, tail.OpCount, tail.OpReshape, tail.OpRavel, tail.OpReverse, tail.OpRotate, tail.OpTransp, tail.OpTransp2,
		tail.OpTake, tail.OpDrop, tail.OpFirst, tail.OpOnly, tail.OpStretch, tail.OpCons, tail.OpSnoc, tail.OpLaminate, tail.OpIndex, tail.OpAll:
		return false
	case tail.OpEach:
		_, ok := e.Ty.(*tail.Array)
		return ok && !cheapEach(e)
	}
	return true
}

// maxJoined is the number of arrays of which a catenation is a mere view: an element of
// one of more arrays takes long to find.
const maxJoined = 3

// joined is the number of arrays that catenations join to e.
func joined(e tail.Expr) int {
	if a, ok := e.(*tail.Apply); ok && a.Op == tail.OpCat {
		return joined(a.Args[0]) + joined(a.Args[1])
	}
	return 1
}

// cheapEach reports whether an each only coerces.
func cheapEach(e *tail.Apply) bool {
	f, ok := e.Args[0].(*tail.Lam)
	if !ok {
		return false
	}
	op, ok := tail.EtaReduced(f)
	return ok && (op == tail.OpB2I || op == tail.OpI2D || op == tail.OpB2D)
}
