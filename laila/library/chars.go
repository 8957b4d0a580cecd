package library

import (
	"math"
	"slices"

	"github.com/tailor-lang/tailor/laila/build"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/search"
	"github.com/tailor-lang/tailor/tail"
)

// versionLimit is the largest number of nodes of what follows the reading of a
// text for which it is compiled twice.
const versionLimit = 600

// Spine lowers the main program: a chain of lets. What follows the reading of
// a text is lowered twice, as most texts fit in bytes, which are a quarter of
// the memory and four times as many in a vector.
func Spine(g *build.Builder, e tail.Expr) {
	for {
		let, ok := e.(*tail.Let)
		if !ok {
			g.Expr(e)
			return
		}
		g.Comment(let)
		if read, ok := let.Bind.(*tail.Apply); ok && read.Op == tail.OpReadText && g.On("bytes") && nodes(let.Body, versionLimit) < versionLimit {
			readTwice(g, let, read)
			return
		}
		search.Lets(g, let)
		e = let.Body
	}
}

// readTwice lowers the reading of a text and both versions of what follows.
func readTwice(g *build.Builder, let *tail.Let, read *tail.Apply) {
	outer := g.Src
	g.Src = read.Where
	name := g.Argument(g.Args(read.Args)[0])
	g.Force()
	narrow, n := g.NewVar("narrow", ir.U8), g.NewVar("d", ir.I64)
	g.Ranges[n], g.Steady[n] = facts.Between(0, facts.MaxExtent), true
	bytes, wide := &ir.Buf{Name: "bytes", Elem: ir.C8}, &ir.Buf{Name: "text", Elem: ir.C32}
	limit := narrowLimit(let.Body)
	g.Bufs[bytes] = facts.Between(0, limit-1)
	dims := []ir.Expr{n.Use()}
	g.Emit(&ir.Runtime{Fn: "readchars", Args: []ir.RuntimeArg{{Array: &name}, {X: ir.Integer(limit)}}, At: read.Where,
		Results: []ir.Array{{Elem: ir.U8, Scalar: narrow}, {Elem: ir.C8, Buf: bytes, Dims: dims}, {Elem: ir.C32, Buf: wide, Dims: dims}}})
	g.Own(bytes)
	g.Own(wide)
	g.Src = outer
	version := func(b *ir.Buf, most int64) []ir.Stmt {
		d := g.NewVar("d", ir.I64)
		g.Ranges[d], g.Steady[d] = facts.Between(0, most), true
		body := g.Block(func() {
			g.Bind(let, build.Array1(g.Stored(ir.C32, b, []ir.Expr{d.Use()})))
			Spine(g, let.Body)
		})
		return append([]ir.Stmt{d.Decl(n.Use())}, body...)
	}
	then := version(bytes, maxBytes)
	g.Emit(&ir.If{Cond: narrow.Use(), Then: then, Else: version(wide, facts.MaxExtent)})
}

// narrowLimit is what all characters of a text that is read as bytes are below:
// 128 where e makes capitals, as those of two others are no bytes.
func narrowLimit(e tail.Expr) int64 {
	limit := int64(256)
	tail.Walk(e, func(e tail.Expr) bool {
		if a, ok := e.(*tail.Apply); ok && (a.Op == tail.OpUpperC || a.Op == tail.OpFoldC) {
			limit = 128
		}
		return limit == 256
	})
	return limit
}

// nodes counts the nodes of e, up to a limit.
func nodes(e tail.Expr, limit int) int {
	n := 0
	tail.Walk(e, func(tail.Expr) bool {
		n++
		return n < limit
	})
	return n
}

// maxBytes is the most characters that are read as bytes: their positions fit
// in 32 bits.
const maxBytes = 2000000000

// charRuns is the largest number of runs of neighbours in a set of constants
// that membership is tested for by comparisons.
const charRuns = 6

