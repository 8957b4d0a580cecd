package clgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
)

// Inner products, of any pair of functions, arrive as a map over rows,
//
//	segmap i = 0 … n
//	  row = i×m
//	  for j = 0 … m: c[row+j] = zero
//	  for k = 0 … l
//	    for j = 0 … m: c[row+j] = f(c[row+j], g(a[i×l+k], b[k×m+j]))
//
// On a GPU a work-group computes a tile of c. For parts of k, its work-items
// put what depends on i and k, and on k and j, into local memory, and each of
// them accumulates a block of elements in registers, in the order of k.

// product is what is known of such a map.
type product struct {
	decls []ir.Stmt // before the loops
	zero  ir.Expr
	k, j  *ir.For // the loop over terms, and that over a row inside
	store *ir.Store
	left  []ir.Expr // operands that depend on i and k
	right []ir.Expr // on k and j
	side  int64     // work-items along a side of the tile
	block int64     // elements of a work-item along a side
}

// axes returns the axes of a row and of the terms.
func (p *product) axes() []ir.Dim {
	return []ir.Dim{{Var: p.j.Var, Lo: p.j.Lo, Hi: p.j.Hi}, {Var: p.k.Var, Lo: p.k.Lo, Hi: p.k.Hi}}
}

// localLimit is how many bytes of local memory the tiles of a work-group take.
const localLimit = 32 << 10

// findProduct notes that a kernel is an inner product.
func (pl *planner) findProduct(k *kernel) {
	if k.shape != mapShape || k.trap != nil || len(k.more) > 0 || k.across != nil || pl.plan.ProductBlock == 0 {
		return
	}
	p := productOf(k.body, k.dims)
	if pl.plan.Schedule == Chunks {
		if p != nil {
			if p.block = pl.plan.ProductBlock; !p.fewColumns() {
				k.product = p
			}
		}
		return
	}
	side := int64(1)
	for side*side < pl.plan.GroupSize {
		side *= 2
	}
	if p == nil || side*side != pl.plan.GroupSize {
		return
	}
	p.side, p.block = side, pl.plan.ProductBlock
	bytes := int64(0)
	for _, x := range p.left {
		bytes += eval.SizeOf(x.Kind()) * p.side * p.block * (p.side + 1)
	}
	for _, x := range p.right {
		bytes += eval.SizeOf(x.Kind()) * p.side * p.block * p.side
	}
	if bytes > localLimit {
		return
	}
	k.product = p
}

// productOf takes apart the body of an inner product, nil for other bodies.
func productOf(body []ir.Stmt, dims []ir.Dim) *product {
	p := &product{}
	rows := map[*ir.Var]bool{} // what depends on the row
	for _, d := range dims {
		rows[d.Var] = true
	}
	var loops []*ir.For
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			if len(loops) > 0 || s.Init == nil || loadsAny(s.Init) {
				return nil
			}
			rows[s.Var] = true
			p.decls = append(p.decls, s)
		case *ir.For:
			loops = append(loops, s)
		default:
			return nil
		}
	}
	if len(loops) != 2 || len(loops[0].Body) != 1 {
		return nil
	}
	first, ok := loops[0].Body[0].(*ir.Store)
	if !ok || loadsAny(first.X) {
		return nil
	}
	p.zero, p.k = first.X, loops[1]
	for _, s := range p.k.Body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.For:
			if p.j != nil {
				return nil
			}
			p.j = s
		default:
			return nil
		}
	}
	if p.j == nil || !p.accumulates(first, loops[0]) {
		return nil
	}
	inner := map[*ir.Var]bool{p.j.Var: true, p.k.Var: true}
	for _, d := range p.axes() { // the host knows all bounds
		if outer(d.Lo, rows) || outer(d.Hi, rows) || outer(d.Lo, inner) || outer(d.Hi, inner) {
			return nil
		}
	}
	for _, s := range p.j.Body {
		if d, ok := s.(*ir.Decl); ok {
			inner[d.Var] = true
		}
	}
	p.operands(rows, inner)
	return p
}

