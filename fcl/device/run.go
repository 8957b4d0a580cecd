package device

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/opencl"
)

// Stats says what a run did.
type Stats struct {
	Launches int
	Kernels  time.Duration // where the queue profiles
}

// Options are those that kernels are compiled with.
const Options = "-cl-fp32-correctly-rounded-divide-sqrt"

// Loaded is a plan with its kernels on the device.
type Loaded struct {
	plan    *compile.Plan
	queue   *opencl.Queue
	program *opencl.Program
	kernels map[*kernel.Kernel]*opencl.Kernel
	lender  Memory
}

// Memory is where buffers come from.
type Memory interface {
	Alloc(bytes int64, name string) (*opencl.Buffer, error)
	Release(b *opencl.Buffer)
}

// own is the memory of the queue itself.
type own struct{ *opencl.Queue }

func (own) Release(b *opencl.Buffer) { b.Release() }

// Borrow is Load of a plan whose kernels are in a program of the caller, which gives it memory.
func Borrow(q *opencl.Queue, p *compile.Plan, program *opencl.Program, memory Memory) (l *Loaded, err error) {
	l = &Loaded{plan: p, queue: q, kernels: map[*kernel.Kernel]*opencl.Kernel{}, lender: memory}
	defer caught(&err)
	for _, k := range p.Kernels {
		l.kernels[k] = must(program.Kernel(k.Name))
	}
	return l, nil
}

// run is a run of a plan.
type run struct {
	*Loaded
	buffers map[*kernel.Array]*opencl.Buffer
	lent    map[*opencl.Buffer]bool // those of arguments that stay the caller's
	vars    map[*kernel.Var]scalar.Scalar
	fault   *opencl.Buffer
	stats   Stats
}

// Run runs a plan. Arguments are scalar.Scalar or *Vector.
func Run(q *opencl.Queue, p *compile.Plan, args []Value) (Value, Stats, error) {
	r, err := Prepare(q, p, args)
	if err != nil {
		return nil, Stats{}, err
	}
	defer r.Release()
	if err := r.Compute(); err != nil {
		return nil, r.stats, err
	}
	v, err := r.Result()
	return v, r.stats, err
}

// Load builds the kernels of a plan.
func Load(q *opencl.Queue, p *compile.Plan) (l *Loaded, err error) {
	l = &Loaded{plan: p, queue: q, kernels: map[*kernel.Kernel]*opencl.Kernel{}, lender: own{q}}
	defer func() {
		if err != nil {
			l.Release()
		}
	}()
	defer caught(&err)
	if len(p.Kernels) > 0 {
		var lack *opencl.Lack
		l.program, err = q.Build(kernel.Text(p.Kernels), Options)
		if errors.As(err, &lack) && lack.What == opencl.SubGroups {
			err = fmt.Errorf("%w, --param Warps=2 does without", err)
		}
		if err != nil {
			return l, err
		}
	}
	for _, k := range p.Kernels {
		l.kernels[k] = must(l.program.Kernel(k.Name))
	}
	return l, nil
}

// Release gives the kernels back.
func (l *Loaded) Release() {
	for _, k := range l.kernels {
		k.Release()
	}
	if l.program != nil {
		l.program.Release()
	}
}

// Prepared is a plan with its kernels and arguments on the device. It may own the kernels.
type Prepared struct {
	run
	owner bool
}

// Prepare is Load and Prepare of the plan that is loaded.
func Prepare(q *opencl.Queue, p *compile.Plan, args []Value) (*Prepared, error) {
	l, err := Load(q, p)
	if err != nil {
		return nil, err
	}
	r, err := l.Prepare(args)
	if err != nil {
		l.Release()
		return nil, err
	}
	r.owner = true
	return r, nil
}

// Prepare writes the arguments to the device, but for those that are there.
func (l *Loaded) Prepare(args []Value) (r *Prepared, err error) {
	r = &Prepared{run: run{Loaded: l, buffers: map[*kernel.Array]*opencl.Buffer{}, lent: map[*opencl.Buffer]bool{}, vars: map[*kernel.Var]scalar.Scalar{}}}
	defer func() {
		if err != nil {
			r.Release()
		}
	}()
	defer caught(&err)
	r.prepare(args)
	return r, nil
}

// Compute runs the plan, which can be done again.
func (r *Prepared) Compute() (err error) {
	defer caught(&err)
	r.list(r.plan.Host)
	return r.queue.Finish()
}

