package clgen

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// shape is the kind of a kernel.
type shape uint8

// The shapes. The zero value is "unset".
const (
	noShape     shape = iota
	mapShape          // independent points
	reduceShape       // accumulators over a space: partial results, then a join
	scanShape         // running values or a selection: totals, what is before each part, the loop
	taskShape         // statements in order, by one work-item
	updateShape       // elements stored or joined at any places
	doneShape         // part of a kernel that stands before
)

// kernel is a statement that becomes a kernel, or two.
type kernel struct {
	shape shape
	name  string
	at    diag.Span
	dims  []ir.Dim // the space; its bounds are computed by the host
	body  []ir.Stmt
	// more are maps that share the launch, and statements what the host executes
	// in their place.
	more       []*kernel
	statements []ir.Stmt

	nest *ir.Nest            // of a reduction
	scan *flow.Scan          // of a scan
	sums map[*ir.Var]*ir.Var // the flags of checked sums, by their accumulators
	trap *ir.Var             // raised where a point meets a fault, else nil
	// redo asks for the loop to be repeated in order, by the host, where a flag
	// is raised: sums of parts may overflow where the sum does not.
	redo    bool
	bufs    []*ir.Buf
	vars    []*ir.Var // passed by value
	written map[*ir.Buf]bool
	read    map[*ir.Buf]bool
	flags   []*ir.Var // ORed
	outs    []*ir.Var // assigned
	base    int64     // of the flags and then the outs in the answers
	weight  int64     // statements at a point
	split   int64     // of the nest
	// receive sets the flags and results from their answers.
	receive   func(fr *frame, words []int64) (raised bool)
	flagSlots []int // of the flags, in a frame
	// wide says that the kernel notes, after its results, where an integer is
	// too large for a narrow double.
	wide bool
	// notes says that it notes doubles that overflow.
	notes bool
	// tiled says that a map goes through its space in tiles; across are the loads that pass through
	// local memory.
	tiled  bool
	across []ir.Expr
	// around is the loop around a map whose points it was moved into, and inner
	// the points' statements without it.
	around *ir.For
	inner  []ir.Stmt
	rows   *rowReduce // of a map of reductions, else nil
	level  string     // that the program asks for, thread, block or grid, or ""
	// library says how the kernels of a function of FCL's library are launched; nil for others.
	library  *ir.Library
	function string // of the library, or ""
	// update is the loop of an updateShape, of which several work-items do at most so many iterations.
	update *flow.Update
	most   int64
	// product is what is known of a map of inner products, else nil.
	product *product
}

// shape returns the kernel that s becomes, or nil.
func (pl *planner) shape(s ir.Stmt) *kernel {
	switch s := s.(type) {
	case *ir.Nest:
		return nestShape(s)
	case *ir.For:
		if k := interchanged(s); k != nil {
			return k
		}
		if k := pl.scan(s); k != nil {
			return k
		}
		if k := pl.update(s); k != nil {
			return k
		}
		if !isPure([]ir.Stmt{s}) || ir.Has[*ir.Nest](s.Body) {
			return nil
		}
		return task(s, spanOf([]ir.Stmt{s}))
	case *ir.Loop:
		// Runs of elements the device copies by itself, in parallel.
		if isPure([]ir.Stmt{s}) && !ir.Has[*ir.Nest](s.Body) && !ir.Has[*ir.Copy](s.Body) {
			return task(s, spanOf([]ir.Stmt{s}))
		}
	}
	return nil
}

// isPure reports whether a work-item can execute statements, which have no faults.
func isPure(list []ir.Stmt) bool {
	can, faults := itemCan(list)
	return can && !faults
}

func nestShape(n *ir.Nest) *kernel {
	can, faults := itemCan([]ir.Stmt{n})
	if !can {
		return nil
	}
	switch {
	case n.Kind == ir.SegMap && len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0 && len(n.Dims) > 0:
		if k := mapOver(n.Dims, n.Body, n.At, faults); k != nil {
			k.split = n.Split
			return k
		}
	case n.Kind == ir.SegRed && len(n.Dims) == 0 && len(n.Red) > 0:
		if k := reduction(n, faults); k != nil {
			return k
		}
	}
	if !isPure([]ir.Stmt{n}) {
		return nil
	}
	return task(n, n.At)
}