// accumulates sets the store of the inner loop and reports whether its array
// is used by nothing but that store, at the elements that the first loop sets.
func (p *product) accumulates(first *ir.Store, over *ir.For) bool {
	index := func(x ir.Expr, v *ir.Var) string { return indexText(x, map[*ir.Var]string{v: "j"}) }
	at := index(first.Index, over.Var)
	if at == "" || plainText(over.Lo) == "" || plainText(over.Lo) != plainText(p.j.Lo) || plainText(over.Hi) == "" || plainText(over.Hi) != plainText(p.j.Hi) ||
		mentions(p.zero, over.Var) {
		return false
	}
	if by, ok := coefficient(first.Index, over.Var); !ok || by != 1 {
		return false
	}
	last := len(p.j.Body) - 1
	if last < 0 {
		return false
	}
	var ok bool
	if p.store, ok = p.j.Body[last].(*ir.Store); !ok || p.store.Buf != first.Buf || index(p.store.Index, p.j.Var) != at {
		return false
	}
	declared := map[*ir.Var]bool{}
	for i, s := range p.j.Body {
		switch s := s.(type) {
		case *ir.Decl:
			declared[s.Var] = true
		case *ir.Comment:
		case *ir.Assign:
			ok = ok && (declared[s.Var] || s.Var.Kind == ir.U8) // flags are known to be ORed
		case *ir.Checked:
			ok = ok && declared[s.Var]
		case *ir.Store:
			ok = ok && i == last
		default:
			return false
		}
		stmtExprs(s, func(x ir.Expr) {
			ir.WalkExpr(x, func(x ir.Expr) {
				if l, is := x.(*ir.Load); is && l.Buf == first.Buf {
					ok = ok && index(l.Index, p.j.Var) == at
				}
			})
		})
	}
	return ok && !loadsAny(p.store.Index)
}

// loadsAny reports whether an expression reads memory.
func loadsAny(x ir.Expr) bool {
	found := false
	ir.WalkExpr(x, func(x ir.Expr) {
		if _, ok := x.(*ir.Load); ok {
			found = true
		}
	})
	return found
}

// operands collects the largest expressions with loads that depend on one side
// only. rows are the variables that belong to a row, inner those of the loops.
func (p *product) operands(rows, inner map[*ir.Var]bool) {
	var visit func(x ir.Expr)
	visit = func(x ir.Expr) {
		if x == nil || !loadsAny(x) {
			return
		}
		left, right, other := false, false, false
		ir.WalkExpr(x, func(x ir.Expr) {
			switch x := x.(type) {
			case *ir.Use:
				left = left || rows[x.Var]
				right = right || x.Var == p.j.Var
				other = other || inner[x.Var] && x.Var != p.j.Var && x.Var != p.k.Var
			case *ir.Load:
				other = other || x.Buf == p.store.Buf
			}
		})
		switch {
		case other || left && right:
			for _, y := range children(x) {
				visit(y)
			}
		case right:
			p.right = append(p.right, x)
		default:
			p.left = append(p.left, x)
		}
	}
	for _, s := range p.j.Body {
		stmtExprs(s, func(x ir.Expr) {
			if x != nil {
				visit(x)
			}
		})
	}
}

// children returns the operands of an expression.
func children(x ir.Expr) []ir.Expr {
	switch x := x.(type) {
	case *ir.Load:
		return []ir.Expr{x.Index}
	case *ir.Unary:
		return []ir.Expr{x.X}
	case *ir.Binary:
		return []ir.Expr{x.X, x.Y}
	case *ir.Select:
		return []ir.Expr{x.Cond, x.Then, x.Else}
	case *ir.Convert:
		return []ir.Expr{x.X}
	case *ir.Math:
		return x.Args
	}
	return nil
}

// OpenCL C.

