package clgen

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/tailor-lang/tailor/laila"
	"github.com/tailor-lang/tailor/opencl"
)

// Grades of vectors run on the device by radix passes (rt/sort.cl), where it has
// the vector or this is long. Passes over bits that all keys share are left out.

//go:embed rt/sort.cl
var sortFunctions string

// Bits of a digit, and how many elements a part has at least, under a schedule.
const (
	chunkDigit = 8
	groupDigit = 4
	sortEach   = 256
	sortParts  = 1 << 14
)

// grades reports whether a run-time function is the grade of a vector that the
// device can sort.
func grades(s *laila.Runtime) bool {
	if s.Fn != "gradeup" && s.Fn != "gradedown" || len(s.Results) != 1 || s.Results[0].Buf == nil || s.Results[0].Elem != laila.I64 {
		return false
	}
	a := s.Args[0].Array
	return a != nil && a.Buf != nil && len(a.Dims) == 1 && sortKinds[a.Buf.Elem] != ""
}

// sortKinds are the kinds whose vectors are sorted, by the names of kernels.
var sortKinds = map[laila.Kind]string{laila.I64: "i64", laila.F64: "f64", laila.U8: "u8", laila.C32: "c32"}

// sorting reports whether the plan's program has grades for the device.
func (pl *planner) sorting() bool {
	found := false
	for _, f := range pl.plan.functions() {
		walk(f.Body, func(s laila.Stmt) {
			if r, ok := s.(*laila.Runtime); ok && grades(r) {
				found = true
			}
		})
	}
	return found && !pl.plan.Narrow
}

// sortText returns the kernels that sort.
func (p *Plan) sortText() string {
	if p.Schedule == Groups {
		return fmt.Sprintf("\n#define TL_DIGIT %d\n#define TL_STRIDED\n", groupDigit) + sortFunctions
	}
	return fmt.Sprintf("\n#define TL_DIGIT %d\n", chunkDigit) + sortFunctions
}

// grade compiles a grade for the device; otherwise is what the host does.
func (c *hostCode) grade(s *laila.Runtime, otherwise op) op {
	a, r := s.Args[0].Array, s.Results[0]
	from, to, length := c.buf(a.Buf), c.buf(r.Buf), c.int(a.Dims[0])
	extent := -1
	if u, ok := r.Dims[0].(*laila.Use); ok {
		extent = c.slot(u.Var)
	}
	kind, flip := sortKinds[a.Buf.Elem], int64(0)
	if s.Fn == "gradedown" {
		flip = -1
	}
	name := r.Buf.Name
	return func(fr *frame) next {
		m, x, n := fr.m, fr.bufs[from], length(fr)
		if m.queue == nil || x == nil || n < 2 || n >= math.MaxInt32 || n > x.count || x.onHost && n < m.SortLength {
			return otherwise(fr)
		}
		out := &storage{name: name, elem: laila.I64, count: n, shape: []int{int(n)}, at: s.At}
		m.sort(x, n, kind, flip, out)
		fr.bufs[to] = out
		if extent >= 0 {
			fr.ints[extent] = n
		}
		return goOn
	}
}

// sort leaves the grade of the first n elements of x in out.
func (m *machine) sort(x *storage, n int64, kind string, flip int64, out *storage) {
	m.ready()
	m.toDevice(x, false)
	parts, local, digit := m.ItemsAUnit*int64(max(m.queue.Device.Units, 1)), int64(1), int64(chunkDigit)
	if m.Schedule == Groups {
		local, digit = m.GroupSize, groupDigit
		parts = (min(n/sortEach, sortParts) + local - 1) / local * local
	}
	parts = max(parts, local)
	temporary := func(what string, elem laila.Kind, count int64) *opencl.Buffer {
		return m.buffer(&storage{name: what, elem: elem, count: count, at: out.at, shape: out.shape})
	}
	keys, keysTo := temporary("keys", laila.I64, n), temporary("keys", laila.I64, n)
	places, placesTo := temporary("places", laila.I32, n), temporary("places", laila.I32, n)
	counts, bits := temporary("counts", laila.I32, parts<<digit), temporary("bits", laila.I64, parts)
	m.run("tl_sort_keys_"+kind, parts, local, x.device, n, flip, keys, places, bits)
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
	m.toDevice(out, true)
	m.run("tl_sort_done", parts, local, places, n, out.device)
	out.deviceWrote()
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
