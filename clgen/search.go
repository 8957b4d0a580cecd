package clgen

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/formulas"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/opencl"
)

// Index of, membership, unique, without, and the first of equal major cells run
// on the device by a table of places (rt/search.cl), where it has an operand or
// these are long:
//
//	x⍳y   put each element of x into the table, the first of equals stays; look up those of y
//	∪x    the same; mark the elements that are the first; move these to their places
//
// Elements are looked up by their bits. Doubles that may be equal without being
// the same are looked up again among their neighbours, in a second table, which
// has each value once. Which of such doubles ∪ keeps depends on those before
// them: where there are some, the host does it.

//go:embed rt/search.cl
var searchFunctions string

//go:embed rt/near.cl
var nearFunctions string

// searchKinds returns the kinds of elements that the plan's program searches.
func (pl *planner) searchKinds() map[ir.Kind]bool {
	kinds := map[ir.Kind]bool{}
	if pl.plan.Narrow {
		return kinds
	}
	for _, f := range pl.plan.Program.Functions() {
		ir.Walk(f.Body, func(s ir.Stmt) {
			if r, ok := s.(*ir.Runtime); ok {
				if q, can := ir.SearchOf(r); can {
					kinds[q.Elem] = true
				}
			}
		})
	}
	return kinds
}

// searchText returns the kernels that search.
func (p *Plan) searchText() string {
	if len(p.searches) == 0 {
		return ""
	}
	text := "\n" + searchFunctions + instances("TL_SEARCH", p.searches)
	if p.searches[ir.F64] {
		near := uint64(p.Program.Tolerance()*0x1p53) + 8
		text += fmt.Sprintf("\n#define TL_NEAR %dUL\n#define TL_BUCKET %d\n", near, bits.Len64(2*near)) + formulas.Text("near.h") + nearFunctions
	}
	return text
}

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

// search is a search under way.
type search struct {
	fn, kind     string // what is looked for; the kind of elements, by the names of kernels
	m            *machine
	table, items *storage // items is the table where there are none
	n, count     int64    // elements of each; cells of the table
	cell         int64    // elements of a cell
	parts, local int64
	mask         int64
	slots        *opencl.Buffer
	buckets      *opencl.Buffer // and the two below: of values with tolerance
	heads, next  *opencl.Buffer
	lent         []*opencl.Buffer
	at           diag.Span
	name         string
	shape        []int // of the items
	tolerant     bool
}

// search compiles a search for the device; otherwise is what the host does.
func (c *hostCode) search(s *ir.Runtime, call ir.Search) op {
	otherwise := c.Plain(s)
	from, extents := c.Buf(call.Table.Buf), c.extents(call.Table)
	of, itemExtents := from, extents
	if call.Items != nil {
		of, itemExtents = c.Buf(call.Items.Buf), c.extents(call.Items)
	}
	var exact intCode
	if call.Exact != nil {
		exact = c.Int(call.Exact)
	}
	leave, name := c.made(s.Results[0]), s.Results[0].Buf.Name
	return func(fr *frame) next {
		m := on(fr)
		q := &search{fn: call.Fn, kind: sortKinds[call.Elem], m: m, table: fr.Bufs[from], items: fr.Bufs[of], at: s.At, name: name, cell: 1}
		shape := extents(fr)
		q.shape = itemExtents(fr)
		q.n, q.count = int64(array.Count(shape)), int64(array.Count(q.shape))
		if !q.fits() {
			return otherwise(fr)
		}
		if call.Fn == "firstcell" {
			q.n, q.cell, q.shape = int64(shape[0]), q.n/int64(shape[0]), shape[:1]
		}
		q.tolerant = exact != nil && exact(fr) == 0
		out := q.run()
		q.m.giveBack(q.lent)
		if out == nil {
			return otherwise(fr)
		}
		leave(fr, out)
		return goOn
	}
}

// fits reports whether the device does a search: it has an operand, or these
// are long.
func (q *search) fits() bool {
	m := q.m
	if m.queue == nil || q.table == nil || q.items == nil || q.n < 1 || q.count < 1 || q.n > math.MaxInt32/2 || q.count >= math.MaxInt32 ||
		q.n > q.table.Count || q.count > q.items.Count {
		return false
	}
	return !q.table.OnHost || !q.items.OnHost || q.n+q.count >= m.SortLength
}

// lend returns a buffer for the time of the search.
func (q *search) lend(what string, elem ir.Kind, count int64) *opencl.Buffer {
	b := q.m.buffer(&storage{Name: what, Elem: elem, Count: count, At: q.at, Shape: q.shape})
	q.lent = append(q.lent, b)
	return b
}