// Result reads what Compute left, or the fault that a kernel noted.
func (r *Prepared) Result() (v Value, err error) {
	defer caught(&err)
	v = r.result(r.plan.Result)
	r.check()
	return v, nil
}

// Launches returns how many kernels were started.
func (r *Prepared) Launches() int { return r.stats.Launches }

// Keep is Result whose arrays stay on the device: they are the caller's to release.
func (r *Prepared) Keep() (v Value, err error) {
	defer caught(&err)
	r.check()
	return r.kept(r.plan.Result), nil
}

// kept returns what main gives with arrays on the device. One that is an argument, or is part
// of the result twice, is copied.
func (r *run) kept(v compile.Result) Value {
	switch v := v.(type) {
	case *compile.Pull:
		a, ok := v.Stored.(*kernel.Array)
		if !ok {
			break
		}
		made := &Array{a.Elem, r.buffers[a], r.expr(v.N).I}
		if bytes := made.N * int64(a.Elem.Size()); r.lent[made.Buffer] {
			made.Buffer = must(r.lender.Alloc(max(bytes, 1), "the result"))
			r.ok(r.queue.Copy(r.buffers[a], 0, made.Buffer, 0, bytes))
			return made
		}
		r.lent[made.Buffer] = true
		return made
	case []compile.Result:
		t := make(Tuple, len(v))
		for i, item := range v {
			t[i] = r.kept(item)
		}
		return t
	}
	return r.result(v)
}

// Release gives the memory of the device back.
func (r *Prepared) Release() {
	r.release()
	if r.owner {
		r.Loaded.Release()
	}
}

// caught recovers from failures.
func caught(err *error) {
	switch e := recover().(type) {
	case nil:
	case failure:
		*err = e.error
	case *diag.Error:
		*err = e
	default:
		panic(e)
	}
}

// failure is an error of OpenCL on its way to Run.
type failure struct{ error }

func must[T any](v T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return v
}