// memberOf tests for membership in a few constants, by comparisons with the
// ends of their runs; nil where that is not possible.
func memberOf(g *build.Builder, args []*build.Value) *build.Value {
	x, set := args[0], args[1].Arr
	if set == nil || x.Kind() != set.Elem || set.Elem != ir.C32 && set.Elem != ir.I64 && set.Elem != ir.U8 {
		return nil
	}
	values, ok := g.Constants(set)
	if !ok {
		return nil
	}
	runs := runsOf(values)
	if len(runs) > charRuns {
		return nil
	}
	if x.Arr == nil {
		return build.Scalar1(inOne(g, x.X, runs))
	}
	return build.Array1(truths(g, x.Arr, len(runs), func(c ir.Expr) ir.Expr { return inOne(g, c, runs) }))
}

// truths returns the truth values that a test gives for the elements of x.
func truths(g *build.Builder, x *build.Pull, cost int, test func(c ir.Expr) ir.Expr) *build.Pull {
	g.Pullable(x)
	q := &build.Pull{Elem: ir.U8, Dims: x.Dims, Rng: facts.Between(0, 1), Cost: x.Cost + cost, Faults: x.Faults, Pieces: x.Pieces, Srcs: []*build.Pull{x}, Pointwise: true}
	if x.At != nil || x.Flat != nil {
		q.At = func(ix []ir.Expr) ir.Expr { return test(g.Index(x, ix)) }
	}
	if x.Flat != nil {
		q.Flat = func(i ir.Expr) ir.Expr { return test(g.IndexFlat(x, i)) }
	}
	return q
}

// inOne tests for membership in one of some runs.
func inOne(g *build.Builder, c ir.Expr, runs []facts.Interval) ir.Expr {
	c = g.Slim("c", c)
	in := ir.Boolean(false)
	for k := 0; k < len(runs); k++ {
		if b, bit := bothCases(g, c, runs[k:]); bit != 0 {
			in = ir.Or(in, g.BytesFrom(ir.OpOr.Of(b, &ir.Int{Val: bit, K: ir.C8}), runs[k+1]))
			k++
			continue
		}
		in = ir.Or(in, inRun(g, c, runs[k]))
	}
	return in
}

// inRun tests for membership in a run.
func inRun(g *build.Builder, c ir.Expr, r facts.Interval) ir.Expr {
	lo, hi := &ir.Int{Val: r.Lo, K: c.Kind()}, &ir.Int{Val: r.Hi, K: c.Kind()}
	if r.Lo == r.Hi {
		return g.Compare(ir.OpEq, c, lo)
	}
	if b, ok := ir.ByteOf(c); ok && g.CPU() && r.Hi < 256 {
		return g.BytesFrom(b, r)
	}
	return ir.And(g.Compare(ir.OpGe, c, lo), g.Compare(ir.OpLe, c, hi))
}

// bothCases returns c as a byte, and the bit in which the first two of the runs
// differ, as small and capital letters do: with the bit set, c is in the second
// one where it was in one of them. The bit is 0 where they differ otherwise.
func bothCases(g *build.Builder, c ir.Expr, runs []facts.Interval) (b ir.Expr, bit int64) {
	if len(runs) < 2 || runs[1].Hi > 255 || runs[0].Lo < 0 || !g.CPU() {
		return nil, 0
	}
	b, ok := ir.ByteOf(c)
	if !ok {
		return nil, 0
	}
	first, second := runs[0], runs[1]
	bit = second.Lo - first.Lo
	same := first.Lo < first.Hi && bit&(bit-1) == 0 && second.Hi-first.Hi == bit && first.Lo&bit == 0 && first.Lo/(2*bit) == first.Hi/(2*bit) && first.Hi&bit == 0
	if !same {
		return nil, 0
	}
	return b, bit
}

// runsOf returns the runs of neighbours among values.
func runsOf(values []int64) []facts.Interval {
	sorted := append([]int64{}, values...)
	slices.Sort(sorted)
	var runs []facts.Interval
	for _, v := range sorted {
		if n := len(runs); n > 0 && v <= runs[n-1].Hi+1 && runs[n-1].Hi < math.MaxInt64 {
			runs[n-1].Hi = v
			continue
		}
		runs = append(runs, facts.Between(v, v))
	}
	return runs
}
