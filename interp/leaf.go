package interp

import (
	"github.com/tailor-lang/tailor/apl"
)

// A dfn is a leaf if it calls primitives and itself only and makes no functions:
// nothing can refer to the frame of a call that has returned, so the frame is used
// again.

// leaf reports whether a dfn is a leaf.
func (in *Interp) leaf(d *apl.Dfn) bool {
	is, known := in.leaves[d]
	if !known {
		is = leafBody(d.Body)
		in.leaves[d] = is
		if is {
			noteLastReads(d.Body, in.lastReads)
		}
	}
	return is
}

func leafBody(body []apl.Stmt) bool {
	for _, s := range body {
		switch s := s.(type) {
		case *apl.ExprStmt:
			if !leafExpr(s.X) {
				return false
			}
		case *apl.Guard:
			if !leafExpr(s.Cond) || !leafExpr(s.Result) {
				return false
			}
		case *apl.DefaultLeft:
			if s.Func != nil || !leafExpr(s.Value) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func leafExpr(x apl.Expr) bool {
	switch x := x.(type) {
	case nil, *apl.Literal:
		return true
	case *apl.Var:
		return !systemName(x.Ident)
	case *apl.Paren:
		return leafExpr(x.X)
	case *apl.Monadic:
		return leafFunction(x.F) && leafExpr(x.Y)
	case *apl.Dyadic:
		return leafExpr(x.X) && leafFunction(x.F) && leafExpr(x.Y)
	case *apl.Strand:
		return leafExprs(x.Items)
	case *apl.Index:
		return leafExpr(x.X) && leafExprs(x.Items)
	case *apl.Assign:
		return leafTarget(x.Target) && (x.F == nil || leafFunction(x.F)) && leafExpr(x.Y)
	}
	return false
}

func leafTarget(t apl.Target) bool {
	switch t := t.(type) {
	case *apl.NameTarget:
		return !systemName(t.Ident)
	case *apl.IndexTarget:
		return !systemName(t.Ident) && leafExprs(t.Items)
	}
	return false
}

func leafExprs(items []apl.Expr) bool {
	for _, x := range items {
		if !leafExpr(x) {
			return false
		}
	}
	return true
}

func leafFunction(f apl.Func) bool {
	switch f := f.(type) {
	case *apl.Prim:
		return f.Glyph != "⍎" && !systemName(f.Glyph)
	case *apl.FuncName:
		return f.Ident == "∇"
	case *apl.ParenFunc:
		return leafFunction(f.F)
	case *apl.Derived:
		op, ok := f.Op.(*apl.PrimOp)
		return ok && !systemName(op.Glyph) && leafOperand(f.Left) && leafOperand(f.Right)
	}
	return false
}

func leafOperand(o apl.Operand) bool {
	if o.Func != nil {
		return leafFunction(o.Func)
	}
	return leafExpr(o.Array)
}

// newFrame returns the frame of a call.
func (in *Interp) newFrame() *Frame {
	n := len(in.frames)
	if n == 0 {
		return &Frame{}
	}
	f := in.frames[n-1]
	in.frames = in.frames[:n-1]
	return f
}

// maxFrames is the number of frames that are kept.
const maxFrames = 1 << 10

// release keeps the frame of a leaf for another call.
func (in *Interp) release(f *Frame) {
	if f.index != nil || f.saved != nil || f.alphaFunc != nil || len(in.frames) >= maxFrames {
		return
	}
	clear(f.vars)
	f.vars, f.alpha, f.omega, f.epoch = f.vars[:0], nil, nil, nil
	in.frames = append(in.frames, f)
}