// mapOver is the kernel of independent points, nil where something but flags
// is carried from point to point.
func mapOver(dims []ir.Dim, body []ir.Stmt, at diag.Span, faults bool) *kernel {
	u := usesOf(body, dimVars(dims)...)
	k := newKernel(mapShape, u, at)
	k.dims, k.body, k.weight = dims, body, weigh(body)
	return k.setFlags(u, nil).trapped(u, faults)
}

func dimVars(dims []ir.Dim) []*ir.Var {
	vars := make([]*ir.Var, len(dims))
	for i, d := range dims {
		vars[i] = d.Var
	}
	return vars
}

func newKernel(s shape, u *uses, at diag.Span) *kernel {
	return &kernel{shape: s, bufs: u.bufs, written: u.written, read: u.read, at: at}
}

// setFlags divides the outer variables into those that are read, flags, and
// results; others that are assigned make the kernel impossible.
func (k *kernel) setFlags(u *uses, outs map[*ir.Var]bool) *kernel {
	for _, v := range u.vars {
		switch {
		case outs[v]:
			k.outs = append(k.outs, v)
			k.vars = append(k.vars, v)
		case u.assigned[v] && v.Kind == ir.U8:
			k.flags = append(k.flags, v)
		case u.assigned[v]:
			return nil
		default:
			k.vars = append(k.vars, v)
		}
	}
	for _, v := range k.flags {
		if !onlyOred(k.allStmts(), v) {
			return nil
		}
	}
	return k
}

func (k *kernel) allStmts() []ir.Stmt {
	if k.nest != nil {
		return append(append(append([]ir.Stmt{}, k.nest.Pre...), k.nest.Body...), k.nest.Post...)
	}
	return k.body
}

// onlyOred reports whether statements do nothing to v but OR into it.
func onlyOred(list []ir.Stmt, v *ir.Var) bool {
	ok := true
	ir.Walk(list, func(s ir.Stmt) {
		n := 0
		exprs(s, func(x ir.Expr) {
			if ir.IsUse(x, v) {
				n++
			}
		})
		if a, is := s.(*ir.Assign); is && a.Var == v {
			b, or := a.X.(*ir.Binary)
			ok = ok && or && b.Op == ir.OpOr && n == 1 && (ir.IsUse(b.X, v) || ir.IsUse(b.Y, v))
			return
		}
		ok = ok && n == 0
	})
	return ok
}

// reduction is the kernel of a segred over a whole space; nil where the order matters.
func reduction(n *ir.Nest, faults bool) *kernel {
	u := usesOf([]ir.Stmt{n})
	k := newKernel(reduceShape, u, n.At)
	if k.sums = folds(n); k.sums == nil {
		return nil
	}
	outs := map[*ir.Var]bool{}
	for _, s := range n.Post {
		outs[s.(*ir.Assign).Var] = true
	}
	k.redo = len(k.sums) > 0
	k.nest, k.dims, k.body, k.weight = n, n.Red, n.Body, weigh(n.Body)
	return k.setFlags(u, outs).trapped(u, faults)
}

// folds returns the flags of the sums of a segred that are tested for overflow; nil where its
// partial results cannot be joined: an accumulator has no neutral element, or is tested and is
// no sum of which the body does nothing else.
func folds(n *ir.Nest) map[*ir.Var]*ir.Var {
	if n.Kind != ir.SegRed || len(n.Red) == 0 || len(n.Accs) == 0 {
		return nil
	}
	accs, flags := map[*ir.Var]bool{}, map[*ir.Var]*ir.Var{}
	sums, _ := flow.CheckedSums(n)
	for _, s := range sums {
		flags[s.Acc.Var] = s.Test.Flag
	}
	for _, a := range n.Accs {
		accs[a.Var] = true
		if a.Neutral == nil || a.Combine == nil || flags[a.Var] == nil && checksAny(n.Body, map[*ir.Var]bool{a.Var: true}) {
			return nil
		}
	}
	for _, s := range n.Pre {
		if d, ok := s.(*ir.Decl); !ok || !accs[d.Var] {
			return nil
		}
	}
	for _, s := range n.Post {
		if _, ok := s.(*ir.Assign); !ok {
			return nil
		}
	}
	return flags
}

