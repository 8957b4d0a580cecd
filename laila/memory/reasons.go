package memory

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Copied says of the copies of a function why they are not left out.
func Copied(f *ir.Func) map[*ir.Copy]Verdict {
	a := accessesOf(f)
	why := map[*ir.Copy]Verdict{}
	for _, p := range a.copies {
		if s, ok := p.stmt.(*ir.Copy); ok {
			why[s] = newCircuit(a, p, affine.Assumptions{}).holds()
		}
	}
	return why
}

// Stored says of the arrays that a function declares why they are stored.
func Stored(f *ir.Func) map[*ir.Buf]string {
	a := accessesOf(f)
	why := map[*ir.Buf]string{}
	for b := range a.of {
		if at, _ := a.declaration(b); at != nil {
			why[b] = a.reason(b, at)
		}
	}
	return why
}

// reason says why b, which is declared at a place, is stored.
func (a *accesses) reason(b *ir.Buf, at *place) string {
	users, writers := map[*place]bool{}, map[*place]bool{}
	sought, again := false, false
	given := ""
	for _, x := range a.of[b] {
		switch x.do {
		case hands:
			given = handedReason(x.at.stmt)
		case passes:
			given = passedReason(x.at.stmt)
		case stores:
			writers[x.at] = true
		case loads:
			users[outermost(x.at, at)] = true
			sought = sought || a.seeks(x.at.stmt, b)
			again = again || a.repeats(x.at, at, b)
		}
	}
	switch {
	case given != "":
		return given
	case len(users) == 0:
		return "nothing uses it"
	case sought:
		return "its elements are looked up at computed places"
	case b.Stack > 0 && inOneLoop(users, writers, at):
		return "a loop makes and reads a strip of it at a time"
	case len(writers) > 1 && writesApart(writers, at):
		return "it is made by several loops"
	case len(users) > 1:
		return fmt.Sprintf("%d loops or statements use it", len(users))
	case again:
		return "its elements are used more than once"
	}
	return "the loop that makes it is not joined with the one that uses it"
}

func handedReason(s ir.Stmt) string {
	switch s.(type) {
	case nil:
		return "it is a result of the function"
	case *ir.Swap:
		return "a loop keeps it from step to step"
	}
	return "its storage changes hands"
}

func passedReason(s ir.Stmt) string {
	switch s := s.(type) {
	case *ir.Call:
		return "it is an argument of function " + s.Fn.Name
	case *ir.Runtime:
		return "the run-time library needs it for " + s.Fn
	}
	return "a function needs it"
}

// outermost returns the statement around p, or p itself, that is in the block of at.
func outermost(p, at *place) *place {
	for p.block != at.block && p.parent != nil {
		p = p.parent
	}
	return p
}

func writesApart(writers map[*place]bool, at *place) bool {
	outer := map[*place]bool{}
	for p := range writers {
		outer[outermost(p, at)] = true
	}
	return len(outer) > 1
}

// inOneLoop reports whether one loop has all that reads and writes an array that is
// declared in front of it, but for elements that are stored before.
func inOneLoop(users, writers map[*place]bool, at *place) bool {
	made := false
	for p := range writers {
		p = outermost(p, at)
		switch p.stmt.(type) {
		case *ir.Store:
		case *ir.For:
			if !users[p] {
				return false
			}
			made = true
		default:
			return false
		}
	}
	return len(users) == 1 && made
}

// seeks reports whether s reads b at places that are read from arrays.
func (a *accesses) seeks(s ir.Stmt, b *ir.Buf) bool {
	found := false
	eachLoadOf(s, b, func(index ir.Expr) {
		ir.WalkExpr(index, func(x ir.Expr) {
			if u, ok := x.(*ir.Use); ok {
				if init := a.once[u.Var]; init != nil && !ir.IsLoadFree(init) {
					found = true
				}
			}
		})
		found = found || !ir.IsLoadFree(index)
	})
	return found
}

// repeats reports whether s, at p, reads b within a loop on whose index the place does not
// depend, or at several places.
func (a *accesses) repeats(p, at *place, b *ir.Buf) bool {
	used, n := map[*ir.Var]bool{}, 0
	eachLoadOf(p.stmt, b, func(index ir.Expr) {
		n++
		ir.EachUse(a.value(index), func(v *ir.Var) { used[v] = true })
	})
	for ; p.block != at.block && p.parent != nil; p = p.parent {
		switch s := p.parent.stmt.(type) {
		case *ir.For:
			n += missing(used, s.Var)
		case *ir.Nest:
			for _, d := range ir.SpaceOf(s) {
				n += missing(used, d.Var)
			}
		case *ir.Loop:
			n += 2
		}
	}
	return n > 1
}

func missing(set map[*ir.Var]bool, v *ir.Var) int {
	if set[v] {
		return 0
	}
	return 2
}

// eachLoadOf visits the indices at which a statement itself loads from b.
func eachLoadOf(s ir.Stmt, b *ir.Buf, visit func(index ir.Expr)) {
	for _, x := range ir.Exprs(s) {
		if x == nil {
			continue
		}
		ir.WalkExpr(x, func(x ir.Expr) {
			if ld, ok := x.(*ir.Load); ok && ld.Buf == b {
				visit(ld.Index)
			}
		})
	}
}
