package compile

import (
	"fmt"

	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

// spread makes the loop over parts 0 … n-1 of something at level l. Parallel ones are at
// the level below; others follow one another.
func (c *compiler) spread(n kernel.Expr, l, below types.Level, parallel bool, at diag.Span, body func(i kernel.Expr)) {
	switch {
	case parallel && l.Warp && c.warps() == subGroups:
		c.each(kernel.Lanes, n, body)
	case parallel && l.Warp && c.warps() == slices:
		c.each(kernel.Items, n, body)
	case parallel && l.Plus == 1 && below.Warp && c.warps() == subGroups:
		c.each(kernel.SubGroups, n, body)
	case parallel && l.Plus == 1 && below.Warp && c.warps() == slices:
		c.in.Group = min(c.in.Group, max(1, c.plan.Params["WarpSize"]))
		c.sequential(kernel.Int(0), n, body)
	case !parallel || l.Plus == 0:
		c.sequential(kernel.Int(0), n, body)
	case l.Plus >= 2:
		who := kernel.Groups
		if below == l { // elements, not programs
			who = kernel.AllItems
		}
		c.kernel(n, who, at, body)
	default:
		c.each(kernel.Items, n, body)
	}
}

// warpKind says what computes a warp.
type warpKind int64

// The kinds, which are values of #Warps.
const (
	items     warpKind = iota + 1 // a work-item, which goes through the elements
	slices                        // #WarpSize work-items, which are a group that goes through the warps
	subGroups                     // a sub-group of OpenCL
)

// warps returns what computes warps.
func (c *compiler) warps() warpKind { return warpKind(max(1, c.plan.Params["Warps"])) }

// together reports whether several work-items are at a level, below the grid.
func (c *compiler) together(l types.Level) bool {
	return l.Plus == 1 || l.Warp && c.warps() != items
}

// sequential makes a loop; one that runs at most once is none.
func (c *compiler) sequential(from, n kernel.Expr, body func(i kernel.Expr)) {
	if kernel.Least(n, from) {
		return
	}
	if one := kernel.Apply("+", from, kernel.Int(1)); kernel.Least(n, one) {
		if kernel.Least(one, n) {
			body(from)
			return
		}
		some := kernel.Apply("<", from, n)
		c.emit(&kernel.If{Cond: some, Then: c.block(func() { c.where(some, func() Value { body(from); return nil }) })})
		return
	}
	i := c.index(n)
	i.Lo = from
	c.emit(&kernel.For{Var: i, From: from, N: n, Body: c.block(func() { body(i) })})
}

func (c *compiler) each(who kernel.Who, n kernel.Expr, body func(i kernel.Expr)) {
	i := c.index(n)
	run := func() { body(i) }
	if kernel.Least(n, kernel.Int(1)) { // one iteration, where there is any
		run = func() {
			c.where(kernel.Apply("<", kernel.Int(0), n), func() Value { body(kernel.Int(0)); return nil })
		}
	}
	c.emit(&kernel.Each{By: who, Var: i, N: n, Body: c.block(run)})
}

// kernel makes a kernel of one parallel loop, and launches it.
func (c *compiler) kernel(n kernel.Expr, who kernel.Who, at diag.Span, body func(i kernel.Expr)) {
	if c.in != nil {
		panic("compile: a kernel in a kernel")
	}
	n = c.share("n", n).(kernel.Expr)
	k := &kernel.Kernel{Name: c.kernelName(at), N: n, Groups: who == kernel.Groups, Group: max(1, c.plan.Params["BlockSize"])}
	if who == kernel.AllItems { // that do not meet: groups may be larger
		k.Group = max(k.Group, c.plan.Params["ItemGroup"])
	}
	c.plan.Kernels = append(c.plan.Kernels, k)
	c.in = k
	k.Body = c.block(func() { c.each(who, n, body) })
	c.in = nil
	c.emit(&kernel.Launch{Kernel: k})
}

// kernelName returns the name of the next kernel, with the line that it comes from.
func (c *compiler) kernelName(at diag.Span) string {
	name := fmt.Sprintf("kernel%d", len(c.plan.Kernels)+1)
	if at.Valid() && at.Src.Name != "" {
		line, _ := at.Src.Position(at.Start)
		name += fmt.Sprintf("_line%d", line)
	}
	return name
}

// pushed returns a pull array with the iteration scheme of a level.
func (c *compiler) pushed(from *Pull, l types.Level, at diag.Span) *Push {
	return &Push{from.N, l, func(write func(kernel.Expr, Value)) {
		c.spread(from.N, l, l, true, at, func(i kernel.Expr) { write(i, from.At(i)) })
	}}
}

// maxRegisters is the length of the longest arrays of threads in registers.
const maxRegisters = 256

// allocate makes the memory of n elements at a level, which a force at a span asks for.
func (c *compiler) allocate(name string, elem types.Type, l types.Level, n kernel.Expr, at diag.Span) Memory {
	space := kernel.Global
	switch {
	case l.Warp && c.warps() == subGroups:
		space = kernel.SubLocal
	case c.together(l):
		space = kernel.Local
	case l.Plus == 0:
		space = kernel.Private
		if !kernel.Least(n, kernel.Int(maxRegisters)) || !isConst(n) {
			space = kernel.Scratch
		}
	}
	if space == kernel.Local || space == kernel.SubLocal || space == kernel.Scratch {
		if bound := kernel.HostBound(n); bound != nil {
			n = bound
		} else { // that it is no longer has been proved, or is checked
			n = kernel.Int(c.plan.Params["Limit"])
		}
	}
	m := c.memory(name, elem, space, n)
	each(m, func(a *kernel.Array) {
		if !c.trusted() && (space == kernel.Global || space == kernel.Scratch) {
			a.Room = c.site("room", diag.NoMemory, at)
		}
		c.emit(&kernel.Alloc{Array: a})
	})
	return m
}

// room returns the length of an array that is stored at a level, and a limit where
// the host cannot compute how much memory that needs: a longer array is a fault.
func (c *compiler) room(n kernel.Expr, l types.Level, at diag.Span) (length, limit kernel.Expr) {
	if l.Plus >= 2 || kernel.HostBound(n) != nil {
		return c.share("n", n).(kernel.Expr), nil
	}
	limit = kernel.Int(c.plan.Params["Limit"])
	return c.share("n", kernel.Fit(n, limit, c.site("limit", diag.AtLimit, at))).(kernel.Expr), limit
}

// storeBelow makes the code that stores an element, unless its place is beyond a limit.
func (c *compiler) storeBelow(limit kernel.Expr, m Memory, i kernel.Expr, v Value) {
	if limit == nil {
		c.store(m, i, v)
		return
	}
	i = c.share("i", i).(kernel.Expr)
	c.emit(&kernel.If{Cond: kernel.Apply("<", i, limit), Then: c.block(func() { c.store(m, i, v) })})
}

func isConst(e kernel.Expr) bool {
	_, ok := e.(*kernel.Const)
	return ok
}

// force makes the code that stores a push array in the memory of a level.
func (c *compiler) force(p *Push, l types.Level, elem types.Type, name string, at diag.Span) *Pull {
	n, limit := c.room(p.N, l, at)
	m := c.allocate(name, elem, l, n, at)
	p.Run(func(i kernel.Expr, v Value) { c.storeBelow(limit, m, i, v) })
	return stored(n, m)
}

// stored returns the pull array of n elements in a memory.
func stored(n kernel.Expr, m Memory) *Pull {
	return &Pull{n, func(i kernel.Expr) Value { return load(m, i) }, m}
}

// iteration is what power and while begin with: an array at a level.
type iteration struct {
	*compiler
	level types.Level
	elem  types.Type
	at    diag.Span
	first *Push
}

// pair is the memory of a loop: a step reads one array and writes the other one.
type pair struct{ now, next Memory }

// start stores the first array, and makes the second one.
func (t *iteration) start() (kernel.Expr, *pair) {
	n, limit := t.room(t.first.N, t.level, t.at)
	now := t.allocate("a", t.elem, t.level, n, t.at)
	next := t.allocate("b", t.elem, t.level, n, t.at)
	var all []*kernel.Array
	each(now, func(a *kernel.Array) { all = append(all, a) })
	each(next, func(b *kernel.Array) {
		a := all[0]
		all = all[1:]
		a.Swapped, b.Swapped = true, true
		b.Object = a.Object
		if b.Space == kernel.Local || b.Space == kernel.SubLocal {
			b.After = a
		}
	})
	t.first.Run(func(i kernel.Expr, v Value) { t.storeBelow(limit, now, i, v) })
	return n, &pair{now, next}
}

// write makes the code that stores what a step computes, which has at most as many elements
// as there is memory; it returns their number.
func (t *iteration) write(p *Push, most kernel.Expr, to Memory) kernel.Expr {
	n := kernel.Fit(p.N, most, t.site("fit", diag.WrongLength, t.at))
	op, checked := n.(*kernel.Op)
	checked = checked && op.Name == "fit"
	n = t.share("n", n).(kernel.Expr)
	var limit kernel.Expr
	if checked {
		limit = most
	}
	p.Run(func(i kernel.Expr, v Value) { t.storeBelow(limit, to, i, v) })
	return n
}

// swap makes the code that exchanges the arrays.
func (t *iteration) swap(m *pair) {
	var all []*kernel.Array
	each(m.now, func(a *kernel.Array) { all = append(all, a) })
	each(m.next, func(b *kernel.Array) {
		t.emit(&kernel.Swap{A: all[0], B: b})
		all = all[1:]
	})
}

// maxUnrolled is the number of steps of a loop that are written one after the other where
// the lengths are constants.
const maxUnrolled = 64

// iterate makes the code of while.
func (c *compiler) iterate(t *iteration, more func(arr *Pull) kernel.Expr, step func(arr *Pull) *Push) *Pull {
	if arr := t.element(more, step); arr != nil {
		return arr
	}
	most, m := t.start()
	n := most
	for range maxUnrolled {
		if !isConst(n) {
			break
		}
		var cond kernel.Expr
		code := t.block(func() { cond = more(stored(n, m.now)) })
		decided, ok := cond.(*kernel.Const)
		if !ok || len(code) > 0 {
			break
		}
		if decided.Value.I == 0 {
			return stored(n, m.now)
		}
		n = t.write(step(stored(n, m.now)), most, m.next)
		m.now, m.next = m.next, m.now
	}
	length := t.counter(n, most)
	arr := stored(length, m.now)
	body := t.block(func() {
		t.emit(&kernel.Break{Unless: more(arr)})
		next := t.write(step(arr), most, m.next)
		t.emit(&kernel.Assign{Var: length, Value: next})
		t.swap(m)
	})
	t.emit(&kernel.Loop{Body: body})
	return arr
}

// element makes the code of while of an array of a thread that has one element, which is in
// variables; nil for others.
func (t *iteration) element(more func(arr *Pull) kernel.Expr, step func(arr *Pull) *Push) *Pull {
	if t.level.Plus > 0 || t.together(t.level) || !kernel.IsConst(t.first.N, 1) {
		return nil
	}
	names, fits := t.names, true
	v := Value(nil)
	arr := &Pull{N: kernel.Int(1), At: func(kernel.Expr) Value { return v }}
	set := func(p *Push) {
		p.Run(func(_ kernel.Expr, x Value) {
			next := t.undefined(t.elem)
			t.assign(next, x)
			t.assign(v, next)
		})
	}
	code := t.block(func() {
		v = t.undefined(t.elem)
		set(t.first)
		t.emit(&kernel.Loop{Body: t.block(func() {
			t.emit(&kernel.Break{Unless: more(arr)})
			p := step(arr)
			fits = kernel.IsConst(p.N, 1)
			set(p)
		})})
	})
	if !fits {
		t.names = names
		return nil
	}
	*t.body = append(*t.body, code...)
	return arr
}

// counter makes the variable that holds the length of the array of a loop.
func (c *compiler) counter(n, most kernel.Expr) *kernel.Var {
	v := c.variable("length", types.Int)
	v.Mutable, v.Lo, v.Hi = true, kernel.Int(0), most
	c.emit(&kernel.Decl{Var: v, Init: n})
	return v
}

// repeat makes the code of power.
func (c *compiler) repeat(count kernel.Expr, t *iteration, step func(i kernel.Expr, arr *Pull) *Push) *Pull {
	count = c.share("count", count).(kernel.Expr)
	if arr := c.inPlace(count, t, step); arr != nil {
		return arr
	}
	n, m := t.start()
	kernels, names := len(c.plan.Kernels), c.names
	same := false
	body := t.block(func() { // as if the length stayed what it is
		c.sequential(kernel.Int(0), count, func(i kernel.Expr) {
			p := step(i, stored(n, m.now))
			if same = kernel.Least(p.N, n) && kernel.Least(n, p.N); same {
				t.write(p, n, m.next)
				t.swap(m)
			}
		})
	})
	if same || len(body) == 0 {
		for _, s := range body {
			t.emit(s)
		}
		return stored(n, m.now)
	}
	c.plan.Kernels, c.names = c.plan.Kernels[:kernels], names
	length := t.counter(n, n)
	arr := stored(length, m.now)
	i := c.index(count)
	t.emit(&kernel.For{Var: i, From: kernel.Int(0), N: count, Body: t.block(func() {
		next := t.write(step(i, arr), n, m.next)
		t.emit(&kernel.Assign{Var: length, Value: next})
		t.swap(m)
	})})
	return arr
}

// inPlace makes the code of power at the level of threads or blocks where each iteration of the loop
// over the elements of a step computes some from the same ones of the step before: there is one array.
// It makes nothing, and returns nil, for others.
//
//	poweri<thread> k (fn r => fn a => return (push (mapIx (fn i => fn x => f r i x) a)))
//
//	for (r = 0; r < k; r++) for (i = 0; i < n; i++) a[i] = f(r, i, a[i]);
func (c *compiler) inPlace(count kernel.Expr, t *iteration, step func(i kernel.Expr, arr *Pull) *Push) *Pull {
	if t.level.Plus > 1 {
		return nil
	}
	kernels, names := len(c.plan.Kernels), c.names
	var arr *Pull
	fits := false
	code := c.block(func() {
		arr = c.force(t.first, t.level, t.elem, "a", t.at)
		c.sequential(kernel.Int(0), count, func(i kernel.Expr) {
			p := step(i, arr)
			if fits = kernel.Least(p.N, arr.N) && kernel.Least(arr.N, p.N); fits {
				body := c.block(func() { p.Run(func(i kernel.Expr, v Value) { c.store(arr.Stored, i, v) }) })
				fits = kernel.Apart(body)
				*c.body = append(*c.body, body...)
			}
		})
	})
	if !fits {
		c.plan.Kernels, c.names = c.plan.Kernels[:kernels], names
		return nil
	}
	*c.body = append(*c.body, code...)
	return arr
}

// sequence makes the push array of seqfor. from, where it is set, computes the elements
// before the first iteration.
func (c *compiler) sequence(n, count kernel.Expr, from *Push, elem types.Type, step func(read func(kernel.Expr) Value, i kernel.Expr) (kernel.Expr, Value), at diag.Span) *Push {
	return &Push{n, types.Thread, func(write func(kernel.Expr, Value)) {
		if from == nil && c.running(n, count, elem, step, at, write) {
			return
		}
		n, limit := c.room(n, types.Thread, at)
		cells := c.cells(n, limit, elem, at)
		if from != nil {
			from.Run(cells.write)
		}
		body := func(i kernel.Expr) {
			k, v := step(cells.read, i)
			cells.write(c.check(c.share("k", k).(kernel.Expr), n, c.site("place", diag.IndexOutside, at)), v)
		}
		count = c.share("count", count).(kernel.Expr)
		first := kernel.Expr(kernel.Int(0))
		if kernel.IsConst(n, 1) && kernel.Less(first, count) { // the first iteration often differs
			body(first)
			first = kernel.Int(1)
		}
		c.sequential(first, count, body)
		c.sequential(kernel.Int(0), n, func(k kernel.Expr) { write(k, cells.read(k)) })
	}}
}

// recurrence is a loop whose steps use what the one before made, which is in variables.
type recurrence struct {
	i      *kernel.Var
	before Value
	first  Value // what the first step uses, or nil
	outer  int   // variables of higher numbers are the loop's
}

// running makes the code of a seqfor whose iteration i writes element i and reads no
// element but i-1, as scans do: that one is kept in variables, and each element is written
// where it goes. It reports false, and makes nothing, where the loop is another one.
//
//	seqfor n n (fn read => fn i => (i, f (if i == 0 then z else read (i - 1)) (index arr i)))
//
//	r = z; for (i = 0; i < n; i++) { v = f(r, arr[i]); r = v; … v … }
func (c *compiler) running(n, count kernel.Expr, elem types.Type, step func(read func(kernel.Expr) Value, i kernel.Expr) (kernel.Expr, Value), at diag.Span, write func(kernel.Expr, Value)) bool {
	if kernel.IsConst(n, 1) || !kernel.Least(n, count) || !kernel.Least(count, n) {
		return false
	}
	fits, around := true, c.loop
	defer func() { c.loop = around }()
	loop := &recurrence{outer: c.names}
	declared := c.block(func() { loop.before = c.undefined(elem) })
	code := c.block(func() {
		site := c.site("check", diag.IndexOutside, at)
		c.sequential(kernel.Int(0), n, func(i kernel.Expr) {
			loop.i, _ = i.(*kernel.Var)
			c.loop = loop
			last := kernel.Apply("-", i, kernel.Int(1))
			k, v := step(func(k kernel.Expr) Value {
				fits = fits && kernel.Least(k, last) && kernel.Least(last, k)
				if checked := c.check(k, n, site); checked != k {
					c.share("k", checked)
				}
				return loop.before
			}, i)
			fits = fits && kernel.Least(k, i) && kernel.Least(i, k)
			v = c.share("v", v)
			c.loop = around
			c.assign(loop.before, v)
			write(i, v)
		})
	})
	if !fits {
		return false
	}
	if loop.first != nil {
		declared = append(declared, c.block(func() { c.assign(loop.before, loop.first) })...)
	}
	for _, s := range append(declared, code...) {
		c.emit(s)
	}
	return true
}

// begins reports whether a conditional is what a step of the loop uses: a value from outside
// in the first one, and what the one before made in the others. Then it is in the variables
// of the loop.
func (c *compiler) begins(cond kernel.Expr, first, other Value) bool {
	l := c.loop
	if l == nil || l.i == nil || !kernel.Same(cond, kernel.Apply("==", l.i, kernel.Int(0))) {
		return false
	}
	a, b := flat(other), flat(l.before)
	if len(a) != len(b) {
		return false
	}
	for i, x := range flat(first) {
		v, isVar := x.(*kernel.Var)
		if a[i] != b[i] || !kernel.Atomic(x) || isVar && v.ID > l.outer {
			return false
		}
	}
	if l.first != nil && !same(l.first, first) {
		return false
	}
	l.first = first
	return true
}

func same(a, b Value) bool {
	x, y := flat(a), flat(b)
	for i := range x {
		if !kernel.Same(x[i], y[i]) {
			return false
		}
	}
	return true
}

// cells is the array that seqfor writes; one element is kept in variables.
type cells struct {
	read  func(k kernel.Expr) Value
	write func(k kernel.Expr, v Value)
}

func (c *compiler) cells(n, limit kernel.Expr, elem types.Type, at diag.Span) cells {
	site := c.site("check", diag.IndexOutside, at)
	if !kernel.IsConst(n, 1) {
		m := c.allocate("s", elem, types.Thread, n, at)
		return cells{
			func(k kernel.Expr) Value { return load(m, c.check(c.share("k", k).(kernel.Expr), n, site)) },
			func(k kernel.Expr, v Value) { c.storeBelow(limit, m, k, v) },
		}
	}
	v := c.undefined(elem)
	return cells{ // nothing reads the element between its computation and its assignment
		func(k kernel.Expr) Value {
			c.share("k", c.check(k, n, site))
			return v
		},
		func(k kernel.Expr, value Value) {
			c.share("k", k)
			if _, several := value.(Tuple); several {
				value = c.share("v", value)
			}
			c.assign(v, value)
		},
	}
}