// checksAny reports whether an overflow that is looked for involves one of the
// variables.
func checksAny(list []ir.Stmt, vars map[*ir.Var]bool) bool {
	found := false
	ir.Walk(list, func(s ir.Stmt) {
		if c, ok := s.(*ir.Checked); ok {
			found = found || vars[c.Var] || ir.MentionsAny(c.X, vars) || ir.MentionsAny(c.Y, vars)
		}
	})
	return found
}

// task is the kernel of statements that one work-item executes in order.
func task(s ir.Stmt, at diag.Span) *kernel {
	list := []ir.Stmt{s}
	u := usesOf(list)
	k := newKernel(taskShape, u, at)
	k.body, k.weight = list, weigh(list)
	for _, v := range u.vars {
		k.vars = append(k.vars, v)
		if u.assigned[v] {
			k.outs = append(k.outs, v)
		}
	}
	return k
}

// unknownTrips stands for the trips of a loop whose bounds are not constant.
const unknownTrips = 16

// weigh estimates the work of statements.
func weigh(list []ir.Stmt) int64 {
	const most = 1 << 40
	n := int64(0)
	for _, s := range list {
		switch s := s.(type) {
		case *ir.For:
			n += weigh(s.Body) * trips(s.Lo, s.Hi)
		case *ir.Nest:
			w := weigh(s.Body)
			for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
				w = min(w*trips(d.Lo, d.Hi), most)
			}
			n += w
		case *ir.Loop:
			n += weigh(s.Body) * unknownTrips
		case *ir.If:
			n += weigh(s.Then) + weigh(s.Else)
		case *ir.Comment:
		default:
			n++
		}
		n = min(n, most)
	}
	return max(n, 1)
}

func trips(lo, hi ir.Expr) int64 {
	n, ok := ir.Trips(ir.Dim{Lo: lo, Hi: hi})
	if !ok {
		return unknownTrips
	}
	return max(n, 1)
}

// interchanged is the kernel of a loop around a map whose points touch only
// their own elements of what the loop writes: the points become the outer,
// parallel loop.
func interchanged(f *ir.For) *kernel {
	var n *ir.Nest
	for _, s := range f.Body {
		switch s := s.(type) {
		case *ir.Comment:
		case *ir.Nest:
			if n != nil {
				return nil
			}
			n = s
		default:
			return nil
		}
	}
	if n == nil || n.Kind != ir.SegMap || len(n.Red)+len(n.Pre)+len(n.Post) > 0 || len(n.Dims) != 1 || !isPure(n.Body) {
		return nil
	}
	d := n.Dims[0]
	if ir.Mentions(d.Lo, f.Var) || ir.Mentions(d.Hi, f.Var) || !ownElements(n.Body, d.Var) {
		return nil
	}
	inner := &ir.For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: n.Body}
	k := mapOver(n.Dims, []ir.Stmt{inner}, n.At, false)
	if k != nil {
		k.around, k.inner = f, n.Body
	}
	return k
}

// ownElements reports whether statements read and write element v only, of the
// buffers that they write.
func ownElements(list []ir.Stmt, v *ir.Var) bool {
	u := usesOf(list)
	ok := true
	ir.Walk(list, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Store:
			ok = ok && (u.local[s.Buf] || ir.IsUse(s.Index, v))
		case *ir.Copy:
			ok = false
		}
		exprs(s, func(x ir.Expr) {
			if l, is := x.(*ir.Load); is && u.written[l.Buf] && !u.local[l.Buf] {
				ok = ok && ir.IsUse(l.Index, v)
			}
		})
	})
	return ok
}
