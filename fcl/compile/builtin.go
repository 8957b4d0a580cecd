package compile

import (
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
	"github.com/tailor-lang/tailor/internal/diag"
)

// call is a use of a built-in operator with all of its arguments.
type call struct {
	*compiler
	use  *types.Use
	at   diag.Span
	args []Value
}

func (c *call) scheme() types.Level              { return types.FindLevel(c.use.Levels[0]) }
func (c *call) elem() types.Type                 { return types.Find(c.use.Types[0]) }
func (c *call) expr(i int) kernel.Expr           { return c.args[i].(kernel.Expr) }
func (c *call) pull(i int) *Pull                 { return c.args[i].(*Pull) }
func (c *call) push(i int) *Push                 { return c.args[i].(*Push) }
func (c *call) apply(i int, args ...Value) Value { return walk.Apply(c.args[i], args...) }

type operator struct {
	arity int
	run   func(c *call) Value
}

// operators are the built-in operators other than those of scalars.
var operators map[string]operator

func init() {
	operators = map[string]operator{
		"fst":           {1, func(c *call) Value { return c.args[0].(Tuple)[0] }},
		"snd":           {1, func(c *call) Value { return c.args[0].(Tuple)[1] }},
		"length":        {1, func(c *call) Value { return c.pull(0).N }},
		"lengthPush":    {1, func(c *call) Value { return c.push(0).N }},
		"map":           {2, mapPull},
		"mapPush":       {2, mapPush},
		"mapPushIx":     {2, mapPush},
		"generate":      {2, generate},
		"index":         {2, index},
		"push":          {1, func(c *call) Value { return c.pushed(c.pull(0), c.scheme(), c.at) }},
		"force":         {1, force},
		"return":        {1, func(c *call) Value { return Program(func() Value { return c.args[0] }) }},
		"bind":          {2, bind},
		"interleave":    {3, interleave},
		"interleaveSeq": {3, interleave},
		"assemble":      {3, assemble},
		"assembleSeq":   {3, assemble},
		"choose":        {3, chosen},
		"power":         {3, power},
		"poweri":        {3, power},
		"while":         {3, while},
		"seqfor":        {3, seqfor},
		"seqforInit":    {3, seqfor},
		"seqmap":        {3, seqmap},
		"loop":          {3, loop},
		"until":         {3, until},
		"place":         {2, place},
		"accumulate":    {4, accumulate},
		"table":         {4, table},
	}
}

// Builtin returns the value of a built-in operator.
func (c *compiler) Builtin(use *types.Use, at diag.Span) Value {
	op, ok := operators[use.Builtin]
	if !ok {
		op = operator{types.Arity(use.Scheme.Type), func(c *call) Value { return c.Arithmetic(c.use.Builtin, c.at, c.args...) }}
	}
	return walk.Curried(op.arity, func(args []Value) Value { return op.run(&call{c, use, at, args}) })
}

// length returns a length that is not negative.
func (c *call) length(n kernel.Expr) kernel.Expr {
	if c.trusted() {
		return c.share("n", n).(kernel.Expr)
	}
	return c.share("n", kernel.Size(n, c.site("size", diag.Negative, c.at))).(kernel.Expr)
}

func generate(c *call) Value {
	return &Pull{N: c.length(c.expr(0)), At: func(i kernel.Expr) Value { return c.apply(1, i) }}
}

func mapPull(c *call) Value {
	from := c.pull(1)
	return &Pull{N: from.N, At: func(i kernel.Expr) Value { return c.apply(0, from.At(i)) }}
}

func mapPush(c *call) Value {
	from := c.push(1)
	return &Push{from.N, from.Level, func(write func(kernel.Expr, Value)) {
		from.Run(func(i kernel.Expr, v Value) {
			if c.use.Builtin == "mapPushIx" {
				i = c.share("i", i).(kernel.Expr)
				write(i, c.apply(0, i, v))
				return
			}
			write(i, c.apply(0, v))
		})
	}}
}

func index(c *call) Value {
	arr := c.pull(0)
	i := c.share("i", c.expr(1)).(kernel.Expr)
	return arr.At(c.check(i, arr.N, c.site("check", diag.IndexOutside, c.at)))
}

