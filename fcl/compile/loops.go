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
