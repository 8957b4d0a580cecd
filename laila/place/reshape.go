package place

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/cost"
	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
)

// shapedRow is the least extent of the last axis of a space that a map over the ravel
// of an array is given: loops over shorter rows take longer than one over all. A reduction
// saves more where its elements are not stored.
const shapedRow = 32

// alike returns two nests over one space: themselves, or one of them with the space of
// the other where it runs over as many points of one axis, or over few planes of them.
//
//	segmap i = 0 … 9; j = 0 … 100: a[(i × 100) + j] = f(x[i], y[j])
//	segmap k = 0 … 900: b[k] = g(a[k])
//
// becomes
//
//	segmap i = 0 … 9; j = 0 … 100: a[(i × 100) + j] = f(x[i], y[j])
//	segmap l = 0 … 9; m = 0 … 100
//	  var k = (l × 100) + m
//	  b[k] = g(a[k])
func (f *Fuser) alike(a, b *ir.Nest) (x, y *ir.Nest, ok bool) {
	s, t := ir.SpaceOf(a), ir.SpaceOf(b)
	switch {
	case ir.SameSpace(s, t):
		return a, b, true
	case f.common(a, b) && f.ravels(t, s) && (b.Kind == ir.SegRed && !copiesBytes(a) || longRows(s)):
		return a, f.shaped(b, s), true
	case f.common(a, b) && f.ravels(s, t) && longRows(t):
		return f.shaped(a, t), b, true
	case f.rowLength(b, a) > 0 && f.common(a, b):
		return a, f.rows(b, s, f.rowLength(b, a)), true
	case f.planes(b, s) && f.common(a, b):
		return a, f.interchanged(b), true
	case f.planes(a, t) && f.common(a, b):
		return f.interchanged(a), b, true
	}
	return nil, nil, false
}

// longestRow is the longest row, in elements, that another nest finds in the first cache.
const longestRow = 4096

// rowLength returns how many points of n belong to a point of a nest with loops in it, over
// one axis: those of the other axes of n, or of the ravel that n is over; 0 where that is
// not known, or is no row.
func (f *Fuser) rowLength(n, of *ir.Nest) int64 {
	t, s := ir.SpaceOf(n), ir.SpaceOf(of)
	if len(s) != 1 || len(t) == 0 || !f.Of(of).Loops || f.Of(n).Loops || !f.L.CPU() {
		return 0
	}
	length := int64(1)
	if len(t) > 1 {
		for _, d := range t[1:] {
			trips, known := ir.Trips(d)
			if !known || !ir.SameSpace(t[:1], s) {
				return 0
			}
			length *= trips
		}
	} else {
		rows, flat := f.extent(s[0].Hi), f.extent(t[0].Hi)
		k, ok := rows.Constant()
		n, ok2 := flat.Constant()
		if ok && ok2 && k > 0 && n%k == 0 {
			length = n / k
		} else if vars := rows.Vars(); len(vars) == 1 {
			step, _ := flat.Split(vars[0])
			length, _ = step.Constant()
		}
		if !ir.IsInt(s[0].Lo, 0) || !ir.IsInt(t[0].Lo, 0) || !flat.Known() || !flat.Equal(rows.Scaled(length)) {
			return 0
		}
	}
	if length < shapedRow || length > longestRow {
		return 0
	}
	return length
}

// rows is a nest as one over the space of another one, which makes the elements of a row of so
// many points at each of its own:
//
//	segmap k = 0 … n × 100: b[k] = g(a[k])
//
// becomes
//
//	segmap i = 0 … n
//	  for j = 0 … 100: b[(i × 100) + j] = g(a[(i × 100) + j])
func (f *Fuser) rows(n *ir.Nest, space []ir.Dim, length int64) *ir.Nest {
	if len(ir.SpaceOf(n)) == 1 {
		v := f.L.NewVar("i", ir.I64)
		f.L.Ranges[v] = facts.Between(0, length-1)
		n = f.shaped(n, []ir.Dim{space[0], {Var: v, Lo: ir.Integer(0), Hi: ir.Integer(length)}})
	}
	return f.L.Rows(n, 1)
}

const (
	// maxPlanes is the longest leading axis that is written out, planeWork the most
	// that the body then costs, in simple operations.
	maxPlanes = 16
	planeWork = 640
)

