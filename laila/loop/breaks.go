package loop

import "github.com/tailor-lang/tailor/laila/ir"

// Breaks leaves a loop where it is decided that it ends, not in front of the
// next step:
//
//	s = 1                                       s = 1
//	loop                                        loop
//	  var more = 0; more = s; break if !more      var more = 0; more = s; break if !more
//	  if x > 9 { s = 0 } else { … }           →   if x > 9 { s = 0; break } else { … }
//
// What is between the assignment and the test has no effects, so nothing is
// left out. The test at the beginning stays: C compilers see that it is for the
// first step only.
func Breaks(f *ir.Func) {
	ir.Walk(f.Body, func(s ir.Stmt) {
		if loop, ok := s.(*ir.Loop); ok {
			if v := whileTrue(loop.Body); v != nil {
				loop.Body = leaving(loop.Body, v)
			}
		}
	})
}

// whileTrue returns the variable that a loop goes on for, if its body begins with
// the test of it.
func whileTrue(body []ir.Stmt) *ir.Var {
	is := map[*ir.Var]ir.Expr{}
	for _, s := range body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Decl:
			is[s.Var] = s.Init
		case *ir.Assign:
			is[s.Var] = s.X
		case *ir.BreakIf:
			n, ok := s.Cond.(*ir.Unary)
			if !ok || n.Op != ir.OpNot {
				return nil
			}
			for x := n.X; ; {
				u, ok := x.(*ir.Use)
				if !ok {
					return nil
				}
				if x, ok = is[u.Var]; !ok {
					return u.Var
				}
			}
		default:
			return nil
		}
	}
	return nil
}

// leaving returns a block, the last one of a step of a loop that goes on for v,
// which breaks where it sets v to 0 at its end.
func leaving(block []ir.Stmt, v *ir.Var) []ir.Stmt {
	if len(block) == 0 {
		return block
	}
	switch s := block[len(block)-1].(type) {
	case *ir.If:
		s.Then, s.Else = leaving(s.Then, v), leaving(s.Else, v)
	case *ir.Assign:
		x := s.X
		if u, ok := x.(*ir.Use); ok && len(block) > 1 {
			if d, ok := block[len(block)-2].(*ir.Decl); ok && d.Var == u.Var {
				x = d.Init
			}
		}
		if s.Var == v && x != nil && ir.IsInt(x, 0) {
			return append(block[:len(block):len(block)], &ir.BreakIf{Cond: ir.Boolean(true)})
		}
	}
	return block
}
