package compile

import (
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
)

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
