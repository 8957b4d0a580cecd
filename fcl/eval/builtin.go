package eval

import (
	"slices"

	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
	"github.com/tailor-lang/tailor/internal/diag"
)

// call is a use of a built-in operator with all of its arguments.
type call struct {
	*machine
	use  *types.Use
	at   diag.Span
	args []Value
}

func (c *call) level() types.Level               { return types.FindLevel(c.use.Levels[0]) }
func (c *call) int(i int) int64                  { return c.args[i].(Scalar).I }
func (c *call) pull(i int) *Pull                 { return c.args[i].(*Pull) }
func (c *call) push(i int) *Push                 { return c.args[i].(*Push) }
func (c *call) apply(i int, args ...Value) Value { return walk.Apply(c.args[i], args...) }

// operators are the built-in operators other than those of scalars.
var operators map[string]operator

type operator struct {
	arity int
	run   func(c *call) Value
}

func init() {
	operators = map[string]operator{
		"fst":           {1, func(c *call) Value { return c.args[0].(Tuple)[0] }},
		"snd":           {1, func(c *call) Value { return c.args[0].(Tuple)[1] }},
		"length":        {1, func(c *call) Value { return Int(c.pull(0).N) }},
		"lengthPush":    {1, func(c *call) Value { return Int(c.push(0).N) }},
		"map":           {2, mapPull},
		"mapPush":       {2, mapPush},
		"mapPushIx":     {2, mapPush},
		"generate":      {2, generate},
		"index":         {2, index},
		"push":          {1, push},
		"force":         {1, force},
		"return":        {1, func(c *call) Value { return Program(func() Value { return c.args[0] }) }},
		"bind":          {2, bind},
		"interleave":    {3, interleave},
		"interleaveSeq": {3, interleave},
		"assemble":      {3, assemble},
		"assembleSeq":   {3, assemble},
		"choose":        {3, choose},
		"power":         {3, power},
		"poweri":        {3, power},
		"while":         {3, while},
		"seqfor":        {3, seqfor},
		"seqforInit":    {3, seqfor},
		"seqmap":        {3, seqmap},
		"loop":          {3, loop},
		"until":         {3, until},
		"place":         {2, placed},
		"accumulate":    {4, accumulated},
		"table":         {4, table},
	}
}

func choose(c *call) Value {
	if c.int(0) != 0 {
		return c.args[1]
	}
	return c.args[2]
}

// Builtin returns the value of a built-in operator.
func (m *machine) Builtin(use *types.Use, at diag.Span) Value {
	op, ok := operators[use.Builtin]
	if !ok {
		op = operator{types.Arity(use.Scheme.Type), scalarOperator}
	}
	return walk.Curried(op.arity, func(args []Value) Value { return op.run(&call{m, use, at, args}) })
}

func scalarOperator(c *call) Value { return c.Arithmetic(c.use.Builtin, c.at, c.args...) }

// length checks the length of an array.
func (c *call) length(n int64) int64 {
	if n < 0 {
		fault(diag.Negative, c.at, "an array of %d elements", n)
	}
	return n
}

func generate(c *call) Value {
	n := c.length(c.int(0))
	return &Pull{N: n, At: func(i int64) Value { return c.apply(1, Int(i)) }}
}

func mapPull(c *call) Value {
	from := c.pull(1)
	return &Pull{N: from.N, At: func(i int64) Value { return c.apply(0, from.At(i)) }}
}

func mapPush(c *call) Value {
	from := c.push(1)
	return &Push{from.N, from.Level, from.At, func(write func(int64, Value)) {
		from.Run(func(i int64, v Value) {
			if c.use.Builtin == "mapPushIx" {
				write(i, c.apply(0, Int(i), v))
				return
			}
			write(i, c.apply(0, v))
		})
	}}
}

func index(c *call) Value {
	arr, i := c.pull(0), c.int(1)
	if i < 0 || i >= arr.N {
		fault(diag.IndexOutside, c.at, "there is no element %d in an array of %s", i, elements(arr.N))
	}
	return arr.At(i)
}

func push(c *call) Value {
	from, l, m := c.pull(0), c.level(), c.machine
	return &Push{from.N, l, c.at, func(write func(int64, Value)) {
		here := m.place
		for i := range from.N {
			m.place = here.within(l, i)
			write(i, from.At(i))
		}
		m.place = here
	}}
}

