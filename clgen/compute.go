package clgen

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/fcl/compile"
	fcldevice "github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/host"
	fclkernel "github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
)

// Run-time functions that programs of FCL compute, by functions of its library: grades, index of,
// membership, unique, without, and the first of equal major cells.
//
//	y←⍋x     fun main flip x = gradeBy intKey 1 flip x
//
// The host does one where it has the operands and these are short, and ∪ of doubles that are compared
// with a tolerance: which of some that are nearly equal stay depends on those before them.

// elementOf are the types of FCL that elements have.
var elementOf = map[ir.Kind]types.Scalar{ir.I64: types.I64, ir.F64: types.F64, ir.U8: types.Bool, ir.C32: types.I32}

// computing is a program of FCL with its kernels.
type computing struct {
	name, main string
	plan       *compile.Plan
}

// keys are the functions of FCL that give elements keys in their order, and those by which they are
// equal, by kinds.
var keys = map[ir.Kind]struct{ order, equal string }{
	ir.I64: {"intKey", "(fn x => x)"}, ir.F64: {"doubleKey", "(fn x => if x == 0.0 then 0 else bits x)"},
	ir.U8: {"boolKey", "boolKey"}, ir.C32: {"charKey", "charKey"},
}

// computes returns how the device computes a run-time function, nil where it does not.
func (pl *planner) computes(s *ir.Runtime) *ir.Compute {
	if pl.plan.Narrow {
		return nil
	}
	if s.Fn == "gradeup" || s.Fn == "gradedown" {
		return pl.grade(s)
	}
	q, ok := ir.SearchOf(s)
	if !ok {
		return nil
	}
	kind, key := "_"+q.Elem.String(), keys[q.Elem].equal
	c := &ir.Compute{Exact: q.Exact, Arrays: []*ir.Array{q.Table}}
	if q.Items != nil {
		c.Arrays = append(c.Arrays, q.Items)
	}
	switch s.Fn {
	case "firstcell":
		c.Numbers = []ir.Expr{columns(q.Table)}
		c.Name = pl.program("firstcell"+kind, "fun main columns x = firstCells "+key+" columns x")
	case "unique":
		c.Name = pl.program("unique"+kind, "fun main x = distinct "+key+" x")
	default:
		form := map[string]string{
			"indexof": "fun main x y = %s (fn k => k) (length x + 1) x y",
			"member":  "fun main x y = %s (fn k => k <= length x) (length x + 1) x y",
			"without": "fun main x y = do<grid> { marks <- %s (fn k => k > length x) (length x + 1) x y; stored <- force<grid> marks; compress stored y }",
		}[s.Fn]
		exact, known := q.Exact.(*ir.Int)
		if q.Exact == nil || !known || exact.Val != 0 {
			c.Name = pl.program(s.Fn+kind, fmt.Sprintf(form, "placesIn "+key))
		}
		if q.Exact != nil && (!known || exact.Val == 0) {
			c.Near = pl.program(s.Fn+"_near", fmt.Sprintf(form, "placesNear "+pl.tolerance()))
		}
	}
	return c
}

// tolerance returns the first arguments of placesNear.
func (pl *planner) tolerance() string {
	ct := pl.plan.Program.Tolerance()
	near := uint64(ct*0x1p53) + 8
	return fmt.Sprintf("(double %s) %d %d", strconv.FormatFloat(ct, 'f', -1, 64), near, bits.Len64(2*near))
}

// grade returns how the device computes a grade.
func (pl *planner) grade(s *ir.Runtime) *ir.Compute {
	a := s.Args[0].Array
	if len(s.Results) != 1 || s.Results[0].Buf == nil || s.Results[0].Elem != ir.I64 || a == nil || a.Buf == nil || len(a.Dims) == 0 || keys[a.Buf.Elem].order == "" {
		return nil
	}
	c := &ir.Compute{Arrays: []*ir.Array{a}, Numbers: []ir.Expr{ir.Integer(0)}}
	if s.Fn == "gradedown" {
		c.Numbers[0] = ir.Integer(-1)
	}
	key := keys[a.Buf.Elem].order
	if len(a.Dims) == 1 {
		c.Name = pl.program("grade_"+a.Buf.Elem.String(), "fun main flip x = gradeBy "+key+" 1 flip x")
	} else {
		c.Numbers = append(c.Numbers, columns(a))
		c.Name = pl.program("gradecells_"+a.Buf.Elem.String(), "fun main flip columns x = gradeBy "+key+" columns flip x")
	}
	return c
}

// columns is how many elements a major cell has.
func columns(a *ir.Array) ir.Expr {
	return ir.Product(a.Dims[1:])
}

// program compiles a program of FCL, once, and returns its name.
func (pl *planner) program(name, main string) string {
	if pl.plan.computed[name] == nil {
		plan := libraryProgram(name, main, pl.params())
		for i, k := range plan.Kernels {
			k.Name = fmt.Sprintf("%s_%d", name, i+1)
		}
		pl.plan.computed[name] = &computing{name, main, plan}
		pl.plan.computations = append(pl.plan.computations, pl.plan.computed[name])
	}
	return name
}

