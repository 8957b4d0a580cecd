package clgen

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

func (c *hostCode) block(list []ir.Stmt) block {
	var b block
	for _, s := range list {
		if o := c.stmt(s); o != nil {
			b = append(b, o)
		}
	}
	return b
}

// stmt compiles a statement; nil stands for nothing to do.
func (c *hostCode) stmt(s ir.Stmt) op {
	if k := c.kernels[s]; k != nil && k.shape == doneShape {
		return nil
	} else if k != nil {
		return c.kernel(s, k)
	}
	return c.plain(s)
}

// plain compiles a statement that the host executes.
func (c *hostCode) plain(s ir.Stmt) op {
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
		at := c.buf(s.Buf)
		return func(fr *frame) next { fr.m.free(fr.bufs[at]); fr.bufs[at] = nil; return goOn }
	case *ir.Move:
		d, x := c.buf(s.Dst), c.buf(s.Src)
		return func(fr *frame) next { fr.bufs[d], fr.bufs[x] = fr.bufs[x], nil; return goOn }
	case *ir.Swap:
		a, b := c.buf(s.A), c.buf(s.B)
		return func(fr *frame) next { fr.bufs[a], fr.bufs[b] = fr.bufs[b], fr.bufs[a]; return goOn }
	case *ir.Copy:
		d, to, x, from, n := c.buf(s.Dst), c.index(s.DstIndex), c.buf(s.Src), c.index(s.SrcIndex), c.int(s.Count)
		return func(fr *frame) next {
			fr.m.copy(fr.bufs[d], to(fr), fr.bufs[x], from(fr), n(fr))
			return goOn
		}
	case *ir.Store:
		return c.store(s)
	case *ir.For:
		return c.loop([]ir.Dim{{Var: s.Var, Lo: s.Lo, Hi: s.Hi}}, c.block(s.Body))
	case *ir.Nest:
		return c.nest(s)
	case *ir.Loop:
		body := c.block(s.Body)
		return func(fr *frame) next {
			for {
				switch n := body.run(fr); n {
				case leaveLoop:
					return goOn
				case leaveFunction:
					return n
				}
			}
		}
	case *ir.BreakIf:
		cond := c.int(s.Cond)
		return func(fr *frame) next {
			if cond(fr) != 0 {
				return leaveLoop
			}
			return goOn
		}
	case *ir.If:
		return c.ifElse(s)
	case *ir.Fail:
		return c.fail(s)
	case *ir.Call:
		if f := c.plan.Foreign; f != nil && f.Computes(s.Fn) {
			return c.foreign(s)
		}
		return c.ownCall(s)
	case *ir.Runtime:
		return c.runtime(s)
	case *ir.Comment:
		return nil
	case *ir.Return:
		return func(*frame) next { return leaveFunction }
	}
	panic(fmt.Sprintf("internal error: loop statement %T", s))
}

// index compiles an index, 0 where it is nil.
func (c *hostCode) index(x ir.Expr) intCode {
	if x == nil {
		return func(*frame) int64 { return 0 }
	}
	return c.int(x)
}

// assign compiles v ← x; where x is nil, v gets 0. What a kernel is still to
// set is waited for first, as it would otherwise come later.
func (c *hostCode) assign(v *ir.Var, x ir.Expr) op {
	at := c.slot(v)
	wait := c.loose[v]
	if v.Kind == ir.F64 {
		d := func(*frame) float64 { return 0 }
		if x != nil {
			d = c.dbl(x)
		}
		return func(fr *frame) next {
			if wait {
				fr.m.settle()
			}
			fr.dbls[at] = d(fr)
			return goOn
		}
	}
	if v.Kind == ir.C64 {
		z := func(*frame) complex128 { return 0 }
		if x != nil {
			z = c.cplx(x)
		}
		return func(fr *frame) next {
			if wait {
				fr.m.settle()
			}
			fr.cplxs[at] = z(fr)
			return goOn
		}
	}
	i := c.index(x)
	return func(fr *frame) next {
		if wait {
			fr.m.settle()
		}
		fr.ints[at] = i(fr)
		return goOn
	}
}

