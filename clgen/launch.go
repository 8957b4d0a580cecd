package clgen

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
	"github.com/tailor-lang/tailor/opencl"
)

// launchText says for people how a kernel is launched.
func (p *Plan) launchText(k *kernel) string {
	switch {
	case k.shape == taskShape:
		return "one work-item"
	case k.function != "":
		return fmt.Sprintf("%s points, by %s of FCL's library", k.spaceText(), k.function)
	case p.Schedule == Groups:
		return fmt.Sprintf("%s work-items in groups of %d", k.spaceText(), p.GroupSize)
	}
	return fmt.Sprintf("%s points, at most %d work-items a compute unit", k.spaceText(), p.ItemsAUnit)
}

// spaceText writes the extents of the spaces of all pieces.
func (k *kernel) spaceText() string {
	var parts []string
	for _, p := range k.pieces() {
		parts = append(parts, spaceText(p.dims))
	}
	return strings.Join(parts, "+")
}

// spaceText writes the extents of a space.
func spaceText(dims []ir.Dim) string {
	parts := make([]string, len(dims))
	for i, d := range dims {
		lo, ok := d.Lo.(*ir.Int)
		hi, ok2 := d.Hi.(*ir.Int)
		if ok && ok2 {
			parts[i] = fmt.Sprint(max(hi.Val-lo.Val, 0))
		} else {
			parts[i] = fmt.Sprintf("n%d", i)
		}
	}
	return strings.Join(parts, "×")
}

// launcher is a kernel with the host's code for its arguments.
type launcher struct {
	k      *kernel
	lo, hi []intCode
	bufs   []int
	vars   []func(fr *frame, k *opencl.Kernel, i int) error
}

// kernel compiles the statement of a kernel: the host runs it where it is
// small and its operands are there, the device otherwise.
func (c *hostCode) kernel(s ir.Stmt, k *kernel) op {
	onHost := c.Plain(s)
	if k.more != nil {
		onHost = c.inOrder(k)
	}
	l := &launcher{k: k}
	for _, d := range k.axes() {
		l.lo, l.hi = append(l.lo, c.Int(d.Lo)), append(l.hi, c.Int(d.Hi))
	}
	for _, b := range k.bufs {
		l.bufs = append(l.bufs, c.Buf(b))
	}
	for _, v := range k.vars {
		if x := (v.Use()); v.Kind == ir.F64 {
			d := c.Double(x)
			l.vars = append(l.vars, func(fr *frame, k *opencl.Kernel, i int) error {
				if on(fr).Narrow {
					return k.SetFloat(i, float32(d(fr)))
				}
				return k.SetDouble(i, d(fr))
			})
		} else if v.Kind == ir.C64 {
			z := c.Complex(x)
			l.vars = append(l.vars, func(fr *frame, k *opencl.Kernel, i int) error {
				if on(fr).Narrow {
					return k.SetComplex64(i, complex64(z(fr)))
				}
				return k.SetComplex(i, z(fr))
			})
		} else {
			n := c.Int(x)
			l.vars = append(l.vars, func(fr *frame, k *opencl.Kernel, i int) error { return k.SetInt(i, n(fr)) })
		}
	}
	k.receive = c.results(k)
	for _, f := range k.flags {
		k.flagSlots = append(k.flagSlots, c.Slot(f))
	}
	return func(fr *frame) eval.Next {
		points, within, sizes := l.sizes(fr)
		if points == 0 && k.shape == mapShape {
			return eval.GoOn
		}
		if on(fr).hostRuns(l, fr, points, within) {
			return onHost(fr)
		}
		if k.redo { // the answers that are waited for are those of k only
			on(fr).Settle()
		}
		on(fr).launch(l, fr, points, sizes)
		if k.redo && on(fr).overflowed() {
			return onHost(fr)
		}
		return eval.GoOn
	}
}

// overflowed reads the answers of the last launch, and reports whether a flag
// is raised; then its results are dropped.
func (m *machine) overflowed() bool {
	w := m.waiting[0]
	ints, dbls, cplxs := slices.Clone(w.fr.Ints), slices.Clone(w.fr.Doubles), slices.Clone(w.fr.Complexes)
	m.Settle()
	for _, f := range w.k.flagSlots {
		if w.fr.Ints[f] != ints[f] {
			copy(w.fr.Ints, ints)
			copy(w.fr.Doubles, dbls)
			copy(w.fr.Complexes, cplxs)
			return true
		}
	}
	return false
}

