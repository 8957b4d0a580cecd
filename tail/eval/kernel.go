package eval

import (
	"unsafe"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
)

// A kernel is a scalar function compiled to run over blocks of elements: a
// list of lanes over registers, one loop each, in place of one walk of the
// tree an element.

const (
	blockSize = 1024
	// maxInline bounds the lanes of a kernel; calls beyond it stay calls.
	maxInline = 400
)

// reg is a register: at ptr lie the elements of the current block, either in
// buf or in an array.
type reg struct {
	elem array.Elem
	ptr  unsafe.Pointer
	buf  *array.Array
}

// cells returns the first n elements of r.
func cells[T cell](r *reg, n int) []T { return unsafe.Slice((*T)(r.ptr), n) }

// own points r at its own buffer.
func (r *reg) own() {
	if r.buf == nil {
		r.buf = array.New(r.elem, blockSize)
	}
	r.aim(r.buf, 0)
}

// aim points r at the elements of a from i on.
func (r *reg) aim(a *array.Array, i int) {
	switch a.Elem {
	case array.Bool:
		r.ptr = unsafe.Pointer(&a.Bools[i])
	case array.Int:
		r.ptr = unsafe.Pointer(&a.Ints[i])
	case array.Double:
		r.ptr = unsafe.Pointer(&a.Doubles[i])
	case array.Complex:
		r.ptr = unsafe.Pointer(&a.Complexes[i])
	case array.Char:
		r.ptr = unsafe.Pointer(&a.Chars[i])
	}
}

// fill sets the first n elements of r's buffer.
func (r *reg) fill(bits word, n int) {
	r.own()
	switch r.elem {
	case array.Bool:
		fillSlice(r.buf.Bools[:n], fromBits[byte](bits))
	case array.Int:
		fillSlice(r.buf.Ints[:n], fromBits[int64](bits))
	case array.Double:
		fillSlice(r.buf.Doubles[:n], fromBits[float64](bits))
	case array.Complex:
		fillSlice(r.buf.Complexes[:n], fromBits[complex128](bits))
	case array.Char:
		fillSlice(r.buf.Chars[:n], fromBits[rune](bits))
	}
}

