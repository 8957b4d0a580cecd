package golden

import (
	"fmt"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Stats counts what matters in a loop program: parallel nests, sequential
// loops, allocations, copies, run-time calls and functions.
func Stats(p *ir.Program) string {
	s := &stats{}
	funcs := p.Funcs
	if len(funcs) == 0 || funcs[len(funcs)-1] != p.Main {
		funcs = append(append([]*ir.Func{}, funcs...), p.Main)
	}
	for _, f := range funcs {
		s.stmts(f.Body)
	}
	return fmt.Sprintf("nests %d\nloops %d\nallocations %d\ncopies %d\ncalls %d\nfunctions %d\n",
		s.nests, s.loops, s.allocations, s.copies, s.calls, len(funcs))
}

type stats struct{ nests, loops, allocations, copies, calls int }

func (s *stats) stmts(list []ir.Stmt) {
	for _, x := range list {
		s.stmt(x)
	}
}

func (s *stats) stmt(x ir.Stmt) {
	switch x := x.(type) {
	case *ir.Nest:
		s.nests++
		s.stmts(x.Pre)
		s.stmts(x.Body)
		s.stmts(x.Post)
	case *ir.For:
		s.loops++
		s.stmts(x.Body)
	case *ir.Loop:
		s.loops++
		s.stmts(x.Body)
	case *ir.If:
		s.stmts(x.Then)
		s.stmts(x.Else)
	case *ir.DeclBuf:
		if x.Count != nil && x.Buf.Stack <= 0 {
			s.allocations++
		}
	case *ir.Copy:
		s.copies++
	case *ir.Runtime:
		s.calls++
	}
}