func force(c *call) Value {
	return Program(func() Value { return c.force(c.push(0), c.scheme(), c.elem(), "a", c.at) })
}

func bind(c *call) Value {
	return Program(func() Value {
		v := c.args[0].(Program)()
		return c.apply(1, c.share("x", v)).(Program)()
	})
}

// interleave is assemble of programs with one number of elements each.
func interleave(c *call) Value {
	each := c.length(c.expr(0))
	n := c.share("n", kernel.Apply("*", each, c.pull(2).N)).(kernel.Expr)
	return c.assembled(n, each, c.use.Builtin == "interleave")
}

func assemble(c *call) Value {
	return c.assembled(c.length(c.expr(0)), nil, c.use.Builtin == "assemble")
}

func (c *call) assembled(n, each kernel.Expr, parallel bool) Value {
	below := c.scheme()
	l := below
	if parallel {
		l = types.FindLevel(types.Level{Plus: l.Plus + 1})
	}
	if l.Plus > 2 {
		unsupported(c.at, "there is no level above grid to run this at")
	}
	return Program(func() Value {
		return &Push{n, l, func(write func(kernel.Expr, Value)) {
			c.spread(c.pull(2).N, l, below, parallel, c.at, func(i kernel.Expr) {
				c.part(i, n, each, write)
			})
		}}
	})
}

// part makes the code of program i of those that are assembled.
func (c *call) part(i, n, each kernel.Expr, write func(kernel.Expr, Value)) {
	p := c.pull(2).At(i).(Program)().(*Push)
	if each != nil && !c.trusted() {
		if e := kernel.Equal(p.N, each, c.site("same", diag.WrongLength, c.at)); e != each {
			c.share("same", e)
		}
	}
	p.Run(func(j kernel.Expr, v Value) {
		k := c.apply(1, Tuple{i, j}).(kernel.Expr)
		write(c.check(c.share("k", k).(kernel.Expr), n, c.site("place", diag.IndexOutside, c.at)), v)
	})
}

// chosen makes the code of both programs; what runs decides where the condition is no constant.
func chosen(c *call) Value {
	cond := c.share("c", c.args[0]).(kernel.Expr)
	if v, ok := cond.(*kernel.Const); ok {
		if v.Value.I != 0 {
			return c.args[1]
		}
		return c.args[2]
	}
	return Program(func() Value {
		var then, other *Push
		thenCode := c.block(func() { then = c.args[1].(Program)().(*Push) })
		otherCode := c.block(func() { other = c.args[2].(Program)().(*Push) })
		n := kernel.Outside(thenCode, then.N)
		if n != nil && kernel.Least(then.N, other.N) && kernel.Least(other.N, then.N) {
			return &Push{n, c.scheme(), func(write func(kernel.Expr, Value)) {
				c.emit(&kernel.If{Cond: cond,
					Then: append(thenCode, c.block(func() { then.Run(write) })...),
					Else: append(otherCode, c.block(func() { other.Run(write) })...)})
			}}
		}
		length := c.counter(kernel.Int(0), nil) // both run twice: for the length, and for the elements
		if c.in != nil {
			length.Hi = kernel.Either(then.N, other.N)
		}
		c.emit(&kernel.If{Cond: cond,
			Then: append(thenCode, &kernel.Assign{Var: length, Value: then.N}),
			Else: append(otherCode, &kernel.Assign{Var: length, Value: other.N})})
		again := func(i int, write func(kernel.Expr, Value)) []kernel.Stmt {
			return c.block(func() { c.args[i].(Program)().(*Push).Run(write) })
		}
		return &Push{length, c.scheme(), func(write func(kernel.Expr, Value)) {
			c.emit(&kernel.If{Cond: cond, Then: again(1, write), Else: again(2, write)})
		}}
	})
}

func power(c *call) Value {
	return Program(func() Value {
		return c.repeat(c.expr(0), c.iteration(), func(i kernel.Expr, arr *Pull) *Push {
			if c.use.Builtin == "poweri" {
				return c.apply(1, i, arr).(Program)().(*Push)
			}
			return c.apply(1, arr).(Program)().(*Push)
		})
	})
}

