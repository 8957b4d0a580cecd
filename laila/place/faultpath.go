package place

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// tests are branches for faults behind a nest, block[first:end], that look for the first fault in
// arrays that the nest makes:
//
//	alloc a: f64[n × 9]
//	segmap i = 0 … n; flags bad
//	  for j = 0 … 9: a[9 × i + j] = f(i, j)
//	  for j = 0 … 9: bad = bad | (a[9 × i + j] == 0)
//	if bad { for i = 0 … n × 9: fail if a[i] == 0 }
//
// The nest is run again where there is a fault, so that a is a row on the stack where there is none:
//
//	segmap i = 0 … n; flags bad
//	  stack a: f64[9]; …
//	if bad
//	  alloc a: f64[n × 9]
//	  segmap i = 0 … n …
//	  if bad { for i = 0 … n × 9: fail if a[i] == 0 }
//	  free a
type tests struct {
	first, end int
}

func (t tests) has(k int) bool { return t.first <= k && k < t.end }

// testsBehind returns the first branches for faults behind n that read what n makes, if up
// to them all that n uses stays as it is.
func (f *Fuser) testsBehind(block []ir.Stmt, n *ir.Nest) tests {
	t := tests{}
	here := f.Of(n)
	behind := false
	for k, s := range block {
		switch {
		case s == ir.Stmt(n):
			behind = true
		case !behind:
		case f.testsFlag(s) && flow.Meet(f.Of(s).Loads, here.Stores):
			if t.end == 0 {
				t.first = k
			}
			t.end = k + 1
		case t.end > 0:
			return t
		default:
			u := f.Of(s)
			if u.Barrier || flow.Meet(u.Writes, here.Reads) || flow.Meet(u.Writes, here.Writes) || flow.Meet(u.Stores, here.Buffers()) {
				return tests{}
			}
		}
	}
	return t
}

// with returns the block with the nest m, which makes some arrays, and these in the branch for
// faults.
func (t tests) with(block []ir.Stmt, m *ir.Nest, arrays []contraction) []ir.Stmt {
	var cond ir.Expr
	var then, frees []ir.Stmt
	for _, c := range arrays {
		then = append(then, c.d)
		frees = append(frees, &ir.Free{Buf: c.d.Buf})
	}
	then = append(then, m)
	for _, s := range block[t.first:t.end] {
		if x := s.(*ir.If).Cond; cond == nil {
			cond = x
		} else {
			cond = ir.OpOr.Of(cond, x)
		}
		then = append(then, s)
	}
	out := append([]ir.Stmt{}, block[:t.first]...)
	out = append(out, &ir.If{Cond: cond, Then: append(then, frees...)})
	return append(out, block[t.end:]...)
}

// remade returns a copy of a nest that makes some arrays again, nil where that may not make
// the same.
func (f *Fuser) remade(n *ir.Nest, arrays []contraction) *ir.Nest {
	own := map[*ir.Buf]bool{}
	for _, c := range arrays {
		own[c.d.Buf] = true
	}
	ir.Walk(n.Body, func(s ir.Stmt) {
		if d, ok := s.(*ir.DeclBuf); ok {
			own[d.Buf] = true
		}
	})
	here := f.Of(n)
	for b := range here.Stores {
		if here.Loads[b] && !own[b] {
			return nil
		}
	}
	if !ir.CanCopy(n.Body) || !ir.CanCopy(n.Pre) {
		return nil
	}
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		accs[a.Var] = true
	}
	m := *n
	m.Accs, m.Pre, m.Post, m.Body = nil, nil, nil, nil
	for _, s := range n.Body {
		switch s := s.(type) {
		case *ir.Assign:
			if accs[s.Var] {
				continue
			}
		case *ir.Checked:
			if accs[s.Var] {
				continue
			}
		}
		if flow.Meet(f.Of(s).Reads, accs) {
			return nil
		}
		m.Body = append(m.Body, s)
	}
	if m.Kind == ir.SegRed {
		m.Kind, m.Dims, m.Red = ir.SegMap, n.Red, nil
	}
	return f.L.NewCloner().Nest(&m)
}