func force(c *call) Value {
	return Program(func() Value { return c.force(c.push(0), c.level(), c.at) })
}

func bind(c *call) Value {
	return Program(func() Value {
		v := c.args[0].(Program)()
		return c.apply(1, v).(Program)()
	})
}

// interleave is assemble of programs with one number of elements each.
func interleave(c *call) Value {
	each := c.length(c.int(0))
	return c.assembled(each*c.pull(2).N, each, c.use.Builtin == "interleave")
}

func assemble(c *call) Value {
	return c.assembled(c.length(c.int(0)), -1, c.use.Builtin == "assemble")
}

func (c *call) assembled(n, each int64, parallel bool) Value {
	l := c.level()
	if parallel {
		l = types.FindLevel(types.Level{Warp: l.Warp, Plus: l.Plus + 1})
	}
	return Program(func() Value {
		return c.machine.assemble(l, n, each, c.args[1], c.pull(2), parallel, c.at)
	})
}

func power(c *call) Value {
	n := c.int(0)
	more := func(i int64, _ *Pull) bool { return i < n }
	return c.iterate(c.level(), c.at, c.args[2], more, func(i int64, arr *Pull) Value {
		if c.use.Builtin == "poweri" {
			return c.apply(1, Int(i), arr)
		}
		return c.apply(1, arr)
	})
}

func while(c *call) Value {
	more := func(_ int64, arr *Pull) bool { return c.apply(0, arr).(Scalar).I != 0 }
	return c.iterate(c.level(), c.at, c.args[2], more, func(_ int64, arr *Pull) Value { return c.apply(1, arr) })
}

func seqfor(c *call) Value {
	if c.use.Builtin == "seqfor" {
		return c.loop(c.length(c.int(0)), c.int(1), nil, c.args[2], c.at)
	}
	from := c.push(0)
	return c.loop(from.N, c.int(1), from, c.args[2], c.at)
}

func seqmap(c *call) Value {
	return c.states(c.push(0), c.length(c.int(1)), c.args[2], c.at)
}

func placed(c *call) Value {
	n, from := c.length(c.int(0)), c.push(1)
	return &Push{n, from.Level, c.at, func(write func(int64, Value)) { c.chosen(from, n, write) }}
}

// chosen writes the third components of what is pushed, where the first ones are true, to the
// places of n that the second ones are.
func (c *call) chosen(from *Push, n int64, write func(int64, Value)) {
	from.Run(func(_ int64, v Value) {
		item := v.(Tuple)
		k := item[1].(Scalar).I
		if item[0].(Scalar).I == 0 {
			return
		}
		if k < 0 || k >= n {
			fault(diag.IndexOutside, c.at, "an element goes to place %d, and there are %d", k, n)
		}
		write(k, item[2])
	})
}

func accumulated(c *call) Value {
	return Program(func() Value {
		n, memory := c.length(c.int(2)), memoryOf(c.level())
		to := slices.Repeat([]Value{c.args[1]}, int(n))
		c.count.Written[memory] += 4 * n
		c.chosen(c.push(3), n, func(k int64, v Value) {
			to[k] = c.apply(0, to[k], v)
			c.count.Written[memory] += 4
		})
		switch {
		case memory == Global:
			c.count.Kernels += 2
		case memory == Local && !c.level().Warp:
			c.count.Barriers += 2
		}
		return Vector(to)
	})
}

func table(c *call) Value {
	return Program(func() Value {
		n, size := c.length(c.int(3)), int64(1)
		for size < c.int(0) || size <= n {
			size *= 2
		}
		slots := make([]Value, size)
		for i := range slots {
			slots[i] = scalar.Convert(types.I32, Int(0))
		}
		for i := range n {
			for at := c.apply(1, Int(i)).(Scalar).I & (size - 1); ; at = (at + 1) & (size - 1) {
				if old := slots[at].(Scalar).I; old == 0 {
					slots[at] = scalar.Convert(types.I32, Int(i+1))
				} else if c.apply(2, Int(old-1), Int(i)).(Program)().(Scalar).I == 0 {
					continue
				}
				break
			}
		}
		c.count.Kernels += 2
		c.count.Written[Global] += 4 * (size + n)
		return Vector(slots)
	})
}
