package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// How work is shared among threads. The outermost nest, or loop of independent
// iterations, that is worth it is shared (cost.go says when); what stands
// inside runs on one thread. Nests over Dims are cut into as many parts as
// there are threads, or taken piece by piece where iterations differ in length.
// A reduction is cut into parts blocks of consecutive terms, whatever the
// number of threads, and their results are joined in order (partial.go); a
// running scan goes over its blocks twice (scan.go). So results do not depend
// on the number of threads, those of sums of doubles neither.

// fewTrips is the number of iterations of a loop from which each thread has its
// part of them.
const fewTrips = 8

// sharing says how the iterations of a nest are shared.
type sharing struct {
	// when is the C condition that makes it worth it, "" where it always is.
	when string
	// uneven reports that iterations may differ much in length.
	uneven bool
	// dim is the loop of Dims to share.
	dim int
}

// spreads reports whether nests are cut up as for threads: they are for
// OpenMP, and where a sequential program is to give the same sums.
func (e *emitter) spreads() bool { return e.opt.Target == OpenMP || e.opt.Reproducible }

// pragma writes a line for the compiler where there are threads.
func (b *body) pragma(format string, args ...any) {
	if b.opt.Target == OpenMP {
		if b.opt.Tested != nil && strings.HasPrefix(format, "parallel") {
			b.line("tl_shared_work = 1;")
		}
		b.line("%s", strings.TrimRight("#pragma omp "+fmt.Sprintf(format, args...), " "))
	}
}

// sharing returns how n is shared; it is not ok where it is not.
func (b *body) sharing(n *ir.Nest) (sharing, bool) {
	if !b.spreads() || b.parallel {
		return sharing{}, false
	}
	if !b.shareable(n) {
		b.noteSharing(n, false, b.obstacle(n))
		return sharing{}, false
	}
	s := sharing{uneven: !n.Even && b.uneven(n)}
	for i, d := range n.Dims { // a loop that is known to be short does not give every thread its part
		if trips, ok := constantTrips(d); !ok || trips >= fewTrips {
			s.dim = i
			break
		}
	}
	when, ok := b.worthwhile(n)
	s.when = when
	switch {
	case !ok:
		b.noteSharing(n, false, "too little work")
	case s.uneven:
		b.noteSharing(n, true, "piece by piece, as steps may differ in length")
	case len(n.Dims) == 0 && n.Ordered() && len(n.Red) == 1:
		b.noteSharing(n, true, fmt.Sprintf("in blocks of %d terms", num.Block))
	case len(n.Dims) == 0:
		b.noteSharing(n, true, fmt.Sprintf("in %d blocks", parts))
	default:
		b.noteSharing(n, true, "")
	}
	return s, ok
}

// schedule returns the clause that says how iterations of d are shared.
func (b *body) schedule(s sharing, d ir.Dim) string {
	if !s.uneven {
		return "schedule(static)"
	}
	if trips, ok := constantTrips(d); ok {
		return fmt.Sprintf("schedule(dynamic, %d)", 1+trips/256)
	}
	hi := b.render(d.Hi, false)
	if lo, ok := d.Lo.(*ir.Int); ok && lo.Val == 0 {
		return fmt.Sprintf("schedule(dynamic, 1 + %s / 256)", hi.in(precMul))
	}
	return fmt.Sprintf("schedule(dynamic, 1 + (%s - %s) / 256)", hi.in(precAdd), b.render(d.Lo, false).in(precMul))
}

func constantTrips(d ir.Dim) (int64, bool) {
	lo, lok := d.Lo.(*ir.Int)
	hi, hok := d.Hi.(*ir.Int)
	if !lok || !hok {
		return 0, false
	}
	return max(hi.Val-lo.Val, 0), true
}

// shareable reports whether the iterations of the outermost loop of n can run
// at once: it is a segmap or segred, nothing but its flags and accumulators is
// carried, and nothing in it has effects; it stops the program only where the loop
// holds the fault of its first iteration that has one (hold.go).
func (b *body) shareable(n *ir.Nest) bool {
	if n.Kind != ir.SegMap && n.Kind != ir.SegRed {
		return false
	}
	lists := [][]ir.Stmt{n.Pre, n.Body, n.Post}
	if len(n.Dims) == 0 {
		if len(n.Red) == 0 || !joinable(n) {
			return false
		}
		lists = [][]ir.Stmt{n.Body}
	}
	for _, list := range lists {
		if !b.quiet(list, len(n.Dims) > 0, map[*ir.Func]bool{}) {
			return false
		}
	}
	return !carries(n)
}

// joinable reports whether partial results of all accumulators can be joined.
// A checked sum cannot: in another order it overflows elsewhere.
func joinable(n *ir.Nest) bool {
	accs := map[*ir.Var]bool{}
	for _, a := range n.Accs {
		if _, ok := reduction(a); !ok {
			return false
		}
		accs[a.Var] = true
	}
	return len(accs) > 0 && !checkedSum(n.Body, accs)
}