// sizes returns the number of points of the space, that of places inside each point, and
// the bounds.
func (l *launcher) sizes(fr *frame) (points, within int64, bounds []int64) {
	if len(l.lo) == 0 {
		return 1, 1, nil
	}
	bounds = make([]int64, 0, 2*len(l.lo))
	product := func(axes int) int64 { // of the next ones
		all := int64(1)
		for i := len(bounds) / 2; axes > 0; axes, i = axes-1, i+1 {
			lo := l.lo[i](fr)
			n := max(l.hi[i](fr)-lo, 0)
			bounds = append(bounds, lo, n)
			all *= n
		}
		return all
	}
	for _, p := range l.k.pieces() {
		points += product(len(p.dims))
	}
	within = product(len(l.lo) - len(bounds)/2)
	return points, within, bounds
}

// inOrder compiles the pieces of a kernel for the host.
func (c *hostCode) inOrder(k *kernel) op {
	var b block
	for _, s := range k.statements {
		if o := c.Plain(s); o != nil {
			b = append(b, o)
		}
	}
	return b.Run
}

// hostRuns decides where a nest runs. Without points nothing is done, but a
// reduction still gives its results.
func (m *machine) hostRuns(l *launcher, fr *frame, points, within int64) bool {
	if points == 0 || m.queue == nil {
		return true
	}
	onDevice := false
	for _, at := range l.bufs {
		if s := fr.Bufs[at]; s == nil || s.Count == 0 {
			return true
		} else {
			onDevice = onDevice || s.OnDevice && !s.OnHost
		}
	}
	if onDevice {
		return false
	}
	if l.k.shape == taskShape && m.HostWork > 0 {
		// A task is slow on a device: it is there to keep arrays in place.
		return true
	}
	return points*max(l.k.weight, within) < m.HostWork
}

// results compiles the receiving of a kernel's flags and results.
func (c *hostCode) results(k *kernel) func(fr *frame, words []int64) (raised bool) {
	var slots []int
	for _, v := range append(slices.Clone(k.flags), k.outs...) {
		slots = append(slots, c.Slot(v))
	}
	double := func(w int64) float64 { return math.Float64frombits(uint64(w)) }
	if c.plan.Narrow {
		double = func(w int64) float64 { return float64(math.Float32frombits(uint32(w))) }
	}
	return func(fr *frame, words []int64) (raised bool) {
		if k.wide && words[len(words)-1] != 0 {
			eval.Must(errWide)
		}
		flags := len(k.flags)
		for i, slot := range slots[:flags] {
			if words[i] != 0 {
				fr.Ints[slot], raised = 1, true
			}
		}
		words = words[flags:]
		for i, slot := range slots[flags:] {
			switch k.outs[i].Kind {
			case ir.F64:
				fr.Doubles[slot] = double(words[0])
			case ir.C64:
				fr.Complexes[slot] = complex(double(words[0]), double(words[1]))
			default:
				fr.Ints[slot] = words[0]
			}
			words = words[wordsOf(k.outs[i].Kind):]
		}
		return raised
	}
}

// ready builds the kernels and the answers when the first is launched.
func (m *machine) ready() {
	if m.program != nil {
		return
	}
	p, err := m.queue.Build(m.Source, m.buildOptions())
	eval.Must(err)
	m.program = p
	m.answers, err = m.queue.Alloc(8*(m.Plan.answers+1), "the kernels' results")
	eval.Must(err)
	eval.Must(m.queue.Zero(m.answers, m.answers.Size))
}

// kernelNamed returns a kernel of the program.
func (m *machine) kernelNamed(name string) *opencl.Kernel {
	k := m.kernels[name]
	if k == nil {
		var err error
		k, err = m.program.Kernel(name)
		eval.Must(err)
		m.kernels[name] = k
	}
	return k
}

// launch runs a kernel on the device.
func (m *machine) launch(l *launcher, fr *frame, points int64, sizes []int64) {
	m.ready()
	k := l.k
	for _, w := range m.waiting {
		if w.k == k {
			m.Settle()
			break
		}
	}
	for i, at := range l.bufs {
		s, b := fr.Bufs[at], k.bufs[i]
		m.toDevice(s, !k.read[b] && points == s.Count && k.scan == nil && k.update == nil)
	}
	global, local := m.spread(k, points, sizes)
	if k.library != nil {
		m.launchLibrary(l, fr, sizes, global/local)
	} else {
		clk, n := m.common(l, k.name, fr, sizes)
		eval.Must(clk.SetBuffer(n, m.answers))
		m.enqueue(clk, global, local)
	}
	for i, at := range l.bufs {
		if k.written[k.bufs[i]] {
			deviceWrote(fr.Bufs[at])
		}
	}
	m.unlooked = m.unlooked || k.notes
	if k.wide || len(k.flags)+len(k.outs) > 0 {
		m.waiting = append(m.waiting, answer{k, fr})
	}
}