// computations compiles the run-time functions that the device computes, and returns their kernels.
func (pl *planner) computations() string {
	pl.plan.computed, pl.plan.computes = map[string]*computing{}, map[*ir.Runtime]*ir.Compute{}
	for _, f := range pl.plan.Program.Functions() {
		ir.Walk(f.Body, func(s ir.Stmt) {
			if r, ok := s.(*ir.Runtime); ok {
				if c := pl.computes(r); c != nil {
					pl.plan.computes[r] = c
				}
			}
		})
	}
	var all []*fclkernel.Kernel
	for _, c := range pl.plan.computations {
		all = append(all, c.plan.Kernels...)
	}
	if len(all) == 0 {
		return ""
	}
	return "\n" + fclkernel.Text(all)
}

// computeText returns the C that runs the programs of FCL.
func (p *Plan) computeText() map[string]string {
	text := map[string]string{}
	for _, c := range p.computations {
		text[c.name] = host.Function(c.plan, c.name)
	}
	return text
}

// compute compiles what the device computes; otherwise is what the host does.
func (c *hostCode) compute(s *ir.Runtime, how *ir.Compute) op {
	otherwise := c.Plain(s)
	var bufs []int
	var extents []func(fr *frame) []int
	for _, a := range how.Arrays {
		bufs, extents = append(bufs, c.Buf(a.Buf)), append(extents, c.extents(a))
	}
	var numbers []intCode
	for _, x := range how.Numbers {
		numbers = append(numbers, c.Int(x))
	}
	exact := func(*frame) int64 { return 1 }
	if how.Exact != nil {
		exact = c.Int(how.Exact)
	}
	r := s.Results[0]
	leave := c.made(r)
	return func(fr *frame) next {
		m, name := on(fr), how.Name
		if exact(fr) == 0 {
			name = how.Near
		}
		var given []fcldevice.Value
		for _, x := range numbers {
			given = append(given, scalar.Int(x(fr)))
		}
		var operands []*storage
		total, onHost, shape := int64(0), true, []int(nil)
		for i, at := range bufs {
			x := fr.Bufs[at]
			shape = extents[i](fr)
			n := int64(array.Count(shape))
			if m.queue == nil || name == "" || x == nil || n < 1 || n > x.Count || n > math.MaxInt32/2 {
				return otherwise(fr)
			}
			total, onHost, operands = total+n, onHost && x.OnHost, append(operands, x)
			given = append(given, &fcldevice.Array{Elem: elementOf[x.Elem], N: n})
		}
		if onHost && total < m.SortLength {
			return otherwise(fr)
		}
		m.ready()
		for i, x := range operands {
			m.toDevice(x, false)
			given[len(numbers)+i].(*fcldevice.Array).Buffer = device(x)
		}
		result := m.computed(name, given, s.At)
		made := &storage{Name: r.Buf.Name, Elem: r.Buf.Elem, Count: result.N, Shape: []int{int(result.N)}, At: s.At, Device: &far{buffer: result.Buffer}, OnDevice: true}
		if s.Fn == "indexof" || s.Fn == "member" {
			made.Shape = shape
		}
		leave(fr, made)
		return goOn
	}
}

// computed runs a program of FCL.
func (m *machine) computed(name string, given []fcldevice.Value, at diag.Span) *fcldevice.Array {
	l := m.loaded[name]
	if l == nil {
		var err error
		l, err = fcldevice.Borrow(m.queue, m.computedPlan(name), m.program, &lender{m, at})
		m.must(err)
		m.loaded[name] = l
	}
	run, err := l.Prepare(given)
	m.must(err)
	defer run.Release()
	m.must(run.Compute())
	v, err := run.Keep()
	m.must(err)
	m.stats.Launches += run.Launches()
	m.trace("compute %s, %d launches", name, run.Launches())
	return v.(*fcldevice.Array)
}

func (m *machine) computedPlan(name string) *compile.Plan { return m.Plan.computed[name].plan }

// lender gives a program of FCL buffers of the pool.
type lender struct {
	m  *machine
	at diag.Span
}

func (l *lender) Alloc(bytes int64, name string) (*opencl.Buffer, error) {
	return l.m.buffer(&storage{Name: name, Elem: ir.I8, Count: bytes, At: l.at, Shape: []int{int(bytes)}}), nil
}

func (l *lender) Release(b *opencl.Buffer) { l.m.giveBack([]*opencl.Buffer{b}) }

// extents compiles the extents of an array.
func (c *hostCode) extents(a *ir.Array) func(fr *frame) []int {
	dims := make([]intCode, len(a.Dims))
	for i, d := range a.Dims {
		dims[i] = c.Int(d)
	}
	return func(fr *frame) []int {
		shape := make([]int, len(dims))
		for i, d := range dims {
			shape[i] = int(d(fr))
		}
		return shape
	}
}

// made compiles what a run-time function leaves: an array with its extents.
func (c *hostCode) made(r ir.Array) func(fr *frame, s *storage) {
	at := c.Buf(r.Buf)
	slots := make([]int, len(r.Dims))
	for i, d := range r.Dims {
		slots[i] = -1
		if u, ok := d.(*ir.Use); ok {
			slots[i] = c.Slot(u.Var)
		}
	}
	return func(fr *frame, s *storage) {
		fr.Bufs[at] = s
		for i, slot := range slots {
			if slot >= 0 {
				fr.Ints[slot] = int64(s.Shape[i])
			}
		}
	}
}
