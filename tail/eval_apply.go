package tail

import "github.com/tailor-lang/tailor/array"

// builtin is an op on whole arrays; scalars are boxed. Faults are raised.
type builtin struct {
	run func(s *site, a []*array.Array) *array.Array
	// alias reports that the result may be an argument or share its elements.
	alias bool
}

// builtins has the ops that are not compiled in a way of their own.
var builtins [len(rows)]builtin

// compiled has the ops that are.
var compiled [len(rows)]func(s *scope, e *Apply) code

func init() {
	for _, table := range []map[Op]builtin{shapeOps, axisOps, selectOps, searchOps, orderOps, radixOps, matrixOps, textOps, worldOps} {
		for o, b := range table {
			builtins[o] = b
		}
	}
	for o, f := range map[Op]func(s *scope, e *Apply) code{
		OpEach:      (*scope).each,
		OpZipWith:   (*scope).zipWith,
		OpReduce:    (*scope).reduce,
		OpReduce1:   (*scope).reduce,
		OpReduceWin: (*scope).reduceWin,
		OpScan:      (*scope).scan,
		OpOuter:     (*scope).outer,
		OpInner:     (*scope).inner,
		OpInner1:    (*scope).inner,
		OpCells:     (*scope).cells,
		OpCells2:    (*scope).cells2,
		OpPower:     (*scope).loopOne,
		OpWhile:     (*scope).loopOne,
		OpIndex:     (*scope).index,
		OpUpdate:    (*scope).update,
	} {
		compiled[o] = f
	}
}

// apply compiles the application of an op.
func (s *scope) apply(e *Apply) code {
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

func (s *scope) builtin(e *Apply) code {
	b := builtins[e.Op]
	args := s.args(e.Args, b.alias)
	types := make([]*Array, len(args))
	for i, a := range e.Args {
		types[i] = TypeOf(a)
	}
	at := &site{e, s.m}
	return func(fr *frame) value {
		fr.m.tick()
		var small [4]*array.Array
		a := small[:0]
		if len(args) > len(small) {
			a = make([]*array.Array, 0, len(args))
		}
		a = a[:len(args)]
		flag := uint64(0)
		for i := len(args) - 1; i >= 0; i-- {
			v := args[i](fr)
			if v.arr != nil {
				flag |= v.bits
			}
			a[i] = box(v, types[i])
		}
		r := unbox(b.run(at, a))
		if b.alias && r.arr != nil {
			r.bits = flag
		}
		return r
	}
}
