package clgen

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
)

// Grades run on the device by radix passes (rt/sort.cl), where it has the array
// or this is long: of a vector by its elements, of an array of higher rank by
// the columns of its major cells, from the last to the first. Passes over bits
// that all keys share are left out.

//go:embed rt/keys.cl
var keyFunctions string

//go:embed rt/sort.cl
var sortFunctions string

// Bits of a digit, and how many elements a part has at least, under a schedule.
const (
	chunkDigit = 8
	groupDigit = 4
	sortEach   = 256
	sortParts  = 1 << 14
	// sortColumns is the most elements of a major cell that is sorted by.
	sortColumns = 64
)

// grades reports whether a run-time function is a grade of what the device can
// sort.
func grades(s *ir.Runtime) bool {
	if s.Fn != "gradeup" && s.Fn != "gradedown" || len(s.Results) != 1 || s.Results[0].Buf == nil || s.Results[0].Elem != ir.I64 {
		return false
	}
	a := s.Args[0].Array
	return a != nil && a.Buf != nil && len(a.Dims) > 0 && sortKinds[a.Buf.Elem] != ""
}

// sortKinds are the kinds whose vectors are sorted, by the names of kernels.
var sortKinds = map[ir.Kind]string{ir.I64: "i64", ir.F64: "f64", ir.U8: "u8", ir.C32: "c32"}

// sortKindsOf returns the kinds of elements that the plan's program sorts.
func (pl *planner) sortKindsOf() map[ir.Kind]bool {
	kinds := map[ir.Kind]bool{}
	for _, f := range pl.plan.Program.Functions() {
		ir.Walk(f.Body, func(s ir.Stmt) {
			if r, ok := s.(*ir.Runtime); ok && grades(r) && !pl.plan.Narrow {
				kinds[r.Args[0].Array.Buf.Elem] = true
			}
		})
	}
	return kinds
}

// instances writes the macro of kernels for the kinds that are needed.
func instances(macro string, kinds map[ir.Kind]bool) string {
	text := ""
	for _, elem := range []ir.Kind{ir.U8, ir.C32, ir.I64, ir.F64} {
		if kinds[elem] {
			text += fmt.Sprintf("%s(%s, %s)\n", macro, sortKinds[elem], cltype(elem))
		}
	}
	return text
}

// sortText returns the kernels that sort and search.
func (p *Plan) sortText() string {
	if len(p.sorts)+len(p.searches) == 0 {
		return ""
	}
	digit, text := chunkDigit, keyFunctions+sortFunctions
	if p.Schedule == Groups {
		digit, text = groupDigit, "#define TL_STRIDED\n"+text
	}
	return fmt.Sprintf("\n#define TL_DIGIT %d\n", digit) + text + instances("TL_SORT_KEYS", p.sorts) + p.searchText()
}

// grade compiles a grade for the device; otherwise is what the host does.
func (c *hostCode) grade(s *ir.Runtime) op {
	otherwise := c.Plain(s)
	a, r := s.Args[0].Array, s.Results[0]
	from, extents := c.Buf(a.Buf), c.extents(a)
	kind, flip := sortKinds[a.Buf.Elem], int64(0)
	if s.Fn == "gradedown" {
		flip = -1
	}
	leave, name := c.made(r), r.Buf.Name
	return func(fr *frame) next {
		m, x, shape := on(fr), fr.Bufs[from], extents(fr)
		all, n := int64(array.Count(shape)), int64(shape[0])
		if m.queue == nil || x == nil || n < 2 || all < n || n >= math.MaxInt32 || all > x.Count || all/n > sortColumns || x.OnHost && all < m.SortLength {
			return otherwise(fr)
		}
		out := &storage{Name: name, Elem: ir.I64, Count: n, Shape: shape[:1], At: s.At}
		m.sort(x, n, all/n, kind, flip, out)
		leave(fr, out)
		return goOn
	}
}

// sortParts returns how many work-items sort or search n elements, and how many
// are in a group.
func (m *machine) sortParts(n int64) (parts, local int64) {
	parts, local = m.ItemsAUnit*int64(max(m.queue.Device.Units, 1)), 1
	if m.Schedule == Groups {
		local = m.GroupSize
		parts = (min(n/sortEach, sortParts) + local - 1) / local * local
	}
	return max(parts, local), local
}

// sort leaves the grade of the n cells of x, of columns elements, in out.
func (m *machine) sort(x *storage, n, columns int64, kind string, flip int64, out *storage) {
	m.ready()
	m.toDevice(x, false)
	parts, local := m.sortParts(n)
	digit := int64(chunkDigit)
	if m.Schedule == Groups {
		digit = groupDigit
	}
	temporary := func(what string, elem ir.Kind, count int64) *opencl.Buffer {
		return m.buffer(&storage{Name: what, Elem: elem, Count: count, At: out.At, Shape: out.Shape})
	}
	keys, keysTo := temporary("keys", ir.I64, n), temporary("keys", ir.I64, n)
	places, placesTo := temporary("places", ir.I32, n), temporary("places", ir.I32, n)
	counts, bits := temporary("counts", ir.I32, parts<<digit), temporary("bits", ir.I64, parts)
	set := "tl_sort_keys_"
	for j := columns - 1; j >= 0; j-- {
		m.run(set+kind, parts, local, device(x), n, columns, j, flip, keys, places, bits)
		set = "tl_sort_next_"
		differ := m.differing(bits, parts)
		for shift := int64(0); shift < 64; shift += digit {
			if differ>>shift&(1<<digit-1) == 0 {
				continue
			}
			m.run("tl_sort_count", parts, local, keys, n, shift, counts)
			m.run("tl_sort_scan", local, local, counts, parts<<digit)
			m.run("tl_sort_move", parts, local, keys, places, n, shift, counts, keysTo, placesTo)
			keys, keysTo, places, placesTo = keysTo, keys, placesTo, places
		}
	}
	m.toDevice(out, true)
	m.run("tl_sort_done", parts, local, places, n, device(out))
	deviceWrote(out)
	m.giveBack([]*opencl.Buffer{keys, keysTo, places, placesTo, counts, bits})
}

// differing reads which bits are not the same in all keys.
func (m *machine) differing(bits *opencl.Buffer, parts int64) uint64 {
	raw := make([]byte, 8*parts)
	m.must(m.queue.Read(bits, 0, raw, "the bits that differ"))
	m.transfer(&m.stats.Read, int64(len(raw)), "read", "the bits that differ")
	all := uint64(0)
	for i := range parts {
		all |= binary.LittleEndian.Uint64(raw[8*i:])
	}
	return all
}

// run launches a kernel with buffers and numbers as arguments.
func (m *machine) run(name string, global, local int64, args ...any) {
	clk := m.kernelNamed(name)
	for i, a := range args {
		switch a := a.(type) {
		case *opencl.Buffer:
			m.must(clk.SetBuffer(i, a))
		case int64:
			m.must(clk.SetInt(i, a))
		}
	}
	m.enqueue(clk, global, local)
}
