package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
)

// builtin is an op on whole arrays; scalars are boxed. Faults are raised.
type builtin struct {
	// The result is a new array, unless alias.
	run func(s *site, a []*array.Array) *array.Array
	// alias reports that the result may be an argument or share its elements.
	alias bool
}

// builtins has the ops that are not compiled in a way of their own.
var builtins [tail.NumOps]builtin

// compiled has the ops that are.
var compiled [tail.NumOps]func(s *scope, e *tail.Apply) code

func init() {
	for _, table := range []map[tail.Op]builtin{shapeOps, axisOps, selectOps, searchOps, itemTableOps, orderOps, radixOps, matrixOps, textOps, worldOps} {
		for o, b := range table {
			builtins[o] = b
		}
	}
	for o, f := range map[tail.Op]func(s *scope, e *tail.Apply) code{
		tail.OpEach:      (*scope).elementwise,
		tail.OpZipWith:   (*scope).elementwise,
		tail.OpReduce:    (*scope).reduce,
		tail.OpReduce1:   (*scope).reduce,
		tail.OpReduceWin: (*scope).reduceWin,
		tail.OpScan:      (*scope).scan,
		tail.OpOuter:     (*scope).outer,
		tail.OpInner:     (*scope).inner,
		tail.OpInner1:    (*scope).inner,
		tail.OpChain:     (*scope).chain,
		tail.OpCells:     (*scope).cells,
		tail.OpCells2:    (*scope).cells2,
		tail.OpSegments:  (*scope).segments,
		tail.OpPower:     (*scope).loopOne,
		tail.OpWhile:     (*scope).loopOne,
		tail.OpIndex:     (*scope).index,
		tail.OpUpdate:    (*scope).update,
		tail.OpTake:      (*scope).section,
		tail.OpDrop:      (*scope).section,
		tail.OpFirst:     (*scope).first,
		tail.OpCat:       (*scope).behind,
		tail.OpSnoc:      (*scope).behind,
	} {
		compiled[o] = f
	}
}

// apply compiles the application of an op.
func (s *scope) apply(e *tail.Apply) code {
	switch {
	case e.Op.Row().Scalar:
		return scalarOps[e.Op].code(&site{e, s.m}, s.args(e.Args, true))
	case compiled[e.Op] != nil:
		return compiled[e.Op](s, e)
	case builtins[e.Op].run != nil:
		return s.builtin(e)
	}
	panic("internal error: the evaluator does not know the op " + e.Op.String())
}

func (s *scope) builtin(e *tail.Apply) code {
	b := builtins[e.Op]
	args := s.args(e.Args, b.alias)
	types := make([]*tail.Array, len(args))
	for i, a := range e.Args {
		types[i] = tail.TypeOf(a)
	}
	at := &site{e, s.m}
	if b.alias {
		return aliasing(b, at, args, types)
	}
	n := len(args)
	boxes := make([]*array.Array, n) // of scalar arguments
	for i, t := range types {
		if t.Dims() == 0 {
			boxes[i] = array.New(t.Elem)
		}
	}
	a := make([]*array.Array, n) // run does not come back here
	return func(fr *frame) value {
		fr.m.tick()
		var v [5]value
		for i := n - 1; i >= 0; i-- {
			v[i] = args[i](fr)
		}
		for i := range n {
			if a[i] = v[i].arr; a[i] == nil {
				a[i] = boxes[i]
				putBits(a[i], 0, v[i].word)
			}
		}
		made := b.run(at, a)
		for i := range n {
			fr.m.pool.give(v[i])
			a[i] = nil
		}
		r := unbox(made)
		if r.arr == nil && !slices.Contains(boxes, made) { // stop returns its argument
			fr.m.pool.give(value{arr: made})
		}
		return r
	}
}

// aliasing compiles an op whose result may be an argument: it is shared if one
// of the arguments is.
func aliasing(b builtin, at *site, args []code, types []*tail.Array) code {
	return func(fr *frame) value {
		fr.m.tick()
		a := make([]*array.Array, len(args))
		flag := uint64(0)
		for i := len(args) - 1; i >= 0; i-- {
			v := args[i](fr)
			if v.arr != nil {
				flag |= v.bits
			}
			a[i] = box(v, types[i])
		}
		r := unbox(b.run(at, a))
		if r.arr != nil {
			r.bits = flag
		}
		return r
	}
}
