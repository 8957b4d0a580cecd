package place

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// maxAccs is the largest number of accumulators of one nest.
const maxAccs = 8

// FuseReductions joins reductions over one axis that follow each other and
// read the same buffer, so that it is read once:
//
//	segred { red i = 0 … n: s = s + a[i] }
//	var m: f64 = -Inf
//	segred { red j = 0 … n: m = m max a[j] }
//
// becomes
//
//	var m: f64 = -Inf
//	segred { red i = 0 … n: s = s + a[i]; var j = i; m = m max a[j] }
//
// Declarations that the second one needs move up; where one of them depends on
// the first reduction, both stay. Tests of flags keep their places.
//
// Requires: frees at the end of their block. Preserves: the order of faults.
func FuseReductions(block []ir.Stmt) []ir.Stmt {
	for _, s := range block {
		for _, inner := range ir.Blocks(s) {
			*inner = FuseReductions(*inner)
		}
	}
	for i := 0; i < len(block); i++ {
		for first := ir.WholeReduction(block[i]); first != nil; {
			j := nextReduction(block, i)
			if j < 0 {
				break
			}
			moved, rest, ok := separate(first, block[j].(*ir.Nest), block[i+1:j])
			if !ok {
				break
			}
			first = joined(first, block[j].(*ir.Nest))
			next := append(append(append([]ir.Stmt{}, block[:i]...), moved...), first)
			i += len(moved)
			block = append(append(next, rest...), block[j+1:]...)
		}
	}
	return block
}

// nextReduction returns the position of the next reduction after block[i] with
// nothing but scalar statements between, or -1.
func nextReduction(block []ir.Stmt, i int) int {
	for j := i + 1; j < len(block); j++ {
		switch s := block[j].(type) {
		case *ir.Decl, *ir.Comment, *ir.Assign:
		case *ir.If:
			for _, inner := range ir.Blocks(s) {
				for _, t := range *inner {
					if _, ok := t.(*ir.Fail); !ok {
						return -1
					}
				}
			}
		default:
			if ir.WholeReduction(s) == nil {
				return -1
			}
			return j
		}
	}
	return -1
}

// separate divides the statements between two reductions into those that the
// second one needs and the others; it is not ok where the two cannot be joined.
func separate(a, b *ir.Nest, between []ir.Stmt) (moved, rest []ir.Stmt, ok bool) {
	if !ir.Same(a.Red[0].Lo, b.Red[0].Lo) || !ir.Same(a.Red[0].Hi, b.Red[0].Hi) || len(a.Accs)+len(b.Accs) > maxAccs {
		return nil, nil, false
	}
	ra, rb := flow.NewTouched(), flow.NewTouched()
	ra.Stmt(a)
	rb.Stmt(b)
	if ra.Effects || rb.Effects || ra.Checked != rb.Checked || !ra.Meets(rb) {
		return nil, nil, false
	}
	// From the last to the first: what is needed, and what stays behind.
	needed := map[*ir.Var]bool{}
	for v := range rb.Reads {
		needed[v] = true
	}
	for v := range rb.Writes {
		needed[v] = true
	}
	stays := map[ir.Stmt]bool{}
	for k := len(between) - 1; k >= 0; k-- {
		t := flow.NewTouched()
		t.Stmt(between[k])
		if d, isDecl := between[k].(*ir.Decl); isDecl && needed[d.Var] && d.Init != nil {
			for v := range t.Reads {
				needed[v] = true
			}
			continue
		}
		stays[between[k]] = true
	}
	for v := range needed {
		if ra.Writes[v] {
			return nil, nil, false
		}
	}
	for _, s := range between {
		if !stays[s] {
			moved = append(moved, s)
			continue
		}
		t := flow.NewTouched()
		t.Stmt(s)
		for v := range t.Writes {
			if needed[v] {
				return nil, nil, false
			}
		}
		for v := range t.Reads {
			if rb.Writes[v] {
				return nil, nil, false
			}
		}
		rest = append(rest, s)
	}
	return moved, rest, true
}

// joined returns one nest that does the work of both.
func joined(a, b *ir.Nest) *ir.Nest {
	n := *a
	cat := func(x, y []ir.Stmt) []ir.Stmt { return append(append([]ir.Stmt{}, x...), y...) }
	n.Pre, n.Post = cat(a.Pre, b.Pre), cat(a.Post, b.Post)
	n.Body = cat(a.Body, nil)
	for k, d := range b.Red {
		n.Body = append(n.Body, d.Var.Decl(a.Red[k].Var.Use()))
	}
	n.Body = append(n.Body, b.Body...)
	n.Accs = append(append([]ir.Acc{}, a.Accs...), b.Accs...)
	n.Flags = append([]*ir.Var{}, a.Flags...)
	for _, f := range b.Flags {
		known := false
		for _, g := range n.Flags {
			known = known || f == g
		}
		if !known {
			n.Flags = append(n.Flags, f)
		}
	}
	return &n
}