// common sets the arguments that every kernel has.
func (m *machine) common(l *launcher, name string, fr *frame, sizes []int64) (clk *opencl.Kernel, n int) {
	clk = m.kernelNamed(name)
	for _, at := range l.bufs {
		eval.Must(clk.SetBuffer(n, device(fr.Bufs[at])))
		n++
	}
	for _, set := range l.vars {
		eval.Must(set(fr, clk, n))
		n++
	}
	for _, v := range sizes {
		eval.Must(clk.SetInt(n, v))
		n++
	}
	return clk, n
}

// launchLibrary launches the kernels of a library's function.
func (m *machine) launchLibrary(l *launcher, fr *frame, sizes []int64, parts int64) {
	lib := l.k.library
	numbers := make([]int64, 0, lib.Given+len(lib.Numbers))
	for i := 1; i < len(sizes); i += 2 {
		numbers = append(numbers, sizes[i])
	}
	numbers = append(numbers, parts, 0)
	if m.queue.Device.Kind == opencl.CPU {
		numbers[len(numbers)-1] = 1
	}
	for _, at := range lib.Lengths {
		numbers = append(numbers, fr.Bufs[l.bufs[at]].Count)
	}
	numbers = lib.Compute(numbers)
	var temps []*opencl.Buffer
	for _, t := range lib.Temps {
		temps = append(temps, m.buffer(&storage{Name: "the parts of " + l.k.name, Elem: t.Elem, Count: numbers[t.Count]}))
	}
	for _, s := range lib.Steps {
		if s.If > 0 && numbers[s.If] == 0 {
			continue
		}
		clk, n := m.common(l, s.Name, fr, sizes)
		for _, a := range s.Args {
			switch a.Kind {
			case ir.TempArg:
				eval.Must(clk.SetBuffer(n, temps[a.At]))
			case ir.LocalArg:
				eval.Must(clk.SetLocal(n, numbers[a.At]))
			case ir.NumberArg:
				eval.Must(clk.SetInt(n, numbers[a.At]))
			}
			n++
		}
		eval.Must(clk.SetBuffer(n, m.answers))
		m.enqueue(clk, s.Items(numbers), s.Size)
	}
	m.giveBack(temps)
}

// giveBack returns buffers to the pool.
func (m *machine) giveBack(list []*opencl.Buffer) {
	for _, b := range list {
		m.pool[b.Size] = append(m.pool[b.Size], b)
	}
}

func (m *machine) enqueue(k *opencl.Kernel, global, local int64) {
	took, err := k.Launch(global, local)
	eval.Must(err)
	m.stats.Launches++
	m.stats.Device += took
	m.trace("launch %s, %d work-items in groups of %d", k.Name, global, local)
}

// spread returns the number of work-items of a launch, and of a group.
func (m *machine) spread(k *kernel, points int64, sizes []int64) (global, local int64) {
	switch {
	case k.shape == taskShape:
		return 1, 1
	case m.Schedule == Groups && k.shape == mapShape:
		return (points + m.GroupSize - 1) / m.GroupSize * m.GroupSize, m.GroupSize
	case m.Schedule == Groups:
		groups := (points + m.GroupSize*m.PerItem - 1) / (m.GroupSize * m.PerItem)
		return min(max(groups, 1), m.MaxGroups) * m.GroupSize, m.GroupSize
	}
	outer, at := int64(1), 0
	for _, p := range k.pieces() {
		n := int64(1)
		for i := 0; i < max(len(p.dims)-1, 1); i++ {
			n *= sizes[2*(at+i)+1]
		}
		outer, at = max(outer, n), at+len(p.dims)
	}
	items := min(m.ItemsAUnit*int64(max(m.queue.Device.Units, 1)), outer, points*k.weight/max(m.ChunkWork, 1)+1)
	return max(items, 1), 1
}

// Settle reads the answers that launches have left, and clears flags.
func (m *machine) Settle() {
	if len(m.waiting) == 0 {
		return
	}
	list := m.waiting
	m.waiting = nil
	from, to := int64(math.MaxInt64), int64(0)
	for _, w := range list {
		from = min(from, w.k.base)
		to = max(to, w.k.base+w.k.words(m.Narrow))
	}
	raw := make([]byte, 8*(to-from))
	eval.Must(m.queue.Read(m.answers, 8*from, raw, "the kernels' results"))
	m.transfer(&m.stats.Read, int64(len(raw)), "read", "results")
	raised := false
	for _, w := range list {
		n := w.k.words(m.Narrow)
		words := make([]int64, n)
		for i := range words {
			words[i] = int64(binary.LittleEndian.Uint64(raw[8*(w.k.base-from+int64(i)):]))
		}
		raised = w.k.receive(w.fr, words) || raised
	}
	if raised {
		eval.Must(m.queue.Zero(m.answers, 8*m.Plan.answers)) // but for overflow
	}
}
