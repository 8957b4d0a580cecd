package eval

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// Block compiles statements.
func (c *Code) Block(list []ir.Stmt) Block {
	var b Block
	for _, s := range list {
		if o := c.stmt(s); o != nil {
			b = append(b, o)
		}
	}
	return b
}

// stmt compiles a statement; nil stands for nothing to do.
func (c *Code) stmt(s ir.Stmt) Op {
	if c.hooks != nil {
		if o, ok := c.hooks.Statement(c, s); ok {
			return o
		}
	}
	return c.Plain(s)
}

// Plain compiles a statement that is not a device's, though statements in it may be.
func (c *Code) Plain(s ir.Stmt) Op {
	switch s := s.(type) {
	case *ir.Decl:
		return c.assign(s.Var, s.Init)
	case *ir.Assign:
		return c.assign(s.Var, s.X)
	case *ir.Checked:
		return c.checked(s)
	case *ir.DeclBuf:
		return c.declBuf(s)
	case *ir.Free:
		if s.Buf.Stack > 0 {
			return nil
		}
		at := c.Buf(s.Buf)
		return func(fr *Frame) Next { fr.M.free(fr.Bufs[at]); fr.Bufs[at] = nil; return GoOn }
	case *ir.Move:
		d, x := c.Buf(s.Dst), c.Buf(s.Src)
		return func(fr *Frame) Next { fr.Bufs[d], fr.Bufs[x] = fr.Bufs[x], nil; return GoOn }
	case *ir.Swap:
		a, b := c.Buf(s.A), c.Buf(s.B)
		return func(fr *Frame) Next { fr.Bufs[a], fr.Bufs[b] = fr.Bufs[b], fr.Bufs[a]; return GoOn }
	case *ir.Alias:
		d, x := c.Buf(s.Dst), c.Buf(s.Src)
		return func(fr *Frame) Next { fr.Bufs[d] = fr.Bufs[x]; return GoOn }
	case *ir.Copy:
		d, to, x, from, n := c.Buf(s.Dst), c.index(s.DstIndex), c.Buf(s.Src), c.index(s.SrcIndex), c.Int(s.Count)
		return func(fr *Frame) Next {
			fr.M.copy(fr.Bufs[d], to(fr), fr.Bufs[x], from(fr), n(fr))
			return GoOn
		}
	case *ir.Store:
		return c.store(s)
	case *ir.Filter:
		return c.filter(s)
	case *ir.Micro:
		return c.micro(s)
	case *ir.For:
		return c.loop([]ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, c.Block(s.Body))
	case *ir.Nest:
		return c.nest(s)
	case *ir.Loop:
		body := c.Block(s.Body)
		return func(fr *Frame) Next {
			for step := int64(1); ; step++ {
				fr.M.lookAt(step)
				switch n := body.Run(fr); n {
				case LeaveLoop:
					return GoOn
				case LeaveFunction:
					return n
				}
			}
		}
	case *ir.BreakIf:
		cond := c.Int(s.Cond)
		return func(fr *Frame) Next {
			if cond(fr) != 0 {
				return LeaveLoop
			}
			return GoOn
		}
	case *ir.If:
		return c.ifElse(s)
	case *ir.Fail:
		return c.fail(s)
	case *ir.Call:
		return c.ownCall(s)
	case *ir.Runtime:
		return c.runtime(s)
	case *ir.Comment:
		return nil
	case *ir.Return:
		return func(*Frame) Next { return LeaveFunction }
	}
	panic(fmt.Sprintf("internal error: loop statement %T", s))
}

// index compiles an index, 0 where it is nil.
func (c *Code) index(x ir.Expr) IntCode {
	if x == nil {
		return func(*Frame) int64 { return 0 }
	}
	return c.Int(x)
}

// assign compiles v ← x; where x is nil, v gets 0. What a kernel is still to
// set is waited for first, as it would otherwise come later.
func (c *Code) assign(v *ir.Var, x ir.Expr) Op {
	at := c.Slot(v)
	wait := c.loose[v]
	if v.Kind == ir.F64 {
		d := func(*Frame) float64 { return 0 }
		if x != nil {
			d = c.Double(x)
		}
		return func(fr *Frame) Next {
			if wait {
				fr.M.settle()
			}
			fr.Doubles[at] = d(fr)
			return GoOn
		}
	}
	if v.Kind == ir.C64 {
		z := func(*Frame) complex128 { return 0 }
		if x != nil {
			z = c.Complex(x)
		}
		return func(fr *Frame) Next {
			if wait {
				fr.M.settle()
			}
			fr.Complexes[at] = z(fr)
			return GoOn
		}
	}
	i := c.index(x)
	return func(fr *Frame) Next {
		if wait {
			fr.M.settle()
		}
		fr.Ints[at] = i(fr)
		return GoOn
	}
}

