package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila"
)

// threshold is the number of iterations of a nest from which threads are worth
// their start.
const threshold = 1 << 15

// threads returns the pragma that shares the outermost loop of a nest among
// threads, "" where it is not to be shared.
func (b *body) threads(n *laila.Nest) string {
	if b.opt.Target != OpenMP || b.parallel || !b.shareable(n) {
		return ""
	}
	big, ok := b.bigEnough(n)
	if !ok {
		return ""
	}
	clauses := b.flagClauses(n)
	if len(n.Dims) == 0 {
		more, ok := b.accClauses(n)
		if !ok {
			return ""
		}
		clauses = append(more, clauses...)
	}
	kind := "parallel for"
	if len(n.Dims) == 0 && len(n.Red) == 1 && isStraight(n.Body) {
		kind = "parallel for simd"
	}
	return strings.TrimRight(fmt.Sprintf("#pragma omp %s schedule(static)%s %s", kind, big, strings.Join(clauses, " ")), " ")
}

// shareable reports whether the iterations of the outermost loop of n can run
// at once: it is a segmap or segred, nothing but its flags and accumulators is
// carried, and nothing in it has effects or stops the program.
func (b *body) shareable(n *laila.Nest) bool {
	if n.Kind != laila.SegMap && n.Kind != laila.SegRed {
		return false
	}
	for _, list := range [][]laila.Stmt{n.Pre, n.Body, n.Post} {
		if !b.quiet(list, map[*laila.Func]bool{}) {
			return false
		}
	}
	return !carries(n)
}

// quiet reports whether statements neither call the run-time library, nor
// recurse, nor fail, nor return.
func (b *body) quiet(list []laila.Stmt, seen map[*laila.Func]bool) bool {
	quiet := true
	walk(list, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Runtime, *laila.Fail:
			quiet = false
		case *laila.Return:
			quiet = quiet && len(seen) > 0
		case *laila.Call:
			if seen[s.Fn] {
				return
			}
			seen[s.Fn] = true
			quiet = quiet && !s.Fn.Recursive && b.quiet(s.Fn.Body, seen)
		}
	})
	return quiet
}

// carries reports whether an iteration of n assigns to something declared
// outside of it other than its flags and accumulators.
func carries(n *laila.Nest) bool {
	vars, bufs := map[*laila.Var]bool{}, map[*laila.Buf]bool{}
	for _, f := range n.Flags {
		vars[f] = true
	}
	for _, a := range n.Accs {
		vars[a.Var] = true
	}
	all := append(append(append([]laila.Stmt{}, n.Pre...), n.Body...), n.Post...)
	if len(n.Dims) == 0 { // Pre and Post stand outside of the loop
		all = n.Body
	}
	walk(all, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Decl:
			vars[s.Var] = true
		case *laila.DeclBuf:
			bufs[s.Buf] = true
		case *laila.Call:
			for _, p := range pieces(s.Results) {
				if p.v != nil {
					vars[p.v] = true
				} else {
					bufs[p.buf] = true
				}
			}
		}
	})
	carried := false
	walk(all, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Assign:
			carried = carried || !vars[s.Var]
		case *laila.Checked:
			carried = carried || !vars[s.Var] || !vars[s.Flag]
		case *laila.Move:
			carried = carried || !bufs[s.Dst] || !bufs[s.Src]
		case *laila.Swap:
			carried = carried || !bufs[s.A] || !bufs[s.B]
		case *laila.Free:
			carried = carried || !bufs[s.Buf]
		}
	})
	return carried
}

// bigEnough returns the clause that keeps small nests on one thread; it is not
// ok where the nest is small for certain.
func (b *body) bigEnough(n *laila.Nest) (string, bool) {
	inside := map[*laila.Var]bool{}
	constant, factors := int64(1), []string(nil)
	for _, d := range append(append([]laila.Dim{}, n.Dims...), n.Red...) {
		inside[d.Var] = true
		lo, lok := d.Lo.(*laila.Int)
		hi, hok := d.Hi.(*laila.Int)
		switch {
		case lok && hok:
			constant *= max(hi.Val-lo.Val, 0)
			if constant > 1<<40 {
				return "", true
			}
		case mentions(d.Lo, inside) || mentions(d.Hi, inside) || !simple(d.Lo) || !simple(d.Hi):
		case lok && lo.Val == 0:
			factors = append(factors, b.render(d.Hi, false).in(precMul))
		default:
			factors = append(factors, fmt.Sprintf("(%s - %s)", b.render(d.Hi, false).in(precAdd), b.render(d.Lo, false).in(precMul)))
		}
	}
	if len(factors) == 0 {
		return "", constant > threshold
	}
	if constant > 1 {
		factors = append(factors, fmt.Sprint(constant))
	}
	return fmt.Sprintf(" if(parallel : %s > %d)", strings.Join(factors, " * "), threshold), true
}

// simple reports whether x is made of variables, constants and arithmetic.
func simple(x laila.Expr) bool {
	ok := true
	walkExpr(x, func(x laila.Expr) {
		switch x.(type) {
		case *laila.Int, *laila.Use, *laila.Binary:
		default:
			ok = false
		}
	})
	return ok
}

func mentions(x laila.Expr, vars map[*laila.Var]bool) bool {
	found := false
	walkExpr(x, func(x laila.Expr) {
		if u, ok := x.(*laila.Use); ok && vars[u.Var] {
			found = true
		}
	})
	return found
}