func while(c *call) Value {
	return Program(func() Value {
		return c.iterate(c.iteration(), func(arr *Pull) kernel.Expr { return c.apply(0, arr).(kernel.Expr) },
			func(arr *Pull) *Push { return c.apply(1, arr).(Program)().(*Push) })
	})
}

// iteration returns what power and while begin with.
func (c *call) iteration() *iteration {
	return &iteration{c.compiler, c.scheme(), c.elem(), c.at, c.args[2].(Program)().(*Push)}
}

func seqfor(c *call) Value {
	step := func(read func(kernel.Expr) Value, i kernel.Expr) (kernel.Expr, Value) {
		get := Func(func(k Value) Value { return read(k.(kernel.Expr)) })
		pair := c.apply(2, get, i).(Tuple)
		return pair[0].(kernel.Expr), pair[1]
	}
	if c.use.Builtin == "seqfor" {
		return c.sequence(c.length(c.expr(0)), c.expr(1), nil, c.elem(), step, c.at)
	}
	from := c.push(0)
	return c.sequence(from.N, c.expr(1), from, c.elem(), step, c.at)
}

// seqmap makes the elements where the loop gives them.
func seqmap(c *call) Value {
	from, count := c.push(0), c.length(c.expr(1))
	return &Push{count, types.Thread, func(write func(kernel.Expr, Value)) {
		n, limit := c.room(from.N, types.Thread, c.at)
		cells := c.cells(n, limit, c.elem(), c.at)
		from.Run(cells.write)
		get := Func(func(k Value) Value { return cells.read(k.(kernel.Expr)) })
		site := c.site("place", diag.IndexOutside, c.at)
		c.sequential(kernel.Int(0), count, func(i kernel.Expr) {
			step := c.share("v", c.apply(2, get, i)).(Tuple)
			write(i, step[2]) // before what it was made of changes
			cells.write(c.check(step[0].(kernel.Expr), n, site), step[1])
		})
	}}
}

func place(c *call) Value {
	n, from := c.length(c.expr(0)), c.push(1)
	return &Push{n, from.Level, func(write func(kernel.Expr, Value)) {
		from.Run(func(_ kernel.Expr, v Value) {
			item := v.(Tuple)
			c.when(item[0].(kernel.Expr), func() {
				k := c.share("k", item[1]).(kernel.Expr)
				write(c.check(k, n, c.site("place", diag.IndexOutside, c.at)), item[2])
			})
		})
	}}
}

// atomics are the functions of OpenCL that join numbers to elements, by the operators that they apply.
var atomics = map[string]string{"+": "add", "min": "min", "max": "max", "bitAnd": "and", "bitOr": "or", "bitXor": "xor"}

// accumulate fills an array, and joins elements to it that any work-item has.
func accumulate(c *call) Value {
	a, b := c.variable("a", types.I32), c.variable("b", types.I32)
	joined, ok := c.apply(0, a, b).(*kernel.Op)
	if !ok || atomics[joined.Name] == "" || joined.Args[0] != kernel.Expr(a) || joined.Args[1] != kernel.Expr(b) {
		unsupported(c.at, "the function of accumulate is one of +, min, max, bitAnd, bitOr and bitXor")
	}
	l := c.scheme()
	return Program(func() Value {
		n, limit := c.room(c.length(c.expr(2)), l, c.at)
		to := c.allocate("totals", types.I32, l, n, c.at).(*kernel.Array)
		c.spread(n, l, l, true, c.at, func(i kernel.Expr) { c.storeBelow(limit, to, i, c.args[1]) })
		site, shared := c.site("place", diag.IndexOutside, c.at), l.Plus > 1 || c.together(l) && c.plan.Params["BlockSize"] != 1
		c.push(3).Run(func(_ kernel.Expr, v Value) {
			item := v.(Tuple)
			k, x := c.share("k", item[1]).(kernel.Expr), item[2].(kernel.Expr)
			cond := item[0].(kernel.Expr)
			if limit != nil {
				cond = kernel.Apply("&&", cond, kernel.Apply("<", k, limit))
			}
			c.when(cond, func() {
				k := c.check(k, n, site)
				if shared {
					c.emit(&kernel.Exchange{Op: atomics[joined.Name], Array: to, Index: k, Args: []kernel.Expr{x}, Old: c.variable("old", types.I32)})
					return
				}
				c.store(to, k, kernel.Apply(joined.Name, load(to, k).(kernel.Expr), x))
			})
		})
		return stored(n, to)
	})
}