func (c *hostCode) checked(s *ir.Checked) op {
	f := map[ir.BinOp]func(x, y int64) (int64, bool){ir.OpAdd: num.Add, ir.OpSub: num.Sub, ir.OpMul: num.Mul}[s.Op]
	if f == nil {
		panic("internal error: only sums, differences and products are checked")
	}
	wrapped := map[ir.BinOp]func(x, y int64) int64{
		ir.OpAdd: func(x, y int64) int64 { return x + y },
		ir.OpSub: func(x, y int64) int64 { return x - y },
		ir.OpMul: func(x, y int64) int64 { return x * y },
	}[s.Op]
	x, y, at, flag := c.int(s.X), c.int(s.Y), c.slot(s.Var), c.slot(s.Flag)
	return func(fr *frame) next {
		a, b := x(fr), y(fr)
		if _, ok := f(a, b); !ok {
			fr.ints[flag] = 1
		}
		fr.ints[at] = wrapped(a, b)
		return goOn
	}
}

// declBuf compiles the making of storage; bytes are allocated when they are
// needed, by the host or the device.
func (c *hostCode) declBuf(s *ir.DeclBuf) op {
	at, name, elem, stack := c.buf(s.Buf), s.Buf.Name, s.Buf.Elem, s.Buf.Stack
	if stack > 0 {
		return func(fr *frame) next {
			fr.m.free(fr.bufs[at])
			fr.bufs[at] = &storage{name: name, elem: elem, count: stack, at: s.At, zero: s.Zero}
			return goOn
		}
	}
	if s.Count == nil {
		return func(fr *frame) next { fr.bufs[at] = nil; return goOn }
	}
	count := c.int(s.Count)
	shape := make([]intCode, len(s.Shape))
	for i, x := range s.Shape {
		shape[i] = c.int(x)
	}
	return func(fr *frame) next {
		n := count(fr)
		extents := make([]int, len(shape))
		product := 1.0
		for i, x := range shape {
			extents[i] = int(x(fr))
			product *= float64(extents[i])
		}
		if size := max(product, float64(n)) * float64(sizeOf(elem)); n < 0 || size > 1<<28 && size > float64(availableBytes()) {
			fr.m.fault(tail.FaultMemory, s.At, tail.Blame{}, extents)
		}
		fr.bufs[at] = &storage{name: name, elem: elem, count: n, shape: extents, at: s.At, zero: s.Zero}
		return goOn
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

func (c *hostCode) store(s *ir.Store) op {
	b, i := c.buf(s.Buf), c.int(s.Index)
	if s.Buf.Elem == ir.F64 {
		x := c.dbl(s.X)
		return func(fr *frame) next {
			v := x(fr)
			fr.m.storeDouble(fr.bufs[b], i(fr), v)
			return goOn
		}
	}
	if s.Buf.Elem == ir.C64 {
		x := c.cplx(s.X)
		return func(fr *frame) next {
			v := x(fr)
			fr.m.storeComplex(fr.bufs[b], i(fr), v)
			return goOn
		}
	}
	x := c.int(s.X)
	return func(fr *frame) next {
		v := x(fr)
		fr.m.storeInt(fr.bufs[b], i(fr), v)
		return goOn
	}
}

// loop compiles nested loops over a space.
func (c *hostCode) loop(dims []ir.Dim, body block) op {
	if len(dims) == 0 {
		return body.run
	}
	d := dims[0]
	lo, hi, at := c.int(d.Lo), c.int(d.Hi), c.slot(d.Var)
	inner := c.loop(dims[1:], body)
	return func(fr *frame) next {
		end := hi(fr)
		for i := lo(fr); i < end; i++ {
			fr.ints[at] = i
			if n := inner(fr); n != goOn {
				return n
			}
		}
		return goOn
	}
}

func (c *hostCode) nest(s *ir.Nest) op {
	pre := c.block(s.Pre)
	body := c.loop(s.Red, c.block(s.Body))
	if s.Ordered() {
		body = c.orderedLoop(s)
	}
	post := c.block(s.Post)
	return c.loop(s.Dims, append(append(pre, body), post...))
}

func (c *hostCode) ifElse(s *ir.If) op {
	cond, yes, no := c.int(s.Cond), c.block(s.Then), c.block(s.Else)
	return func(fr *frame) next {
		if cond(fr) != 0 {
			return yes.run(fr)
		}
		return no.run(fr)
	}
}

func (c *hostCode) fail(s *ir.Fail) op {
	row := s.Fault.Row()
	args := make([]func(fr *frame) any, len(s.Args))
	for i, a := range s.Args {
		args[i] = c.failArg(a, row.Args[i])
	}
	return func(fr *frame) next {
		values := make([]any, len(args))
		for i, a := range args {
			values[i] = a(fr)
		}
		fr.m.fault(s.Fault, s.At, s.Blame, values...)
		return goOn
	}
}

func (c *hostCode) failArg(a ir.FailArg, kind tail.ArgKind) func(fr *frame) any {
	switch kind {
	case tail.ArgShape:
		extents := make([]intCode, len(a.Shape))
		for i, x := range a.Shape {
			extents[i] = c.int(x)
		}
		return func(fr *frame) any {
			shape := make([]int, len(extents))
			for i, x := range extents {
				shape[i] = int(x(fr))
			}
			return shape
		}
	case tail.ArgInt:
		i := c.int(a.X)
		return func(fr *frame) any { return i(fr) }
	case tail.ArgDouble:
		d := c.dbl(a.X)
		return func(fr *frame) any { return d(fr) }
	case tail.ArgText:
		return func(*frame) any { return a.Text }
	}
	panic("internal error: kind of a fault's operand is unset")
}

// Calls.

// maxDepth is how many calls may be active: the evaluator's limit.
const maxDepth = 100_000

// ownCall compiles the call of a function of the program: arrays are lent to it,
// and those that it makes are the caller's.
func (c *hostCode) ownCall(s *ir.Call) op {
	callee := c.functions[s.Fn]
	var enter, leave []func(from, to *frame)
	formal := c.signatures[s.Fn]
	for i, p := range s.Fn.Params {
		enter = append(enter, c.passes(s.Args[i], p, formal))
	}
	for i, r := range s.Fn.Results {
		leave = append(leave, formal.passes(r, s.Results[i], c))
	}
	return func(fr *frame) next {
		m := fr.m
		if m.depth++; s.Fn.Recursive && m.depth > maxDepth {
			m.fault(tail.FaultRecursion, s.At, tail.Blame{})
		}
		m.settle()
		done := callee.call(m, func(to *frame) {
			for _, p := range enter {
				p(fr, to)
			}
		})
		m.depth--
		for _, p := range leave {
			p(done, fr)
		}
		return goOn
	}
}

// passes compiles the copying of an array's pieces from a variable of c to one
// of another function.
func (c *hostCode) passes(from, to ir.Array, other *hostCode) func(from, to *frame) {
	if to.Buf == nil {
		return c.passesScalar(from.Scalar, to.Scalar, other)
	}
	a, b := c.buf(from.Buf), other.buf(to.Buf)
	var dims []func(from, to *frame)
	for i, d := range to.Dims {
		u, ok := d.(*ir.Use)
		if !ok {
			continue
		}
		x, at := c.int(from.Dims[i]), other.slot(u.Var)
		dims = append(dims, func(from, to *frame) { to.ints[at] = x(from) })
	}
	return func(from, to *frame) {
		to.bufs[b] = from.bufs[a]
		for _, d := range dims {
			d(from, to)
		}
	}
}

func (c *hostCode) passesScalar(from, to *ir.Var, other *hostCode) func(from, to *frame) {
	if to == nil {
		return func(_, _ *frame) {}
	}
	a, b := c.slot(from), other.slot(to)
	switch from.Kind {
	case ir.F64:
		return func(from, to *frame) { to.dbls[b] = from.dbls[a] }
	case ir.C64:
		return func(from, to *frame) { to.cplxs[b] = from.cplxs[a] }
	}
	return func(from, to *frame) { to.ints[b] = from.ints[a] }
}
