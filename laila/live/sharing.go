package live

import (
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// shareWindow is how many lets after its own a delayed array is followed.
const shareWindow = 48

// OneNest reports whether all uses of a let-bound array are read at the same
// index by one consumer: through functions applied element by element, and
// variables bound to these, into one reduction, scan or result. Then the array
// can stay delayed: in that nest each element is computed once.
func (live *Uses) OneNest(e *tail.Let) bool {
	known, ok := live.nests[e]
	if !ok {
		known = followed(e, live)
		live.nests[e] = known
	}
	return known
}

// followed is OneNest where the answer is not known yet.
func followed(e *tail.Let, live *Uses) bool {
	s := &sharing{of: map[*tail.Var]bool{e.Var: true}, left: live.Count[e.Var]}
	body := e.Body
	for n := 0; n < shareWindow; n++ {
		let, ok := body.(*tail.Let)
		if !ok {
			return s.consumes(body) && s.left == 0 && s.consumers <= 1
		}
		if s.mentions(let.Bind) {
			switch {
			case s.pointwise(let.Bind):
				if live.Deep[let.Var] || live.Count[let.Var] > 1 && !live.OneNest(let) {
					s.consumers++ // it will be stored
					break
				}
				if live.Count[let.Var] == 0 {
					return false
				}
				s.of[let.Var] = true
				s.left += live.Count[let.Var]
			case !s.consumes(let.Bind):
				return false
			}
		}
		if s.left == 0 {
			return s.consumers <= 1
		}
		body = let.Body
	}
	return false
}

// sharing follows the uses of variables that stay delayed.
type sharing struct {
	of        map[*tail.Var]bool
	left      int // uses not yet seen
	consumers int
}

func (s *sharing) mentions(e tail.Expr) bool {
	found := false
	tail.Walk(e, func(x tail.Expr) bool {
		if r, ok := x.(*tail.Ref); ok && s.of[r.Var] {
			found = true
		}
		return !found
	})
	return found
}

// pointwise reports whether e applies functions element by element to the
// variables followed, and counts their uses.
func (s *sharing) pointwise(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Ref:
		if s.of[e.Var] {
			s.left--
		}
		return true
	case *tail.Apply:
		if (e.Op == tail.OpEach || e.Op == tail.OpZipWith) && tail.TypeOf(e).Dims() > 0 && !s.mentions(e.Args[0]) && !analysis.Impure(e.Args[0]) {
			for _, a := range e.Args[1:] {
				if !s.pointwise(a) {
					return false
				}
			}
			return true
		}
	}
	return !s.mentions(e)
}

// readers are the ops that read every element of their array once.
var readers = map[tail.Op]bool{tail.OpReduce: true, tail.OpReduce1: true, tail.OpScan: true, tail.OpPrint: true}

// consumes counts the consumers in e; it reports false when there is one that
// does not read every element once.
func (s *sharing) consumes(e tail.Expr) bool {
	if !s.mentions(e) {
		return true
	}
	a, ok := e.(*tail.Apply)
	switch {
	case ok && a.Op.Row().Scalar:
		for _, x := range a.Args {
			if !s.consumes(x) {
				return false
			}
		}
		return true
	case ok && readers[a.Op]:
		last := a.Args[len(a.Args)-1]
		for _, x := range a.Args[:len(a.Args)-1] {
			if s.mentions(x) {
				return false
			}
		}
		if inner, ok := last.(*tail.Apply); ok && (readers[inner.Op] || inner.Op.Row().Scalar) {
			return s.consumes(last)
		}
		s.consumers++
		return s.pointwise(last)
	}
	s.consumers++
	return s.pointwise(e)
}
