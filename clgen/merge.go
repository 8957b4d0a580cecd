package clgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Maps that stand next to each other, such as the pieces of one whose index
// set was split, share a launch where the order between them does not matter.

// maxPieces bounds the maps of a launch.
const maxPieces = 8

// pieces lists a kernel and those that share its launch.
func (k *kernel) pieces() []*kernel {
	if len(k.dims) == 0 {
		return nil
	}
	return append([]*kernel{k}, k.more...)
}

// within lists axes inside each point that kernels have bounds of: those that
// it reduces, or those of an inner product.
func (k *kernel) within() []ir.Dim {
	switch {
	case k.product != nil:
		return k.product.axes()
	case k.rows != nil:
		return k.rows.red()
	}
	return nil
}

// axes lists the axes of all pieces, and those inside each point.
func (k *kernel) axes() []ir.Dim {
	var all []ir.Dim
	for _, p := range k.pieces() {
		all = append(all, p.dims...)
	}
	return append(all, k.within()...)
}

// merged makes one kernel of those that begin a list of statements, and
// returns how many statements it takes.
func (pl *planner) merged(list []ir.Stmt, first *kernel) (*kernel, int) {
	if first.shape != mapShape || first.redo || first.around != nil {
		return first, 1
	}
	group, statements, taken := []*kernel{first}, []ir.Stmt{list[0]}, 1
	for i := 1; i < len(list) && len(group) < maxPieces; i++ {
		if _, ok := list[i].(*ir.Comment); ok {
			continue
		}
		n, ok := list[i].(*ir.Nest)
		if !ok {
			break
		}
		k := nestShape(n)
		if k == nil || k.shape != mapShape || k.redo || !besideAll(group, k) {
			break
		}
		group, statements, taken = append(group, k), append(statements, list[i]), i+1
	}
	if len(group) == 1 {
		return first, 1
	}
	return pl.together(group, statements), taken
}

// together makes one kernel of several.
func (pl *planner) together(group []*kernel, statements []ir.Stmt) *kernel {
	var body []ir.Stmt
	var bound []*ir.Var
	weight := int64(0)
	for _, k := range group {
		body = append(body, k.body...)
		bound = append(bound, dimVars(k.dims)...)
		weight = max(weight, k.weight)
	}
	u := usesOf(body, bound...)
	k := newKernel(mapShape, u, group[0].at)
	k.dims, k.body, k.weight = group[0].dims, body, weight
	k = k.setFlags(u, nil)
	k.body, k.more, k.statements = group[0].body, group[1:], statements
	return k
}

// besideAll reports whether k can run beside each of group.
func besideAll(group []*kernel, k *kernel) bool {
	all := append(append([]*kernel{}, group...), k)
	for _, g := range group {
		if !beside(g, k, all, 0) {
			return false
		}
	}
	return true
}

// beside reports whether two of some pieces can run in any order: neither reads what the other
// writes, and of what both write they write parts that follow on each other along an axis.
func beside(p, q *kernel, all []*kernel, axis int) bool {
	for _, b := range q.bufs {
		switch {
		case p.written[b] && q.read[b], p.read[b] && q.written[b]:
			return false
		case p.written[b] && q.written[b] && !inARow(all, b, axis):
			return false
		}
	}
	return true
}

// inARow reports whether the pieces that write to b store by one index, in parts of a space that
// follow on each other along an axis.
func inARow(all []*kernel, b *ir.Buf, axis int) bool {
	var last []ir.Dim
	index := ""
	for _, p := range all {
		if !p.written[b] {
			continue
		}
		text, has := storesBy(p, b, axis)
		if !has || last != nil && (text != index || !follows(last, p.dims, axis)) {
			return false
		}
		last, index = p.dims, text
	}
	return true
}

// follows reports whether y begins where x ends along an axis, and has the other axes of x.
func follows(x, y []ir.Dim, axis int) bool {
	if len(x) != len(y) {
		return false
	}
	for a := range x {
		if a == axis && !ir.Same(x[a].Hi, y[a].Lo) || a != axis && !ir.SameSpace(x[a:a+1], y[a:a+1]) {
			return false
		}
	}
	return true
}

// plainText writes an expression of numbers and variables so that equal ones
// have equal texts; "" where it has anything else.
func plainText(x ir.Expr) string { return indexText(x, nil) }

// storesBy writes the index of the stores to b, where all have the same, and reports whether it has
// an axis; the axes are numbered, and inner loops' variables have one name.
func storesBy(k *kernel, b *ir.Buf, axis int) (text string, has bool) {
	names := map[*ir.Var]string{}
	for i, d := range k.dims {
		names[d.Var] = fmt.Sprintf("axis%d", i)
	}
	same := true
	ir.Walk(k.body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.For:
			names[s.Var] = "inner"
		case *ir.Copy:
			same = same && s.Dst != b
		case *ir.Store:
			if s.Buf != b {
				return
			}
			t := indexText(s.Index, names)
			same = same && t != "" && (text == "" || t == text)
			text = t
		}
	})
	if !same {
		return "", false
	}
	return text, strings.Contains(text, fmt.Sprintf("axis%d", axis))
}

func indexText(x ir.Expr, names map[*ir.Var]string) string {
	switch x := x.(type) {
	case *ir.Int:
		return fmt.Sprint(x.Val)
	case *ir.Use:
		if n := names[x.Var]; n != "" {
			return n
		}
		return fmt.Sprintf("%p", x.Var)
	case *ir.Binary:
		l, r := indexText(x.X, names), indexText(x.Y, names)
		if l == "" || r == "" {
			return ""
		}
		return fmt.Sprintf("(%s %d %s)", l, x.Op, r)
	}
	return ""
}