// planes reports whether n is a map of few planes, each of which has the points of space.
func (f *Fuser) planes(n *ir.Nest, space []ir.Dim) bool {
	if n.Kind != ir.SegMap || !f.L.CPU() || len(n.Dims) != len(space)+1 || !ir.SameSpace(n.Dims[1:], space) {
		return false
	}
	count, known := ir.Trips(n.Dims[0])
	if row, short := ir.Trips(space[len(space)-1]); !known || count < 2 || count > maxPlanes || short && row < shapedRow {
		return false
	}
	return ir.IsStraight(n.Body) && int(count)*cost.BodyWeight(n.Body) <= planeWork
}

// interchanged is a map of few planes as one over the points of a plane: what a point of
// all planes needs is read once, and each plane has constants of its own.
//
//	segmap k = 0 … 2; i = 0 … n: a[(k × n) + i] = c[k] × x[i]
//
// becomes
//
//	segmap i = 0 … n
//	  a[i] = c[0] × x[i]
//	  a[n + i] = c[1] × x[i]
func (f *Fuser) interchanged(n *ir.Nest) *ir.Nest {
	out := *n
	out.Dims, out.Body = n.Dims[1:], nil
	lo, _ := ir.IntOf(n.Dims[0].Lo)
	hi, _ := ir.IntOf(n.Dims[0].Hi)
	for k := lo; k < hi; k++ {
		c := f.L.NewCloner()
		c.Vars[n.Dims[0].Var] = ir.Integer(k)
		out.Body = append(out.Body, c.List(n.Body)...)
	}
	return &out
}

// common reports whether a nest reads what the other one writes, and both may run over
// several axes: maps, and for CPUs reductions whose order does not matter.
func (f *Fuser) common(a, b *ir.Nest) bool {
	for _, n := range []*ir.Nest{a, b} {
		if n.Kind != ir.SegMap && (!f.L.CPU() || n.Rounds()) {
			return false
		}
	}
	for x := range f.Of(a).Stores {
		if f.Of(b).Loads[x] {
			return true
		}
	}
	return false
}

// ravels reports whether a space of one axis has as many points as another one of
// several.
func (f *Fuser) ravels(flat, space []ir.Dim) bool {
	if len(flat) != 1 || len(space) < 2 || !ir.IsInt(flat[0].Lo, 0) {
		return false
	}
	n := affine.Const(1)
	for _, d := range space {
		if !ir.IsInt(d.Lo, 0) {
			return false
		}
		n = n.Times(f.extent(d.Hi))
	}
	return n.Known() && n.Equal(f.extent(flat[0].Hi))
}

// copiesBytes reports whether a nest copies elements of one or two bytes: the copy
// and its sum are vector code.
func copiesBytes(n *ir.Nest) bool {
	if len(n.Body) == 0 || !straight(n.Body[:len(n.Body)-1]) {
		return false
	}
	st, ok := n.Body[len(n.Body)-1].(*ir.Store)
	if !ok || ir.Width(st.Buf.Elem) > 2 {
		return false
	}
	_, ok = st.X.(*ir.Load)
	return ok
}

// longRows reports whether the last axis of a space is long.
func longRows(space []ir.Dim) bool {
	row, known := ir.Trips(space[len(space)-1])
	return known && row >= shapedRow
}

// extent reads an extent as a sum of products of variables that are not set to others.
func (f *Fuser) extent(x ir.Expr) affine.Poly {
	r := affine.Reader{Leaf: func(r *affine.Reader, x ir.Expr) affine.Poly {
		u, ok := x.(*ir.Use)
		if !ok || u.Var.Kind != ir.I64 {
			return affine.Unknown
		}
		if init, ok := f.defs[u.Var]; ok {
			if p := r.Read(init); p.Known() {
				return p
			}
		}
		return affine.Of(u.Var)
	}}
	return r.Read(x)
}

// shaped is a nest over one axis as one over a space of as many points.
func (f *Fuser) shaped(n *ir.Nest, space []ir.Dim) *ir.Nest {
	var dims []ir.Dim
	at := ir.Expr(ir.Integer(0))
	for _, d := range space {
		v := f.L.Twin(d.Var)
		dims = append(dims, ir.Dim{Var: v, Lo: d.Lo, Hi: d.Hi})
		at = ir.Add(ir.Mul(at, d.Hi), v.Use())
	}
	out := *n
	out.Body = append([]ir.Stmt{ir.SpaceOf(n)[0].Var.Decl(at)}, n.Body...)
	if n.Kind == ir.SegRed {
		out.Red = dims
	} else {
		out.Dims = dims
	}
	return &out
}