// when makes code that runs where a condition holds.
func (c *call) when(cond kernel.Expr, then func()) {
	if v, ok := cond.(*kernel.Const); ok && v.Value.I != 0 {
		then()
		return
	}
	c.emit(&kernel.If{Cond: cond, Then: c.block(then)})
}

// table makes a kernel that clears the slots, and one that puts the numbers there.
func table(c *call) Value {
	return Program(func() Value {
		n := c.length(c.expr(3))
		bits := c.share("x", kernel.Apply("max", n, kernel.Apply("-", c.expr(0), kernel.Int(1)))).(kernel.Expr)
		for k := int64(1); k < 64; k *= 2 {
			bits = c.share("x", kernel.Apply("bitOr", bits, kernel.Apply(">>", bits, kernel.Int(k)))).(kernel.Expr)
		}
		size := c.share("n", kernel.Apply("+", bits, kernel.Int(1))).(kernel.Expr)
		slots := c.allocate("slots", types.I32, types.Grid, size, c.at).(*kernel.Array)
		c.kernel(size, kernel.AllItems, c.at, func(i kernel.Expr) { c.store(slots, i, kernel.Apply("i32", kernel.Int(0))) })
		c.kernel(n, kernel.AllItems, c.at, func(i kernel.Expr) { c.put(slots, i, bits) })
		return stored(size, slots)
	})
}

// put makes the code that puts number i into a table, open to others that do the same: a slot that
// is taken stays with the same numbers, the least of which it gets.
//
//	for (at = hash(i) & mask;; at = (at + 1) & mask) {
//		old = atomic_cmpxchg(&slots[at], 0, i + 1);
//		if (old == 0) break;
//		if (same(old - 1, i)) { if (old > i + 1) atomic_min(&slots[at], i + 1); break; }
//	}
func (c *call) put(slots *kernel.Array, i, mask kernel.Expr) {
	at := c.variable("at", types.Int)
	at.Mutable, at.Lo, at.Hi = true, kernel.Int(0), mask
	me := c.share("me", kernel.Apply("i32", kernel.Apply("+", i, kernel.Int(1)))).(kernel.Expr)
	c.emit(&kernel.Decl{Var: at, Init: kernel.Apply("bitAnd", c.apply(1, i).(kernel.Expr), mask)})
	c.emit(&kernel.Loop{Body: c.block(func() {
		old := c.variable("old", types.I32)
		c.emit(&kernel.Exchange{Op: "cmpxchg", Array: slots, Index: at, Args: []kernel.Expr{kernel.Apply("i32", kernel.Int(0)), me}, Old: old})
		c.emit(&kernel.Break{Unless: kernel.Apply("!=", old, kernel.Apply("i32", kernel.Int(0)))})
		other := c.share("other", kernel.Apply("-", kernel.Apply("int", old), kernel.Int(1)))
		same := c.share("same", c.apply(2, other, i).(Program)()).(kernel.Expr)
		less := kernel.Apply("&&", same, kernel.Apply("<", me, old))
		c.emit(&kernel.If{Cond: less, Then: []kernel.Stmt{&kernel.Exchange{Op: "min", Array: slots, Index: at, Args: []kernel.Expr{me}, Old: c.variable("before", types.I32)}}})
		c.emit(&kernel.Break{Unless: kernel.Apply("not", same)})
		c.emit(&kernel.Assign{Var: at, Value: kernel.Apply("bitAnd", kernel.Apply("+", at, kernel.Int(1)), mask)})
	})})
}
