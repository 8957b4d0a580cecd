package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// Columns runs a nest with a short last axis along the axis before it, in strips, where it has
// functions that are vector code: a C compiler calls them one by one in a loop of few iterations.
//
//	segmap i = 0 … n; j = 0 … 3
//	  y[(i × 3) + j] = exp(x[i] × c[j])
//
// becomes
//
//	segmap u = 0 … n quo 256; j = 0 … 3
//	  d = c[j]
//	  segmap p = 0 … 256
//	    i = (256 × u) + p
//	    y[(i × 3) + j] = exp(x[i] × d)
//	segmap i = 256 × n quo 256 … n; j = 0 … 3: as before
//
// Requires: bodies of nests without loops. Preserves: the values and flags.
func Columns(l *pass.Context, block []ir.Stmt) []ir.Stmt {
	return ir.RewriteNests(block, func(n *ir.Nest) []ir.Stmt {
		if !inColumns(n) {
			return []ir.Stmt{n}
		}
		return columns(l, n)
	})
}

const (
	// columnRows is the number of rows of a strip, whose elements stay in the first cache.
	columnRows = 256
	// fewColumns is the greatest extent of an axis that is no loop of vectors.
	fewColumns = 8
)

// inColumns reports whether a nest may run along its columns, and gains by it.
func inColumns(n *ir.Nest) bool {
	last := len(n.Dims) - 1
	if n.Kind != ir.SegMap || last < 1 || len(n.Red)+len(n.Pre)+len(n.Post) > 0 || len(n.Body) > blockedBody || !many(n.Dims[last-1]) {
		return false
	}
	trips, known := ir.Trips(n.Dims[last])
	return known && trips <= fewColumns && ir.IsLoopless(n.Body) && !branches(n.Body) && flow.VectorMath(n.Body)
}

// columns writes the nest over strips, and one for the rows that are left over.
func columns(l *pass.Context, n *ir.Nest) []ir.Stmt {
	row := len(n.Dims) - 2
	rows := n.Dims[row]
	trips, known := ir.Trips(rows)
	strips := ir.Quo(ir.Sub(rows.Hi, rows.Lo), ir.Integer(columnRows))
	outer, inner, rest := *n, *n, *n
	outer.Dims, rest.Dims = slices.Clone(n.Dims), slices.Clone(n.Dims)
	from := over(l, &outer.Dims[row], strips, columnRows)
	p := l.NewVar("p", ir.I64)
	l.Ranges[p] = facts.Between(0, columnRows-1)
	inner.Dims = []ir.Dim{{Var: p, Lo: ir.Integer(0), Hi: ir.Integer(columnRows)}}
	stays, body := constantLoads(l, n.Body, rows.Var)
	inner.Body = append([]ir.Stmt{rows.Var.Decl(ir.Add(from.Var.Use(), p.Use()))}, body...)
	outer.Body = append(append([]ir.Stmt{from}, stays...), &inner)
	if known && trips%columnRows == 0 {
		return []ir.Stmt{&outer}
	}
	rest.Dims[row].Lo = ir.Add(rows.Lo, ir.Mul(strips, ir.Integer(columnRows)))
	return []ir.Stmt{&outer, l.NewCloner().Stmt(&rest)}
}

// constantLoads returns the declarations of elements that a body loads from where a variable makes
// no difference, and a copy of the body with them.
func constantLoads(l *pass.Context, body []ir.Stmt, v *ir.Var) (loads, rest []ir.Stmt) {
	t := flow.NewSummary()
	for _, s := range body {
		t.Stmt(s)
	}
	c, varies := l.NewCloner(), map[*ir.Var]bool{v: true}
	twin := c.Twin
	c.Twin = func(v *ir.Var) *ir.Var {
		w := twin(v)
		varies[w] = true
		return w
	}
	c.Load = func(x *ir.Load) ir.Expr {
		if t.Stores[x.Buf] || ir.MentionsAny(x.Index, varies) {
			return x
		}
		w := l.NewVar("x", x.Buf.Elem)
		loads = append(loads, w.Decl(x))
		return w.Use()
	}
	return loads, c.Block(body)
}