func fillSlice[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// at returns element i of r as bits, put sets it.
func (r *reg) at(i int) word {
	switch r.elem {
	case array.Bool:
		return toBits(cells[byte](r, i+1)[i])
	case array.Int:
		return toBits(cells[int64](r, i+1)[i])
	case array.Double:
		return toBits(cells[float64](r, i+1)[i])
	case array.Complex:
		return toBits(cells[complex128](r, i+1)[i])
	}
	return toBits(cells[rune](r, i+1)[i])
}

func (r *reg) put(i int, bits word) {
	switch r.elem {
	case array.Bool:
		cells[byte](r, i+1)[i] = fromBits[byte](bits)
	case array.Int:
		cells[int64](r, i+1)[i] = fromBits[int64](bits)
	case array.Double:
		cells[float64](r, i+1)[i] = fromBits[float64](bits)
	case array.Complex:
		cells[complex128](r, i+1)[i] = fromBits[complex128](bits)
	case array.Char:
		cells[rune](r, i+1)[i] = fromBits[rune](bits)
	}
}

// constant is a register that has one value for a whole run.
type constant struct {
	reg  *reg
	code code
}

// kernel is a compiled scalar function.
type kernel struct {
	params []*reg
	lanes  []lane
	consts []constant
	regs   []*reg // all but the parameters
	out    *reg
	busy   bool
	saved  [][]reg
	// op is the op that the kernel only applies to its parameters in order.
	op   tail.Op
	site site // of op
	// calls reports that the kernel can run the program's functions.
	calls bool
}

// begin prepares a run over n elements in all; end finishes it.
func (k *kernel) begin(fr *frame, n int) {
	if k.calls && k.busy {
		k.save()
	}
	k.busy = true
	for _, r := range k.regs {
		r.own()
	}
	n = min(n, blockSize)
	for _, c := range k.consts {
		if n > 0 {
			c.reg.fill(c.code(fr).word, n)
		}
	}
}

func (k *kernel) end() {
	if len(k.saved) > 0 {
		k.restore()
		return
	}
	k.busy = false
}

func (k *kernel) registers() []*reg {
	return append(append(append([]*reg{}, k.params...), k.regs...), k.out)
}

// save makes room for a run of k within a run of k.
func (k *kernel) save() {
	all := k.registers()
	old := make([]reg, len(all))
	for i, r := range all {
		old[i] = *r
		*r = reg{elem: r.elem}
	}
	k.saved = append(k.saved, old)
}

func (k *kernel) restore() {
	old := k.saved[len(k.saved)-1]
	k.saved = k.saved[:len(k.saved)-1]
	for i, r := range k.registers() {
		*r = old[i]
	}
}

// run computes a block of n elements into dst from i on.
func (k *kernel) run(fr *frame, dst *array.Array, i, n int) {
	fr.m.tick()
	k.out.aim(dst, i)
	for _, l := range k.lanes {
		l(fr, n)
	}
}

// builder compiles a kernel.
type builder struct {
	s      *scope
	k      *kernel
	env    map[*tail.Var]*reg
	inline int
	slot   map[*tail.Var]int // slots of variables that cells read
}

// kernel compiles a scalar function.
func (s *scope) kernel(f *tail.Lam) *kernel {
	return s.building(func(b *builder) *reg {
		if b.k.op = directOp(f); b.k.op != tail.NoOp {
			b.k.site = site{f.Body.(*tail.Apply), s.m}
		}
		args := make([]*reg, len(f.Params))
		for i, p := range f.Params {
			args[i] = b.param(p.Type.(*tail.Array).Elem)
		}
		return b.lambda(f, args)
	})
}

// building returns the kernel that compile makes; it is a lambda.
func (s *scope) building(compile func(b *builder) *reg) *kernel {
	base := s.base
	s.base = s.n
	defer func() { s.base = base }()
	b := &builder{s: s, k: &kernel{}, env: map[*tail.Var]*reg{}, slot: map[*tail.Var]int{}}
	b.finish(compile(b))
	return b.k
}

func (b *builder) param(e array.Elem) *reg {
	r := &reg{elem: e}
	b.k.params = append(b.k.params, r)
	return r
}

// lambda compiles f applied to registers.
func (b *builder) lambda(f *tail.Lam, args []*reg) *reg {
	for i, p := range f.Params {
		b.env[p] = args[i]
	}
	if b.s.m.env.Plain || !b.batches(f.Body) {
		return b.perCell(f.Body)
	}
	return b.expr(f.Body)
}

// batches reports whether e may be evaluated op by op for many elements: it
// has at most one effect, and no fault of another op could end the program
// between the effects of two elements.
func (b *builder) batches(e tail.Expr) bool {
	switch b.s.m.impureCount(e) {
	case 0:
		return true
	case 1:
		if a, ok := e.(*tail.Apply); ok && a.Op.Row().Impure && allRefs(a.Args) {
			return true
		}
		return b.s.m.effects.Of(e)&analysis.Faults == 0
	}
	return false
}

func allRefs(args []tail.Expr) bool {
	for _, a := range args {
		if _, ok := a.(*tail.Ref); !ok {
			return false
		}
	}
	return true
}

// finish makes the register that the last lane writes the result register.
func (b *builder) finish(out *reg) {
	k := b.k
	written := len(k.lanes) > 0 && len(k.regs) > 0 && k.regs[len(k.regs)-1] == out && !b.isConst(out)
	if written {
		k.regs = k.regs[:len(k.regs)-1]
		k.out = out
		return
	}
	k.out = &reg{elem: out.elem}
	k.lanes = append(k.lanes, move(k.out, out))
}

func (b *builder) isConst(r *reg) bool {
	for _, c := range b.k.consts {
		if c.reg == r {
			return true
		}
	}
	return false
}

// move is the lane that copies a register.
func move(dst, src *reg) lane {
	switch dst.elem {
	case array.Bool:
		return func(_ *frame, n int) { copy(cells[byte](dst, n), cells[byte](src, n)) }
	case array.Int:
		return func(_ *frame, n int) { copy(cells[int64](dst, n), cells[int64](src, n)) }
	case array.Double:
		return func(_ *frame, n int) { copy(cells[float64](dst, n), cells[float64](src, n)) }
	case array.Complex:
		return func(_ *frame, n int) { copy(cells[complex128](dst, n), cells[complex128](src, n)) }
	}
	return func(_ *frame, n int) { copy(cells[rune](dst, n), cells[rune](src, n)) }
}

// directOp returns the op that f applies to just its parameters, in order.
func directOp(f *tail.Lam) tail.Op {
	e, ok := f.Body.(*tail.Apply)
	if !ok || !e.Op.Row().Scalar || len(e.Args) != len(f.Params) {
		return tail.NoOp
	}
	for i, a := range e.Args {
		if r, ok := a.(*tail.Ref); !ok || r.Var != f.Params[i] {
			return tail.NoOp
		}
	}
	return e.Op
}

func (b *builder) newReg(e array.Elem) *reg {
	r := &reg{elem: e}
	b.k.regs = append(b.k.regs, r)
	return r
}

// expr compiles the scalar expression e into lanes and returns the register of
// its value.
func (b *builder) expr(e tail.Expr) *reg {
	if b.invariant(e) {
		return b.constant(e)
	}
	switch e := e.(type) {
	case *tail.Ref:
		return b.env[e.Var]
	case *tail.Let:
		if !isScalar(e.Var.Type) || !isScalar(e.Type()) {
			break
		}
		b.env[e.Var] = b.expr(e.Bind)
		return b.expr(e.Body)
	case *tail.Apply:
		if e.Op.Row().Scalar {
			return b.apply(e)
		}
	case *tail.If:
		if x := b.s.m.effects; x.Total(e.Then) && x.Total(e.Else) {
			return b.cond(e)
		}
	case *tail.Call:
		if b.inlinable(e) {
			return b.call(e)
		}
	}
	return b.perCell(e)
}

// invariant reports whether e is the same for all elements, and can be
// evaluated before them.
func (b *builder) invariant(e tail.Expr) bool {
	switch e := e.(type) {
	case *tail.Lit:
		return true
	case *tail.Ref:
		return b.env[e.Var] == nil
	case *tail.Call, *tail.If:
		return false
	}
	ok := true
	tail.Walk(e, func(x tail.Expr) bool {
		switch x := x.(type) {
		case *tail.Ref:
			ok = ok && b.env[x.Var] == nil
		case *tail.Apply:
			ok = ok && !x.Op.Row().Impure
		case *tail.Call:
			ok = false
		}
		return ok
	})
	return ok
}

func (b *builder) constant(e tail.Expr) *reg {
	r := b.newReg(tail.TypeOf(e).Elem)
	b.k.consts = append(b.k.consts, constant{r, b.s.expr(e, useKept)})
	return r
}

func (b *builder) apply(e *tail.Apply) *reg {
	args := make([]*reg, len(e.Args))
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = b.expr(e.Args[i])
	}
	out := b.newReg(tail.TypeOf(e).Elem)
	impl := scalarOps[e.Op]
	b.k.lanes = append(b.k.lanes, impl.lane(&site{e, b.s.m}, args, out))
	return out
}

