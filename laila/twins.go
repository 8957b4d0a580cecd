package laila

import "github.com/tailor-lang/tailor/laila/ir"

// newCloner makes a cloner whose variables and arrays have the facts of those that
// they are copies of.
func newCloner(l *lowerer) *ir.Cloner {
	return &ir.Cloner{Vars: map[*ir.Var]ir.Expr{}, Bufs: map[*ir.Buf]*ir.Buf{}, Twin: l.twin, Array: l.twinArray}
}

// twin makes a variable of which the same is known as of v.
func (l *lowerer) twin(v *ir.Var) *ir.Var {
	w := l.newVar(v.Name, v.Kind)
	if r, ok := l.ranges[v]; ok {
		l.ranges[w] = r
	}
	if s, ok := l.spans[v]; ok {
		l.spans[w] = s
	}
	return w
}

// twinArray notes of a copy what is known of a buffer.
func (l *lowerer) twinArray(old, copy *ir.Buf) {
	if r, ok := l.bufs[old]; ok {
		l.bufs[copy] = r
	}
	if r, ok := l.bufSpans[old]; ok {
		l.bufSpans[copy] = r
	}
	if l.fixed[old] {
		l.fixed[copy] = true
	}
}