func (c *Code) checked(s *ir.Checked) Op {
	f := map[ir.BinOp]func(x, y int64) (int64, bool){ir.OpAdd: num.Add, ir.OpSub: num.Sub, ir.OpMul: num.Mul}[s.Op]
	if f == nil {
		panic("internal error: only sums, differences and products are checked")
	}
	wrapped := map[ir.BinOp]func(x, y int64) int64{
		ir.OpAdd: func(x, y int64) int64 { return x + y },
		ir.OpSub: func(x, y int64) int64 { return x - y },
		ir.OpMul: func(x, y int64) int64 { return x * y },
	}[s.Op]
	x, y, at, flag := c.Int(s.X), c.Int(s.Y), c.Slot(s.Var), c.Slot(s.Flag)
	return func(fr *Frame) Next {
		a, b := x(fr), y(fr)
		if _, ok := f(a, b); !ok {
			fr.Ints[flag] = 1
		}
		fr.Ints[at] = wrapped(a, b)
		return GoOn
	}
}

// declBuf compiles the making of storage; bytes are allocated when they are
// needed, by the host or the device.
func (c *Code) declBuf(s *ir.DeclBuf) Op {
	at, name, elem, stack := c.Buf(s.Buf), s.Buf.Name, s.Buf.Elem, s.Buf.Stack
	if stack > 0 {
		return func(fr *Frame) Next {
			fr.M.free(fr.Bufs[at])
			fr.Bufs[at] = &Storage{Name: name, Elem: elem, Count: stack, At: s.At, Zero: s.Zero}
			return GoOn
		}
	}
	if s.Count == nil {
		return func(fr *Frame) Next { fr.Bufs[at] = nil; return GoOn }
	}
	count := c.Int(s.Count)
	shape := make([]IntCode, len(s.Shape))
	for i, x := range s.Shape {
		shape[i] = c.Int(x)
	}
	return func(fr *Frame) Next {
		n := count(fr)
		extents := make([]int, len(shape))
		product := 1.0
		for i, x := range shape {
			extents[i] = int(x(fr))
			product *= float64(extents[i])
		}
		if size := max(product, float64(n)) * float64(SizeOf(elem)); n < 0 || size > 1<<28 && size > float64(availableBytes()) {
			fr.M.fault(tail.FaultMemory, s.At, tail.Blame{}, extents)
		}
		fr.Bufs[at] = &Storage{Name: name, Elem: elem, Count: n, Shape: extents, At: s.At, Zero: s.Zero}
		return GoOn
	}
}

// availableBytes returns how much memory the system says is free.
func availableBytes() int64 {
	const unknown = 4 << 30
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return unknown
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "MemAvailable:"); ok {
			if kib, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64); err == nil {
				return kib << 10
			}
		}
	}
	return unknown
}

func (c *Code) store(s *ir.Store) Op {
	b, i := c.Buf(s.Buf), c.Int(s.Index)
	if s.Buf.Elem == ir.F64 {
		x := c.Double(s.X)
		return func(fr *Frame) Next {
			v := x(fr)
			fr.M.storeDouble(fr.Bufs[b], i(fr), v)
			return GoOn
		}
	}
	if s.Buf.Elem == ir.C64 {
		x := c.Complex(s.X)
		return func(fr *Frame) Next {
			v := x(fr)
			fr.M.storeComplex(fr.Bufs[b], i(fr), v)
			return GoOn
		}
	}
	x := c.Int(s.X)
	return func(fr *Frame) Next {
		v := x(fr)
		fr.M.storeInt(fr.Bufs[b], i(fr), v)
		return GoOn
	}
}

// loop compiles nested loops over a space.
func (c *Code) loop(dims []ir.Dim, body Block) Op {
	if len(dims) == 0 {
		return body.Run
	}
	d := dims[0]
	lo, hi, at := c.Int(d.Lo), c.Int(d.Hi), c.Slot(d.Var)
	inner := c.loop(dims[1:], body)
	return func(fr *Frame) Next {
		end := hi(fr)
		for i := lo(fr); i < end; i++ {
			fr.Ints[at] = i
			if n := inner(fr); n != GoOn {
				return n
			}
		}
		return GoOn
	}
}