// pure are the functions of the run-time library that any number of threads may call
// at once, and that end the program only where memory does.
var pure = map[string]bool{
	"gradeup": true, "gradedown": true, "order": true, "sorted": true, "leading": true, "indexof": true, "member": true,
	"intervalindex": true, "find": true, "firstcell": true, "firstitem": true, "unique": true, "without": true, "match": true,
}

// quiet reports whether statements neither call impure functions of the run-time
// library, nor recurse, nor return, nor fail, but perhaps in the statements
// themselves where a loop holds their faults.
func (b *body) quiet(list []ir.Stmt, holds bool, seen map[*ir.Func]bool) bool {
	quiet := true
	walk(list, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Runtime:
			quiet = quiet && pure[s.Fn]
		case *ir.Fail:
			quiet = quiet && holds && len(seen) == 0
		case *ir.Return:
			quiet = quiet && len(seen) > 0
		case *ir.Call:
			if seen[s.Fn] {
				return
			}
			seen[s.Fn] = true
			quiet = quiet && !s.Fn.Recursive && b.quiet(s.Fn.Body, holds, seen)
		}
	})
	return quiet
}

// carries reports whether an iteration of n assigns to something declared
// outside of it other than its flags and accumulators.
func carries(n *ir.Nest) bool {
	vars, bufs := map[*ir.Var]bool{}, map[*ir.Buf]bool{}
	for _, f := range n.Flags {
		vars[f] = true
	}
	for _, a := range n.Accs {
		vars[a.Var] = true
	}
	all := append(append(append([]ir.Stmt{}, n.Pre...), n.Body...), n.Post...)
	if len(n.Dims) == 0 { // Pre and Post stand outside of the loop
		all = n.Body
	}
	results := func(list []ir.Array) {
		for _, p := range pieces(list) {
			if p.v != nil {
				vars[p.v] = true
			} else {
				bufs[p.buf] = true
			}
		}
	}
	walk(all, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl:
			vars[s.Var] = true
		case *ir.DeclBuf:
			bufs[s.Buf] = true
		case *ir.Alias:
			bufs[s.Dst] = true
		case *ir.Call:
			results(s.Results)
		case *ir.Runtime:
			results(s.Results)
		}
	})
	carried := false
	walk(all, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Assign:
			carried = carried || !vars[s.Var]
		case *ir.Filter:
			carried = carried || !vars[s.Count]
		case *ir.Checked:
			carried = carried || !vars[s.Var] || !vars[s.Flag]
		case *ir.Move:
			carried = carried || !bufs[s.Dst] || !bufs[s.Src]
		case *ir.Swap:
			carried = carried || !bufs[s.A] || !bufs[s.B]
		case *ir.Free:
			carried = carried || !bufs[s.Buf]
		}
	})
	return carried
}

// uneven reports whether the iterations of n may differ much in length: they
// have loops that end by a test, or whose extents they compute.
func (b *body) uneven(n *ir.Nest) bool {
	inside := map[*ir.Var]bool{}
	for _, d := range append(append([]ir.Dim{}, n.Dims...), n.Red...) {
		inside[d.Var] = true
	}
	uneven := false
	differs := func(d ir.Dim) {
		uneven = uneven || mentions(d.Lo, inside) || mentions(d.Hi, inside)
		inside[d.Var] = true
	}
	seen := map[*ir.Func]bool{}
	var visit func(s ir.Stmt)
	visit = func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl:
			inside[s.Var] = true
		case *ir.Loop, *ir.Runtime:
			uneven = true
		case *ir.For:
			differs(ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi})
		case *ir.Nest:
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				differs(d)
			}
		case *ir.Call:
			if !seen[s.Fn] {
				seen[s.Fn] = true
				walk(s.Fn.Body, visit)
			}
		}
	}
	for _, list := range [][]ir.Stmt{n.Pre, n.Body, n.Post} {
		walk(list, visit)
	}
	return uneven
}

func mentions(x ir.Expr, vars map[*ir.Var]bool) bool {
	found := false
	ir.WalkExpr(x, func(x ir.Expr) {
		if u, ok := x.(*ir.Use); ok && vars[u.Var] {
			found = true
		}
	})
	return found
}

// threaded returns the functions that are called where threads may share the
// work already: their own nests stay on one.
func threaded(funcs []*ir.Func) map[*ir.Func]bool {
	marked := map[*ir.Func]bool{}
	var mark func(list []ir.Stmt)
	mark = func(list []ir.Stmt) {
		walk(list, func(s ir.Stmt) {
			if c, ok := s.(*ir.Call); ok && !marked[c.Fn] {
				marked[c.Fn] = true
				mark(c.Fn.Body)
			}
		})
	}
	for _, f := range funcs {
		walk(f.Body, func(s ir.Stmt) {
			switch s := s.(type) {
			case *ir.Nest:
				mark([]ir.Stmt{s})
			case *ir.For:
				if s.Independent {
					mark(s.Body)
				}
			}
		})
	}
	return marked
}