// cleared returns a buffer of places that are not set.
func (q *search) cleared(what string, count int64) *opencl.Buffer {
	b := q.lend(what, ir.I32, count)
	q.m.must(q.m.queue.Zero(b, 4*count))
	return b
}

// run makes the table and returns the result, nil where the host must do it.
func (q *search) run() *storage {
	m := q.m
	m.ready()
	m.toDevice(q.table, false)
	m.toDevice(q.items, false)
	q.parts, q.local = m.sortParts(max(q.n, q.count))
	size := int64(16)
	for size < 2*q.n {
		size *= 2
	}
	q.mask = size - 1
	q.slots = q.cleared("the table of places", size)
	m.run("tl_search_put_"+q.kind, q.parts, q.local, device(q.table), q.n, q.cell, q.slots, q.mask)
	if q.tolerant {
		q.buckets, q.heads = q.cleared("the table of neighbours", size), q.cleared("the first neighbours", size)
		q.next = q.lend("the next neighbours", ir.I32, q.n)
		m.run("tl_search_chain", q.parts, q.local, device(q.table), q.n, q.slots, q.buckets, q.heads, q.next, q.mask)
	}
	switch q.fn {
	case "indexof":
		out := q.result(ir.I64)
		if q.tolerant {
			m.run("tl_search_near_index", q.parts, q.local, device(q.items), q.count, device(q.table), q.n, q.buckets, q.heads, q.next, q.mask, device(out))
		} else {
			m.run("tl_search_index_"+q.kind, q.parts, q.local, device(q.items), q.count, device(q.table), q.n, q.slots, q.mask, device(out))
		}
		return out
	case "member":
		out := q.result(ir.U8)
		q.member(0, device(out))
		return out
	case "firstcell":
		q.count = q.n
		out := q.result(ir.I64)
		m.run("tl_search_first_"+q.kind, q.parts, q.local, device(q.table), q.n, q.cell, q.slots, q.mask, device(out))
		return out
	case "without":
		marks := q.lend("the marks", ir.U8, q.count)
		q.member(1, marks)
		return q.keep(marks)
	case "unique":
		if q.tolerant && q.atStake() {
			return nil
		}
		marks := q.lend("the marks", ir.U8, q.count)
		m.run("tl_search_marks_"+q.kind, q.parts, q.local, device(q.table), q.n, q.slots, q.mask, marks)
		return q.keep(marks)
	}
	panic("internal error: no such search: " + q.fn)
}

// result allocates the result, an element an item.
func (q *search) result(elem ir.Kind) *storage {
	out := &storage{Name: q.name, Elem: elem, Count: q.count, Shape: q.shape, At: q.at}
	q.m.toDevice(out, true)
	deviceWrote(out)
	return out
}

// member marks the items that the table has, or the others.
func (q *search) member(opposite int64, marks *opencl.Buffer) {
	if q.tolerant {
		q.m.run("tl_search_near_member", q.parts, q.local, device(q.items), q.count, device(q.table), q.n, q.buckets, q.heads, q.next, q.mask, opposite, marks)
		return
	}
	q.m.run("tl_search_member_"+q.kind, q.parts, q.local, device(q.items), q.count, device(q.table), q.slots, q.mask, opposite, marks)
}

// atStake reports whether values that are not the same are equal.
func (q *search) atStake() bool {
	stake := q.cleared("what is at stake", 1)
	q.m.run("tl_search_stake", q.parts, q.local, device(q.table), q.n, q.slots, q.buckets, q.heads, q.next, q.mask, stake)
	return q.word(stake, 0, "what is at stake") != 0
}

// word reads a number.
func (q *search) word(b *opencl.Buffer, i int64, what string) uint32 {
	raw := make([]byte, 4)
	q.m.must(q.m.queue.Read(b, 4*i, raw, what))
	q.m.transfer(&q.m.stats.Read, 4, "read", what)
	return binary.LittleEndian.Uint32(raw)
}

// keep returns the items that are marked.
func (q *search) keep(marks *opencl.Buffer) *storage {
	m := q.m
	counts := q.lend("the counts", ir.I32, q.parts+1)
	m.run("tl_search_count", q.parts, q.local, marks, q.count, counts)
	m.run("tl_sort_scan", q.local, q.local, counts, q.parts+1)
	kept := int64(q.word(counts, q.parts, "how many are kept"))
	out := &storage{Name: q.name, Elem: q.items.Elem, Count: kept, Shape: []int{int(kept)}, At: q.at}
	if kept == 0 {
		out.OnHost = true
		return out
	}
	m.toDevice(out, true)
	m.run("tl_search_keep_"+q.kind, q.parts, q.local, device(q.items), q.count, marks, counts, device(out))
	deviceWrote(out)
	return out
}