func (c *Code) nest(s *ir.Nest) Op {
	pre := c.Block(s.Pre)
	body := c.loop(s.Red, c.Block(s.Body))
	if s.Ordered() {
		body = c.orderedLoop(s)
	}
	post := c.Block(s.Post)
	return c.loop(s.Dims, append(append(pre, body), post...))
}

func (c *Code) ifElse(s *ir.If) Op {
	cond, yes, no := c.Int(s.Cond), c.Block(s.Then), c.Block(s.Else)
	return func(fr *Frame) Next {
		if cond(fr) != 0 {
			return yes.Run(fr)
		}
		return no.Run(fr)
	}
}

func (c *Code) fail(s *ir.Fail) Op {
	row := s.Fault.Row()
	args := make([]func(fr *Frame) any, len(s.Args))
	for i, a := range s.Args {
		args[i] = c.failArg(a, row.Args[i])
	}
	return func(fr *Frame) Next {
		values := make([]any, len(args))
		for i, a := range args {
			values[i] = a(fr)
		}
		fr.M.fault(s.Fault, s.At, s.Blame, values...)
		return GoOn
	}
}

func (c *Code) failArg(a ir.FailArg, kind tail.ArgKind) func(fr *Frame) any {
	switch kind {
	case tail.ArgShape:
		extents := make([]IntCode, len(a.Shape))
		for i, x := range a.Shape {
			extents[i] = c.Int(x)
		}
		return func(fr *Frame) any {
			shape := make([]int, len(extents))
			for i, x := range extents {
				shape[i] = int(x(fr))
			}
			return shape
		}
	case tail.ArgInt:
		i := c.Int(a.X)
		return func(fr *Frame) any { return i(fr) }
	case tail.ArgDouble:
		d := c.Double(a.X)
		return func(fr *Frame) any { return d(fr) }
	case tail.ArgText:
		return func(*Frame) any { return a.Text }
	}
	panic("internal error: kind of a fault's operand is unset")
}

// Calls.

// maxDepth is how many calls may be active: the evaluator's limit.
const maxDepth = 100_000

// ownCall compiles the call of a function of the program: arrays are lent to it,
// and those that it makes are the caller's.
func (c *Code) ownCall(s *ir.Call) Op {
	callee := c.program.functions[s.Fn]
	var enter, leave []func(from, to *Frame)
	formal := c.program.codes[s.Fn]
	for i, p := range s.Fn.Params {
		enter = append(enter, c.passes(s.Args[i], p, formal))
	}
	for i, r := range s.Fn.Results {
		leave = append(leave, formal.passes(r, s.Results[i], c))
	}
	return func(fr *Frame) Next {
		m := fr.M
		if m.depth++; s.Fn.Recursive && m.depth > maxDepth {
			fr.M.fault(tail.FaultRecursion, s.At, tail.Blame{})
		}
		m.settle()
		done := callee.call(m, func(to *Frame) {
			for _, p := range enter {
				p(fr, to)
			}
		})
		m.depth--
		for _, p := range leave {
			p(done, fr)
		}
		return GoOn
	}
}

// passes compiles the copying of an array's pieces from a variable of c to one
// of another function.
func (c *Code) passes(from, to ir.Array, other *Code) func(from, to *Frame) {
	if to.Buf == nil {
		return c.passesScalar(from.Scalar, to.Scalar, other)
	}
	a, b := c.part(from), other.Buf(to.Buf)
	var dims []func(from, to *Frame)
	for i, d := range to.Dims {
		u, ok := d.(*ir.Use)
		if !ok {
			continue
		}
		x, at := c.Int(from.Dims[i]), other.Slot(u.Var)
		dims = append(dims, func(from, to *Frame) { to.Ints[at] = x(from) })
	}
	return func(from, to *Frame) {
		to.Bufs[b] = a(from)
		for _, d := range dims {
			d(from, to)
		}
	}
}

func (c *Code) passesScalar(from, to *ir.Var, other *Code) func(from, to *Frame) {
	if to == nil {
		return func(_, _ *Frame) {}
	}
	a, b := c.Slot(from), other.Slot(to)
	switch from.Kind {
	case ir.F64:
		return func(from, to *Frame) { to.Doubles[b] = from.Doubles[a] }
	case ir.C64:
		return func(from, to *Frame) { to.Complexes[b] = from.Complexes[a] }
	}
	return func(from, to *Frame) { to.Ints[b] = from.Ints[a] }
}
