package clgen

import "github.com/tailor-lang/tailor/laila/ir"

// Maps that stand next to each other, such as the pieces of one whose index
// set was split, share a launch where the order between them does not matter.

// maxPieces bounds the maps of a launch.
const maxPieces = 16

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
		switch list[i].(type) {
		case *ir.Comment, *ir.Free: // the pieces behind do not mention what is freed
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

// besideAll reports whether k can run beside each of group: none reads what another one writes, and
// what two write they write as pieces of one map.
func besideAll(group []*kernel, k *kernel) bool {
	for _, g := range group {
		for _, b := range k.bufs {
			if g.written[b] && k.read[b] || g.read[b] && k.written[b] || g.written[b] && k.written[b] && (k.split == 0 || g.split != k.split) {
				return false
			}
		}
	}
	return true
}