func (r *run) ok(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func (r *run) prepare(args []Value) {
	r.fault = must(r.lender.Alloc(24, "faults"))
	r.ok(r.queue.Zero(r.fault, 24))
	for i, in := range r.plan.Inputs {
		switch a := args[i].(type) {
		case scalar.Scalar:
			if in.Var != nil {
				r.vars[in.Var] = a
			}
		case *Vector:
			r.vars[in.Len] = scalar.Int(int64(a.Len()))
			b := r.alloc(in.Array)
			if len(a.Bytes) > 0 {
				r.ok(r.queue.Write(b, 0, a.Bytes, "an argument"))
			}
		case *Array:
			r.vars[in.Len] = scalar.Int(a.N)
			r.buffers[in.Array], r.lent[a.Buffer] = a.Buffer, true
		}
	}
}

func (r *run) release() {
	for _, b := range r.buffers {
		if !r.lent[b] {
			r.lender.Release(b)
		}
	}
	if r.fault != nil {
		r.lender.Release(r.fault)
	}
}

// alloc makes the buffer of a global array.
func (r *run) alloc(a *kernel.Array) *opencl.Buffer {
	bytes := max(r.expr(a.Len).I, 1) * int64(a.Elem.Size())
	if old := r.buffers[a]; old != nil {
		if old.Size >= bytes && old.Size < bytes+256 {
			return old
		}
		r.lender.Release(old)
	}
	b := r.buffer(a, bytes, "array ")
	r.buffers[a] = b
	return b
}

// buffer makes a buffer for an array; a fault where there is no memory for it.
func (r *run) buffer(a *kernel.Array, bytes int64, what string) *opencl.Buffer {
	b, err := r.lender.Alloc(bytes, what+a.Name)
	if a.Room > 0 && opencl.OutOfMemory(err) {
		r.report(a.Room, bytes/int64(a.Elem.Size()), bytes)
	}
	return must(b, err)
}

// list runs statements of the host, and reports whether a Break ended them.
func (r *run) list(list []kernel.Stmt) bool {
	for _, s := range list {
		if r.stmt(s) {
			return true
		}
	}
	return false
}

func (r *run) stmt(s kernel.Stmt) bool {
	switch s := s.(type) {
	case *kernel.Decl:
		if s.Init != nil {
			r.vars[s.Var] = r.expr(s.Init)
		}
	case *kernel.Assign:
		r.vars[s.Var] = r.expr(s.Value)
	case *kernel.Alloc:
		r.alloc(s.Array)
	case *kernel.Swap:
		r.buffers[s.A], r.buffers[s.B] = r.buffers[s.B], r.buffers[s.A]
	case *kernel.For:
		n := r.expr(s.N).I
		for i := r.expr(s.From).I; i < n; i++ {
			r.vars[s.Var] = scalar.Int(i)
			r.list(s.Body)
		}
	case *kernel.If:
		if r.expr(s.Cond).I != 0 {
			return r.list(s.Then)
		}
		return r.list(s.Else)
	case *kernel.Loop:
		for !r.list(s.Body) {
		}
	case *kernel.Break:
		return r.expr(s.Unless).I == 0
	case *kernel.Launch:
		r.launch(s.Kernel)
	default:
		panic(fmt.Sprintf("device: statement %T", s))
	}
	return false
}

// groupsAUnit is how many work-groups a launch has at most for each compute unit where
// work-items have memory of their own; loops in the kernels cover more work.
const groupsAUnit = 32

// launch starts a kernel with as many work-items as it has work for.
func (r *run) launch(k *kernel.Kernel) {
	n := r.expr(k.N).I
	if n <= 0 {
		return
	}
	d, local, groups := r.queue.Device, k.Group, n
	if local > int64(d.MaxGroup) {
		panic(diag.Errorf(diag.AtLimit, diag.Span{}, "%s has work-groups of at most %d work-items, not %d: say --param BlockSize=%d", d.Name, d.MaxGroup, local, d.MaxGroup))
	}
	if !k.Groups {
		groups = (n + local - 1) / local
	}
	if !k.Once {
		groups = min(groups, int64(d.Units)*groupsAUnit)
	}
	made := r.kernels[k]
	scratch := r.arguments(made, k, groups*local)
	t := must(made.Launch(groups*local, local))
	r.stats.Launches++
	r.stats.Kernels += t
	for _, b := range scratch {
		r.lender.Release(b)
	}
}

// arguments sets the arguments of a kernel, and returns the scratch memory among them.
func (r *run) arguments(made *opencl.Kernel, k *kernel.Kernel, items int64) []*opencl.Buffer {
	var scratch []*opencl.Buffer
	i := 0
	next := func() int { i++; return i - 1 }
	r.ok(made.SetBuffer(next(), r.fault))
	for _, a := range k.Arrays {
		b := r.buffers[a]
		if a.Space == kernel.Scratch {
			b = r.buffer(a, max(r.expr(a.Len).I, 1)*items*int64(a.Elem.Size()), "scratch memory ")
			scratch = append(scratch, b)
		}
		r.ok(made.SetBuffer(next(), b))
	}
	total := int64(0)
	for _, s := range k.Fixed {
		total += r.expr(s.Bytes).I
	}
	for _, s := range k.Slots {
		bytes := r.expr(s.Bytes).I
		if s.Sub {
			bytes *= must(made.SubGroups(k.Group))
		}
		total += bytes
		r.ok(made.SetLocal(next(), bytes))
	}
	if most := r.queue.Device.LocalMemory; total > most {
		panic(diag.Errorf(diag.NoMemory, diag.Span{}, "kernel %s needs %d bytes of local memory, and %s has %d", k.Name, total, r.queue.Device.Name, most))
	}
	for _, v := range k.Scalars {
		s := r.vars[v]
		switch v.Of {
		case types.F64:
			r.ok(made.SetDouble(next(), s.F))
		case types.F32:
			r.ok(made.SetFloat(next(), float32(s.F)))
		default:
			r.ok(made.SetInt(next(), s.I))
		}
	}
	return scratch
}

// check reads whether a kernel noted a fault, and reports it.
func (r *run) check() {
	if len(r.plan.Sites) == 0 {
		return
	}
	var b [24]byte
	r.ok(r.queue.Read(r.fault, 0, b[:], "faults"))
	site := int32(binary.LittleEndian.Uint32(b[:4]))
	if site != 0 {
		r.report(int(site), int64(binary.LittleEndian.Uint64(b[8:])), int64(binary.LittleEndian.Uint64(b[16:])))
	}
}

// report panics with a fault.
func (r *run) report(site int, a, b int64) {
	s := r.plan.Sites[site-1]
	e := s.Fault(message(s.Op, a, b))
	e.RunTime = true
	panic(e)
}
