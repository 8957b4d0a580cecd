package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Describe writes where the arrays of a program are (thesis 003, chapter 4): the blocks of
// storage of each function, why there are any, and for every use of one the LMAD of the
// places, offset+{(count:stride),…}, of which that of the outermost loop around the use and
// within the block's scope comes first:
//
//	fun main
//	  block 1 s: f64[900] on the heap, as 2 loops or statements use it
//	    stores 0+{(9:100),(100:1)}
//	    loads 1+{(899:1)}
//
// Variables have the names of the text of loops, without the numbers that tell equal ones
// apart.
func Describe(p *ir.Program) string {
	var b strings.Builder
	for _, f := range append(slices.Clone(p.Funcs), p.Main) {
		blocks := describe(f)
		if len(blocks) > 0 {
			fmt.Fprintf(&b, "fun %s\n%s", f.Name, strings.Join(blocks, ""))
		}
	}
	return b.String()
}

// describe returns the texts of the blocks of a function, in the order of their
// declarations.
func describe(f *ir.Func) []string {
	a := accessesOf(f)
	bufs := a.declaredInOrder()
	d := &description{accesses: a, names: map[*ir.Buf]string{}}
	for i, b := range bufs {
		d.names[b] = fmt.Sprintf("%d %s", i+1, b.Name)
	}
	var texts []string
	for _, b := range bufs {
		texts = append(texts, d.block(b))
	}
	return texts
}

// description writes the blocks of a function, which have numbers.
type description struct {
	*accesses
	names map[*ir.Buf]string
}

// block describes the block of b.
func (a *description) block(b *ir.Buf) string {
	at, decl := a.declaration(b)
	where := "heap"
	if b.Stack > 0 {
		where = "stack"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "  block %s: %s[%s] on the %s, as %s\n", a.names[b], b.Elem, a.poly(decl.Count), where, a.reason(b, at))
	var lines []string
	times := map[string]int{}
	for i, x := range a.of[b] {
		if i > 0 && x == a.of[b][i-1] {
			continue // another load of one statement
		}
		for _, line := range a.describeUse(b, x, at) {
			if times[line] == 0 {
				lines = append(lines, line)
			}
			times[line]++
		}
	}
	for _, line := range lines {
		out.WriteString("    " + line)
		if n := times[line]; n > 1 {
			fmt.Fprintf(&out, ", %d times", n)
		}
		out.WriteString("\n")
	}
	return out.String()
}

// describeUse returns the lines of a use of b, which is declared at a place.
func (a *description) describeUse(b *ir.Buf, x access, at *place) []string {
	switch x.do {
	case passes:
		return []string{"passed whole"}
	case hands:
		if s, ok := x.at.stmt.(*ir.Swap); ok {
			other := s.A
			if other == b {
				other = s.B
			}
			return []string{"exchanged with " + a.names[other]}
		}
		return []string{"handed over"}
	case loads, stores:
		return a.places(b, x, at)
	}
	return nil
}

// places returns the lines of a statement that loads from b, or stores in it.
func (a *description) places(b *ir.Buf, x access, at *place) []string {
	line := func(word string, index, count ir.Expr) string { return word + " " + a.lmad(index, count, x.at, at) }
	switch s := x.at.stmt.(type) {
	case *ir.Copy:
		if x.do == stores && s.Dst == b {
			return []string{line("stores", s.DstIndex, s.Count)}
		} else if s.Src == b {
			return []string{line("loads", s.SrcIndex, s.Count)}
		}
	case *ir.Store:
		if x.do == stores {
			return []string{line("stores", s.Index, nil)}
		}
	case *ir.Filter, *ir.Micro:
		if x.do == stores {
			return []string{"stores in order"}
		}
	}
	var lines []string
	eachLoadOf(x.at.stmt, b, func(index ir.Expr) { lines = append(lines, line("loads", index, nil)) })
	if len(lines) == 0 {
		lines = []string{"loads in order"}
	}
	return lines
}

// lmad describes the places at an index, or from there on, in all iterations of the loops
// around p within the block of at.
func (a *description) lmad(index, count ir.Expr, p, at *place) string {
	var dims []ir.Dim
	for ; p.block != at.block && p.parent != nil; p = p.parent {
		switch s := p.parent.stmt.(type) {
		case *ir.For:
			dims = append(dims, ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
		case *ir.Nest:
			space := slices.Clone(ir.SpaceOf(s))
			slices.Reverse(space)
			dims = append(dims, space...)
		}
	}
	slices.Reverse(dims)
	sum := a.poly(index)
	var vars []*ir.Var
	var counts []affine.Poly
	for _, d := range dims {
		if lo := a.poly(d.Lo); sum.Mentions(d.Var) {
			sum = sum.Substitute(d.Var, affine.Of(d.Var).Plus(lo))
			vars, counts = append(vars, d.Var), append(counts, a.poly(d.Hi).Minus(lo))
		}
	}
	l, ok := affine.FromIndex(sum, vars, counts)
	if !ok {
		return "_, computed places"
	}
	if count != nil {
		l.Dims = append(l.Dims, affine.Dim{Count: a.poly(count), Stride: affine.Const(1)})
	}
	return l.String()
}

// poly reads an index as a sum of products of variables.
func (a *description) poly(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok || u.Var.Kind != ir.I64 {
			return affine.Unknown
		}
		if init := a.once[u.Var]; init != nil {
			if p := r.Read(init); p.Known() {
				return p
			}
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}
