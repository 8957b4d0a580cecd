package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Grades and searches that the device may do: it is asked first, and the host
// does what it declines (rt/openclsort.c, rt/openclsearch.c).

// deviceGrades reports whether the device may do a grade: of an array that it
// may hold, as the grade.
func (b *body) deviceGrades(s *ir.Runtime) bool {
	if b.device == nil || b.device.started > 0 || !b.prog.Device.Sorts || s.Fn != "gradeup" && s.Fn != "gradedown" {
		return false
	}
	a, r := s.Args[0].Array, s.Results[0]
	if a == nil || a.Buf == nil || r.Buf == nil || len(a.Dims) == 0 || !b.shared(a.Buf) || !b.shared(r.Buf) {
		return false
	}
	switch a.Buf.Elem {
	case ir.I64, ir.F64, ir.U8, ir.C32:
		return true
	}
	return false
}

// grade writes a grade.
func (b *body) grade(c *runtimeCall, down int) {
	shape := c.shape(0)
	extents := shape[:1]
	if !b.deviceGrades(c.Runtime) {
		c.fill(extents, "tl_grade(%s, %d, %s)", c.view(0), down, c.out())
		return
	}
	x := c.Args[0].Array.Buf
	b.known(x)
	c.fill(extents, "if (!tl_cl_grade(%s, %s, %s, %s, %d, %s)) tl_cl_read(%s), tl_grade(%s, %d, %s)", b.bufName(x), storedTag(x.Elem), shape[0], columns(shape), down, c.out(),
		b.bufName(x), c.view(0), down, c.out())
}

// columns writes how many elements a major cell has.
func columns(shape []string) string {
	if len(shape) == 1 {
		return "1"
	}
	return strings.Join(shape[1:], " * ")
}

// deviceSearches reports whether the device may do a search: it may hold the
// operands, and the result.
func (b *body) deviceSearches(s *ir.Runtime) bool {
	if b.device == nil || b.device.started > 0 {
		return false
	}
	q, ok := ir.SearchOf(s)
	may := func(a *ir.Array) bool { return a == nil || b.shared(a.Buf) || b.consts[a.Buf] != "" }
	return ok && b.prog.Device.Searches[q.Elem] && may(q.Table) && may(q.Items) && b.shared(s.Results[0].Buf)
}

// searchNames are the names of searches in rt/opencl.h.
var searchNames = map[string]string{"indexof": "TL_CL_INDEX", "member": "TL_CL_MEMBER", "firstcell": "TL_CL_FIRST",
	"unique": "TL_CL_UNIQUE", "without": "TL_CL_WITHOUT"}

// search returns how the result of a search is made: by what the host does, or
// by the device, which declines by 0. Kept is what the host's function returns
// where that is how many elements are kept.
func (c *runtimeCall) search(host string, kept bool) string {
	b := c.b
	if !b.deviceSearches(c.Runtime) {
		return host
	}
	q, _ := ir.SearchOf(c.Runtime)
	items, exact := q.Items, "1"
	if items == nil {
		items = q.Table
	}
	if q.Exact != nil {
		exact = "(int)" + b.once(q.Exact)
	}
	count := func(a *ir.Array) string {
		var extents []string
		for _, d := range a.Dims {
			extents = append(extents, b.once(d))
		}
		return strings.Join(extents, " * ")
	}
	n, cell := count(q.Table), "1"
	if c.Fn == "firstcell" {
		shape := c.shape(0)
		n, cell = shape[0], columns(shape)
	}
	reads := ""
	for _, a := range []*ir.Array{q.Table, q.Items} {
		if a == nil {
			continue
		}
		b.known(a.Buf)
		if b.shared(a.Buf) {
			reads += fmt.Sprintf("tl_cl_read(%s), ", b.bufName(a.Buf))
		}
	}
	call := fmt.Sprintf("tl_cl_search(%s, %s, %s, %s, %s, %s, %s, %s, %s)", searchNames[c.Fn], storedTag(q.Elem), b.bufName(q.Table.Buf), n, cell,
		b.bufName(items.Buf), count(items), exact, c.result)
	if kept {
		return fmt.Sprintf("%s ? tl_cl_kept() : (%s%s)", call, reads, host)
	}
	return fmt.Sprintf("if (!%s) %s%s", call, reads, host)
}
