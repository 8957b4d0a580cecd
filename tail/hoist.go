package tail

import "math/bits"

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
	o.bodies(func(e Expr) Expr {
		h := &hoister{optimiser: o, vars: map[*Var]levels{}}
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
	vars    map[*Var]levels
	depth   int
	branch  int          // branches around this place
	entered []int        // branches around the functions around this place
	moved   [][]letFrame // what moves in front of the functions around this place
}

// expr returns e without what moved and the functions that it depends on.
func (h *hoister) expr(e Expr) (Expr, levels) {
	switch e := e.(type) {
	case *Ref:
		return e, h.vars[e.Var]
	case *Let:
		return h.lets(e)
	case *Apply:
		return h.apply(e)
	case *If:
		cond, all := h.expr(e.Cond)
		h.branch++
		then, l := h.expr(e.Then)
		other, m := h.expr(e.Else)
		h.branch--
		return &If{At: e.At, Cond: cond, Then: then, Else: other, Ty: e.Ty}, all | l | m
	}
	var all levels
	done := MapChildren(e, func(x Expr) Expr {
		y, l := h.expr(x)
		all |= l
		return y
	})
	return done, all
}

func (h *hoister) lets(e Expr) (Expr, levels) {
	var frames []letFrame
	var all levels
	for {
		let, ok := e.(*Let)
		if !ok {
			break
		}
		bind, l := h.expr(let.Bind)
		h.vars[let.Var] = l | 1<<h.depth // it is bound here, whatever it is bound to
		all |= l
		frames = append(frames, letFrame{let.At, let.Var, bind})
		e = let.Body
	}
	last, l := h.expr(e)
	return rebuilt(frames, last), all | l
}

func (h *hoister) apply(e *Apply) (Expr, levels) {
	var all levels
	var frames []letFrame
	args := make([]Expr, len(e.Args))
	for i, a := range e.Args {
		var l levels
		if lam, ok := a.(*Lam); ok && h.depth < maxLevel {
			var before []letFrame
			args[i], before, l = h.lambda(lam)
			frames = append(frames, before...)
		} else {
			args[i], l = h.expr(a)
		}
		all |= l
	}
	done := rebuilt(frames, e.WithArgs(args))
	top := all.top()
	if top >= h.depth || !computes(e) || h.branch != h.entered[top] || !h.effects.Total(done) {
		return done, all
	}
	v := h.variable("h", e.Ty)
	h.vars[v] = all
	h.moved[top] = append(h.moved[top], letFrame{e.At, v, done})
	return &Ref{At: e.At, Var: v}, all
}

// lambda returns f without what moved in front of it.
func (h *hoister) lambda(f *Lam) (Expr, []letFrame, levels) {
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
	return &Lam{At: f.At, Params: f.Params, Body: body}, frames, l &^ (1 << (h.depth + 1))
}

// computes reports whether e is worth moving: it makes elements, and not just
// a view of those of another array.
func computes(e *Apply) bool {
	if e.Op.Row().Scalar {
		return false
	}
	switch e.Op {
	case OpIota, OpShape, OpTally, OpCount, OpReshape, OpRavel, OpReverse, OpRotate, OpTransp, OpTransp2,
		OpTake, OpDrop, OpFirst, OpOnly, OpStretch, OpCat, OpCons, OpSnoc, OpLaminate, OpIndex, OpAll:
		return false
	case OpEach:
		_, ok := e.Ty.(*Array)
		return ok && !cheapEach(e)
	}
	return true
}

// cheapEach reports whether an each only coerces.
func cheapEach(e *Apply) bool {
	f, ok := e.Args[0].(*Lam)
	if !ok {
		return false
	}
	op, ok := etaReduced(f)
	return ok && (op == OpB2I || op == OpI2D || op == OpB2D)
}