// cond compiles an if with both sides evaluated.
func (b *builder) cond(e *tail.If) *reg {
	c := b.expr(e.Cond)
	yes, no := b.expr(e.Then), b.expr(e.Else)
	out := b.newReg(tail.TypeOf(e).Elem)
	var l lane
	switch out.elem {
	case array.Bool:
		l = choose[byte](out, c, yes, no)
	case array.Int:
		l = choose[int64](out, c, yes, no)
	case array.Double:
		l = choose[float64](out, c, yes, no)
	case array.Complex:
		l = choose[complex128](out, c, yes, no)
	default:
		l = choose[rune](out, c, yes, no)
	}
	b.k.lanes = append(b.k.lanes, l)
	return out
}

func choose[T cell](out, c, yes, no *reg) lane {
	return func(_ *frame, n int) {
		z, x, y, m := cells[T](out, n), cells[T](yes, n), cells[T](no, n), cells[byte](c, n)
		for i := range z {
			v := y[i]
			if m[i] != 0 {
				v = x[i]
			}
			z[i] = v
		}
	}
}

// inlinable reports whether a call can become part of the kernel.
func (b *builder) inlinable(e *tail.Call) bool {
	if e.Fn.Recursive || b.inline > 20 || len(b.k.lanes) > maxInline || !isScalar(e.Ty) {
		return false
	}
	for _, p := range e.Fn.Params {
		if !isScalar(p.Type) {
			return false
		}
	}
	return b.s.m.impureCount(e.Fn.Body) == 0
}

func (b *builder) call(e *tail.Call) *reg {
	args := make([]*reg, len(e.Args))
	for i := len(args) - 1; i >= 0; i-- {
		args[i] = b.expr(e.Args[i])
	}
	for i, p := range e.Fn.Params {
		b.env[p] = args[i]
	}
	b.inline++
	defer func() { b.inline-- }()
	return b.expr(e.Fn.Body)
}

// perCell compiles e to be evaluated element by element.
func (b *builder) perCell(e tail.Expr) *reg {
	type load struct {
		reg *reg
		at  int
	}
	var loads []load
	seen := map[*tail.Var]bool{}
	tail.Walk(e, func(x tail.Expr) bool {
		r, ok := x.(*tail.Ref)
		if !ok || seen[r.Var] || b.env[r.Var] == nil {
			return true
		}
		seen[r.Var] = true
		at, ok := b.slot[r.Var]
		if !ok {
			at = b.s.bind(r.Var)
			b.slot[r.Var] = at
		}
		loads = append(loads, load{b.env[r.Var], at})
		return true
	})
	if hasCall(e) {
		b.k.calls = true
	}
	b.s.depth += cellNesting
	c := b.s.expr(e, useKept)
	b.s.depth -= cellNesting
	out := b.newReg(tail.TypeOf(e).Elem)
	b.k.lanes = append(b.k.lanes, func(fr *frame, n int) {
		for i := 0; i < n; i++ {
			for _, l := range loads {
				fr.slots[l.at].word = l.reg.at(i)
			}
			out.put(i, c(fr).word)
		}
	})
	return out
}
