package eval

import "github.com/tailor-lang/tailor/tail"

// into compiles an expression of any type so that it stores its value, or the
// components of a tuple.
func (s *scope) into(e tail.Expr, u usage) tupleCode {
	if _, ok := e.Type().(*tail.TupleType); ok {
		return s.tuple(e, notRead(u))
	}
	c := s.expr(e, u)
	return func(fr *frame, dst []value) { dst[0] = c(fr) }
}

// tuple compiles an expression of a tuple type.
func (s *scope) tuple(e tail.Expr, u usage) tupleCode {
	s.enter()
	defer s.leave()
	switch e := e.(type) {
	case *tail.Tuple:
		return s.tupleOf(e)
	case *tail.Ref, *tail.Proj:
		if at, ok := s.projected(e); ok {
			return s.refs(at, e.Type().(*tail.TupleType))
		}
		return s.projTuple(e.(*tail.Proj))
	case *tail.Let:
		var body tupleCode
		steps := s.lets(e, func(x tail.Expr) { body = s.tuple(x, u) })
		return s.meteredTuple(func(fr *frame, dst []value) {
			runSteps(fr, steps)
			body(fr, dst)
		})
	case *tail.If:
		return s.condTuple(e, u)
	case *tail.Apply:
		if e.Op == tail.OpItems {
			return s.items(e)
		}
		return s.loop(e)
	case *tail.Call:
		return s.callTuple(e, u)
	}
	panic("internal error: the evaluator cannot make a tuple of this expression")
}

func (s *scope) tupleOf(e *tail.Tuple) tupleCode {
	elems, offs := make([]tupleCode, len(e.Elems)), make([]int, len(e.Elems)+1)
	for i, x := range e.Elems {
		elems[i] = s.into(x, useKept)
		offs[i+1] = offs[i] + width(x.Type())
	}
	return func(fr *frame, dst []value) {
		for i := len(elems) - 1; i >= 0; i-- {
			elems[i](fr, dst[offs[i]:offs[i+1]])
		}
	}
}

// refs compiles the use of all components of a tuple variable.
func (s *scope) refs(at int, t *tail.TupleType) tupleCode {
	var parts []code
	var add func(t tail.Type)
	add = func(t tail.Type) {
		if t, ok := t.(*tail.TupleType); ok {
			for _, x := range t.Elems {
				add(x)
			}
			return
		}
		parts = append(parts, s.ref(at+len(parts), isScalar(t), useKept))
	}
	add(t)
	return func(fr *frame, dst []value) {
		for i, c := range parts {
			dst[i] = c(fr)
		}
	}
}

func (s *scope) projTuple(e *tail.Proj) tupleCode {
	t := e.X.Type().(*tail.TupleType)
	off, part := component(t, e.I)
	n, w, c := width(t), width(part), s.tuple(e.X, useKept)
	return func(fr *frame, dst []value) {
		all := make([]value, n)
		c(fr, all)
		copy(dst, all[off:off+w])
	}
}

func (s *scope) condTuple(e *tail.If, u usage) tupleCode {
	after := s.live.clone()
	yes := s.tuple(e.Then, u)
	before := s.live
	s.live = after
	no := s.tuple(e.Else, u)
	s.live.merge(before)
	cond := s.expr(e.Cond, useKept)
	return func(fr *frame, dst []value) {
		if cond(fr).bits&1 != 0 {
			yes(fr, dst)
		} else {
			no(fr, dst)
		}
	}
}
