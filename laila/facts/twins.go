package facts

import "github.com/tailor-lang/tailor/laila/ir"

// NewCloner makes a cloner whose variables and arrays have the facts of those that
// they are copies of.
func (l *Base) NewCloner() *ir.Cloner {
	return &ir.Cloner{Vars: map[*ir.Var]ir.Expr{}, Bufs: map[*ir.Buf]*ir.Buf{}, Twin: l.Twin, Array: l.twinArray}
}

// Twin makes a variable of which the same is known as of v.
func (l *Base) Twin(v *ir.Var) *ir.Var {
	w := l.NewVar(v.Name, v.Kind)
	if r, ok := l.Ranges[v]; ok {
		l.Ranges[w] = r
	}
	if s, ok := l.Spans[v]; ok {
		l.Spans[w] = s
	}
	return w
}

// twinArray notes of a copy what is known of a buffer.
func (l *Base) twinArray(old, copy *ir.Buf) {
	l.Like(old, copy)
	if l.Fixed[old] {
		l.Fixed[copy] = true
	}
}

// Like notes of the elements of a buffer what is known of those of another one.
func (l *Base) Like(old, copy *ir.Buf) {
	if r, ok := l.Bufs[old]; ok {
		l.Bufs[copy] = r
	}
	if r, ok := l.BufSpans[old]; ok {
		l.BufSpans[copy] = r
	}
}
