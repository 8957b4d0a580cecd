package cgen

import (
	"github.com/tailor-lang/tailor/laila"
)

// maxGrouped is how many elements all blocks' sums by groups have at most, and
// groupedTrips how many terms there are at least for one of them.
const (
	maxGrouped   = 1 << 19
	groupedTrips = 4
)

// grouped is a loop that adds to elements of an array, and does nothing else:
//
//	for i = lo … hi
//	  for j = 0 … m: z[k[i]×m + j] = z[k[i]×m + j] + x[i; j]
type grouped struct {
	loop *laila.For
	sums *laila.Buf
}

// groupedOf recognises sums by groups of doubles; it is not ok where f is
// something else.
func groupedOf(f *laila.For) (*grouped, bool) {
	g := &grouped{loop: f}
	ok := true
	walk(f.Body, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Decl, *laila.Comment, *laila.If, *laila.For:
		case *laila.Nest:
			ok = ok && s.Kind == laila.SegMap && len(s.Flags) == 0
		case *laila.Store:
			ok = ok && (g.sums == nil || g.sums == s.Buf) && addsTo(s)
			g.sums = s.Buf
		default:
			ok = false
		}
	})
	return g, ok && g.sums != nil && g.sums.Elem == laila.F64 && loadsOf(f.Body, g.sums) == 1
}

// addsTo reports whether s adds something to an element, one number after the
// other.
func addsTo(s *laila.Store) bool {
	for x := s.X; ; {
		switch y := x.(type) {
		case *laila.Load:
			return x != s.X && y.Buf == s.Buf && laila.Same(y.Index, s.Index)
		case *laila.Binary:
			if y.Op != laila.Add {
				return false
			}
			x = y.X
		case *laila.Math:
			if y.Fn != "tl_fma" {
				return false
			}
			x = y.Args[2]
		default:
			return false
		}
	}
}

// loadsOf counts the places where statements read buf.
func loadsOf(list []laila.Stmt, buf *laila.Buf) int {
	n := 0
	walk(list, func(s laila.Stmt) {
		stmtExprs(s, func(x laila.Expr) {
			laila.WalkExpr(x, func(x laila.Expr) {
				if l, ok := x.(*laila.Load); ok && l.Buf == buf {
					n++
				}
			})
		})
	})
	return n
}

// sums writes sums by groups for threads: every block of iterations has sums
// of its own, which begin with ¯0 and are added to the array in order. How many
// blocks there are depends on the numbers of terms and groups alone. It reports
// whether it did.
func (b *body) sums(f *laila.For) bool {
	if !b.spreads() || b.parallel {
		return false
	}
	g, ok := groupedOf(f)
	if !ok {
		return false
	}
	d := laila.Dim{Var: f.Var, Lo: f.Lo, Hi: f.Hi}
	when, ok := b.worthwhile(&laila.Nest{Kind: laila.SegMap, Dims: []laila.Dim{d}, Body: f.Body})
	if !ok {
		return false
	}
	b.noteSharing(&laila.Nest{Dims: []laila.Dim{d}}, true, "in blocks with sums of their own")
	b.line("{")
	b.depth++
	trips := b.names.fresh("trips")
	b.line("const int64_t %s = %s;", trips, b.expr(&laila.Binary{Op: laila.Sub, X: d.Hi, Y: d.Lo}))
	size, blocks, own := b.names.fresh("size"), b.names.fresh("blocks"), b.names.fresh("own")
	whole := b.bufName(g.sums)
	if n := g.sums.Stack; n > 0 {
		b.line("const int64_t %s = %d;", size, n)
	} else {
		b.line("const int64_t %s = tl_block_bytes(%s) / 8;", size, whole)
	}
	b.line("const int64_t %s = tl_grouped_blocks(%s, %s, %d, %d, %d);", blocks, trips, size, parts, groupedTrips, maxGrouped)
	cond := blocks + " > 1"
	if when != "" {
		cond = "(" + when + ") && " + cond
	}
	b.line("if (%s) {", cond)
	b.depth++
	b.line("double *%s = tl_alloc(%s * %s, 8);", own, blocks, size)
	c := &cut{dim: d, lo: b.once(d.Lo) + " + ", trips: trips, blocks: blocks}
	b.parallel = true
	block, part := b.open(c, "schedule(static)")
	mine := b.names.fresh("mine")
	b.line("double *%s = %s + %s * %s;", mine, own, block, size)
	b.line("for (int64_t at = 0; at < %s; at++) %s[at] = -0.0;", size, mine)
	b.bufs[g.sums] = mine
	b.forLoop(part, f.Body, "")
	b.block(f.Body)
	b.line("}")
	b.bufs[g.sums] = whole
	b.close(1)
	b.parallel = false
	b.line("for (int64_t %s = 0; %s < %s; %s++)", block, block, blocks, block)
	b.line("  for (int64_t at = 0; at < %s; at++) %s[at] += %s[%s * %s + at];", size, whole, own, block, size)
	b.line("tl_free(%s);", own)
	b.depth--
	b.line("} else {")
	b.depth++
	b.plainLoop(f)
	b.close(2)
	return true
}
