package golden

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila"
)

// Stats counts what matters in a loop program: parallel nests, sequential
// loops, allocations, copies, run-time calls and functions.
func Stats(p *laila.Program) string {
	s := &stats{}
	funcs := p.Funcs
	if len(funcs) == 0 || funcs[len(funcs)-1] != p.Main {
		funcs = append(append([]*laila.Func{}, funcs...), p.Main)
	}
	for _, f := range funcs {
		s.stmts(f.Body)
	}
	return fmt.Sprintf("nests %d\nloops %d\nallocations %d\ncopies %d\ncalls %d\nfunctions %d\n",
		s.nests, s.loops, s.allocations, s.copies, s.calls, len(funcs))
}

type stats struct{ nests, loops, allocations, copies, calls int }

func (s *stats) stmts(list []laila.Stmt) {
	for _, x := range list {
		s.stmt(x)
	}
}

func (s *stats) stmt(x laila.Stmt) {
	switch x := x.(type) {
	case *laila.Nest:
		s.nests++
		s.stmts(x.Pre)
		s.stmts(x.Body)
		s.stmts(x.Post)
	case *laila.For:
		s.loops++
		s.stmts(x.Body)
	case *laila.Loop:
		s.loops++
		s.stmts(x.Body)
	case *laila.If:
		s.stmts(x.Then)
		s.stmts(x.Else)
	case *laila.DeclBuf:
		if x.Count != nil && x.Buf.Stack <= 0 {
			s.allocations++
		}
	case *laila.Copy:
		s.copies++
	case *laila.Runtime:
		s.calls++
	}
}
