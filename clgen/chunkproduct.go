package clgen

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
)

// On a CPU a work-item has consecutive rows of an inner product. For a few
// columns and a part of the terms at a time it puts the operands of the columns
// side by side, and then goes through its rows: of a few of them the elements
// of these columns are in registers, as vectors, while their terms are added in
// order.
//
//	for left = 0, 8 … m
//	  for base = 0, 256 … l
//	    rights[q, c] = b[base+q; left+c]
//	    for top = from, from+4 … to
//	      sums[r, c] = c[top+r; left+c]
//	      for q: sums[r, c] = f(sums[r, c], g(a[top+r; base+q], rights[q, c]))
//	      c[top+r; left+c] = sums[r, c]
//
// Rows that are left are taken one by one; columns beyond the last are the last
// once more, and are not stored.

// How much of a product is at hand: vectors of a row of the block, their bytes,
// and terms for each row of the block.
const (
	blockVectors = 2
	vectorBytes  = 32
	blockTerms   = 64
)

// chunkBlock is the block of a work-item of the Chunks schedule, of rows and
// columns, and how many terms are put side by side.
func (p *product) chunkBlock() (rows, columns, terms int64) {
	width := eval.SizeOf(p.store.Buf.Elem)
	for _, x := range p.right {
		width = max(width, eval.SizeOf(x.Kind()))
	}
	return p.block, blockVectors * vectorBytes / max(width, 4), blockTerms * p.block
}

// fewColumns reports whether rows are known to be shorter than a vector.
func (p *product) fewColumns() bool {
	_, columns, _ := p.chunkBlock()
	_, known := p.j.Hi.(*ir.Int)
	return known && trips(p.j.Lo, p.j.Hi) < columns/blockVectors
}

// chunkProductText writes the kernel of an inner product for a CPU.
func (pl *planner) chunkProductText(t *kernelText, k *kernel) {
	p := k.product
	block, columns, terms := p.chunkBlock()
	dims := len(k.dims)
	countJ, firstJ := fmt.Sprintf("count%d", dims), fmt.Sprintf("first%d", dims)
	countK, firstK := fmt.Sprintf("count%d", dims+1), fmt.Sprintf("first%d", dims+1)
	t.head(k, k.name, "", answersParam)
	t.flags(k)
	t.line("const long rows = %s, item = get_global_id(0), items = get_global_size(0);", t.sizeText(0, dims))
	t.line("const long from = rows * item / items, to = rows * (item + 1) / items;")
	for n, x := range p.right {
		t.line("%s rights%d[%d];", cltype(x.Kind()), n, terms*columns)
	}
	t.open("for (long left = 0; left < %s; left += %d)", countJ, columns)
	t.open("for (long base = 0; base == 0 || base < %s; base += %d)", countK, terms)
	t.line("const int deep = (int)min((long)%d, %s - base);", terms, countK)
	if len(p.right) > 0 {
		t.open("for (int q = 0; q < deep; q++)")
		t.line("const long %s = %s + base + q;", t.declare(p.k.Var), firstK)
		t.open("for (int c = 0; c < %d; c++)", columns)
		t.line("const long %s = %s + min(left + c, %s - 1);", t.declare(p.j.Var), firstJ, countJ)
		for n, x := range p.right {
			t.line("rights%d[q * %d + c] = %s;", n, columns, t.number(x))
		}
		t.close()
		t.close()
	}
	t.line("long top = from;")
	for _, rows := range []int64{block, 1} {
		t.open("for (; top + %d <= to; top += %d)", rows, rows)
		t.chunkBlock(k, rows, columns, countJ, firstJ, firstK)
		t.close()
		if block == 1 {
			break
		}
	}
	t.close()
	t.close()
	t.raise(k)
	t.close()
}

// chunkBlock writes what is done for a block of elements and the terms at hand.
func (t *kernelText) chunkBlock(k *kernel, rows, columns int64, countJ, firstJ, firstK string) {
	p := k.product
	each := func(body func()) {
		t.line("#pragma unroll")
		t.open("for (int r = 0; r < %d; r++)", rows)
		t.indices(k.dims, "(top + r)")
		t.block(p.decls)
		t.line("#pragma unroll")
		t.open("for (int c = 0; c < %d; c++)", columns)
		body()
		t.close()
		t.close()
	}
	at := fmt.Sprintf("const long %s = %s + min(left + c, %s - 1);", t.declare(p.j.Var), firstJ, countJ)
	t.line("%s sums[%d][%d];", cltype(p.store.Buf.Elem), rows, columns)
	t.open("if (base == 0)")
	each(func() { t.line("sums[r][c] = %s;", t.expr(p.zero)) })
	t.close()
	t.open("else")
	each(func() {
		t.line("%s", at)
		t.line("sums[r][c] = %s[%s];", t.buf(p.store.Buf), t.expr(p.store.Index))
	})
	t.close()
	t.open("for (int q = 0; q < deep; q++)")
	t.line("const long %s = %s + base + q;", t.declare(p.k.Var), firstK)
	each(func() {
		t.line("%s", at)
		t.productTerm(p, "", func(n int) string { return fmt.Sprintf("rights%d[q * %d + c]", n, columns) })
	})
	t.close()
	each(func() {
		t.line("%s", at)
		t.line("if (left + c < %s) %s[%s] = %s;", countJ, t.buf(p.store.Buf), t.expr(p.store.Index), t.sum(p))
	})
}