// productText writes the kernel of an inner product.
func (pl *planner) productText(t *kernelText, k *kernel) {
	p := k.product
	rows := t.sizeText(0, len(k.dims))
	tile := p.side * p.block
	countJ, firstJ := fmt.Sprintf("count%d", len(k.dims)), fmt.Sprintf("first%d", len(k.dims))
	countK, firstK := fmt.Sprintf("count%d", len(k.dims)+1), fmt.Sprintf("first%d", len(k.dims)+1)
	t.head(k, k.name, groupAttribute(pl.plan.GroupSize), answersParam)
	t.flags(k)
	t.line("const int me = get_local_id(0), li = me / %d, lj = me %% %d;", p.side, p.side)
	t.line("const long rows = %s, across = (%s + %d) / %d;", rows, countJ, tile-1, tile)
	t.line("const long top = get_group_id(0) / across * %d, left = get_group_id(0) %% across * %d;", tile, tile)
	for n, x := range p.left {
		t.line("__local %s lefts%d[%d];", cltype(x.Kind()), n, tile*(p.side+1))
	}
	for n, x := range p.right {
		t.line("__local %s rights%d[%d];", cltype(x.Kind()), n, tile*p.side)
	}
	elem := cltype(p.store.Buf.Elem)
	t.line("%s sums[%d][%d];", elem, p.block, p.block)
	t.open("for (int r = 0; r < %d; r++)", p.block)
	t.line("for (int c = 0; c < %d; c++) sums[r][c] = %s;", p.block, t.expr(p.zero))
	t.close()
	t.open("for (long base = 0; base < %s; base += %d)", countK, p.side)
	t.line("const int deep = (int)min((long)%d, %s - base);", p.side, countK)
	t.stage(p.left, "lefts", "e / %d", "e % %d", fmt.Sprintf("%d + ", p.side+1), tile, pl.plan.GroupSize, p, func() {
		t.productRow(k, "top + r")
		t.line("const long %s = %s + base + q;", t.declare(p.k.Var), firstK)
	})
	t.stage(p.right, "rights", "e % %d", "e / %d", "", tile, pl.plan.GroupSize, p, func() {
		t.line("const long %s = %s + min(left + r, %s - 1);", t.declare(p.j.Var), firstJ, countJ)
		t.line("const long %s = %s + base + q;", t.declare(p.k.Var), firstK)
	})
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.open("for (int q = 0; q < deep; q++)")
	t.line("const long %s = %s + base + q;", t.declare(p.k.Var), firstK)
	t.line("#pragma unroll")
	t.open("for (int r = 0; r < %d; r++)", p.block)
	t.productRow(k, fmt.Sprintf("top + li + r * %d", p.side))
	t.line("#pragma unroll")
	t.open("for (int c = 0; c < %d; c++)", p.block)
	t.line("const long %s = %s + min(left + lj + c * %d, %s - 1);", t.declare(p.j.Var), firstJ, p.side, countJ)
	t.productTerm(p, fmt.Sprintf("[(li + r * %d) * %d + q]", p.side, p.side+1), func(n int) string {
		return fmt.Sprintf("rights%d[q * %d + lj + c * %d]", n, p.side*p.block, p.side)
	})
	t.close()
	t.close()
	t.close()
	t.line("barrier(CLK_LOCAL_MEM_FENCE);")
	t.close()
	t.open("for (int r = 0; r < %d; r++)", p.block)
	t.open("if (top + li + r * %d < rows)", p.side)
	t.productRow(k, fmt.Sprintf("top + li + r * %d", p.side))
	t.open("for (int c = 0; c < %d; c++)", p.block)
	t.line("const long %s = %s + left + lj + c * %d;", t.declare(p.j.Var), firstJ, p.side)
	t.line("if (left + lj + c * %d < %s) %s[%s] = %s;", p.side, countJ, t.buf(p.store.Buf), t.expr(p.store.Index), t.sum(p))
	for range 3 {
		t.close()
	}
	t.raise(k)
	t.close()
}

// productRow declares the variables of the row at a place, the last one's
// beyond the end.
func (t *kernelText) productRow(k *kernel, at string) {
	row := t.fresh("row")
	t.line("const long %s = min(%s, rows - 1);", row, at)
	t.indices(k.dims, row)
	t.block(k.product.decls)
}

// stage writes the loops that put operands into local memory: place r of the
// tile's side, term q.
func (t *kernelText) stage(list []ir.Expr, name, r, q, stride string, tile, size int64, p *product, declare func()) {
	if len(list) == 0 {
		return
	}
	// The tile of the left side has a row of terms for each place, that of the
	// right one a row of places for each term.
	by := p.side
	at := fmt.Sprintf("r * %d + q", p.side+1)
	if stride == "" {
		by = tile
		at = fmt.Sprintf("q * %d + r", tile)
	}
	t.open("for (int e = me; e < %d; e += %d)", tile*p.side, size)
	t.line("const int r = %s, q = %s;", strings.ReplaceAll(r, "%d", fmt.Sprint(by)), strings.ReplaceAll(q, "%d", fmt.Sprint(by)))
	t.open("if (q < deep)")
	declare()
	for n, x := range list {
		t.line("%s%d[%s] = %s;", name, n, at, t.number(x))
	}
	t.close()
	t.close()
}

// productTerm writes what a term adds to the element of a row and a column of
// a work-item's block. What depends on the row is at a place of its tile, or
// read where there is none, what depends on the column where right says.
func (t *kernelText) productTerm(p *product, left string, right func(n int) string) {
	t.staged = map[ir.Expr]string{}
	for n, x := range p.left {
		if left != "" {
			t.staged[x] = fmt.Sprintf("lefts%d%s", n, left)
		}
	}
	for n, x := range p.right {
		t.staged[x] = right(n)
	}
	sum := func(x ir.Expr) {
		ir.WalkExpr(x, func(x ir.Expr) {
			if l, ok := x.(*ir.Load); ok && l.Buf == p.store.Buf {
				t.staged[l] = "sums[r][c]"
			}
		})
	}
	for _, s := range p.j.Body {
		if s == ir.Stmt(p.store) {
			sum(p.store.X)
			if carries(p.store.X) { // what is stored is looked at
				t.line("sums[r][c] = %s;", t.expr(p.store.X))
			} else {
				t.line("sums[r][c] = %s;", t.number(p.store.X))
			}
			continue
		}
		stmtExprs(s, sum)
		t.stmt(s)
	}
	t.staged = nil
}

// sum writes an element of a block that is complete.
func (t *kernelText) sum(p *product) string {
	if t.watch && p.store.Buf.Elem == ir.F64 && carries(p.store.X) {
		return "tl_noted(sums[r][c], &over)"
	}
	return "sums[r][c]"
}
