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

// besideAll reports whether k can run beside each of group: nobody reads what
// another writes, and what two write are different elements.
func besideAll(group []*kernel, k *kernel) bool {
	for i, g := range group {
		for _, b := range k.bufs {
			switch {
			case g.written[b] && k.read[b], g.read[b] && k.written[b]:
				return false
			case g.written[b] && k.written[b] && !apart(group[i:], k, b):
				return false
			}
		}
	}
	return true
}

// apart reports whether pieces of one map, on consecutive parts of the first
// axis, write to b by the same index.
func apart(group []*kernel, k *kernel, b *ir.Buf) bool {
	all := append(append([]*kernel{}, group...), k)
	for i := 1; i < len(all); i++ {
		x, y := all[i-1].dims, all[i].dims
		if len(x) != len(y) || plainText(x[0].Hi) == "" || plainText(x[0].Hi) != plainText(y[0].Lo) {
			return false
		}
		for a := 1; a < len(x); a++ {
			if plainText(x[a].Lo)+plainText(x[a].Hi) != plainText(y[a].Lo)+plainText(y[a].Hi) {
				return false
			}
		}
	}
	text := storesText(all[0], b)
	for _, p := range all {
		if t := storesText(p, b); t == "" || t != text {
			return false
		}
	}
	return true
}

// plainText writes an expression of numbers and variables so that equal ones
// have equal texts; "" where it has anything else.
func plainText(x ir.Expr) string { return indexText(x, nil) }

// storesText writes the index of the stores to b, where all have the same and
// it has the first axis; the axes are numbered, and inner loops' variables have
// one name.
func storesText(k *kernel, b *ir.Buf) string {
	text, axes := storesBy(k, b, 0)
	if !axes {
		return ""
	}
	return text
}

// storesBy is storesText for an axis, and reports whether the index has it.
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
