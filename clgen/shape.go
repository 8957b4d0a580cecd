package clgen

import (
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila"
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
	doneShape         // part of a kernel that stands before
)

// kernel is a statement that becomes a kernel, or two.
type kernel struct {
	shape shape
	name  string
	index int
	at    diag.Span
	dims  []laila.Dim // the space; its bounds are computed by the host
	body  []laila.Stmt
	// more are maps that share the launch, and statements what the host executes
	// in their place.
	more       []*kernel
	statements []laila.Stmt

	nest *laila.Nest               // of a reduction
	scan *scanLoop                 // of a scan
	sums map[*laila.Var]*laila.Var // the flags of checked sums, by their accumulators
	trap *laila.Var                // raised where a point meets a fault, else nil
	// redo asks for the loop to be repeated in order, by the host, where a flag
	// is raised: sums of parts may overflow where the sum does not.
	redo    bool
	bufs    []*laila.Buf
	vars    []*laila.Var // passed by value
	written map[*laila.Buf]bool
	read    map[*laila.Buf]bool
	flags   []*laila.Var // ORed
	outs    []*laila.Var // assigned
	base    int64        // of the flags and then the outs in the answers
	weight  int64        // statements at a point
	// receive sets the flags and results from their answers.
	receive   func(fr *frame, words []int64) (raised bool)
	flagSlots []int // of the flags, in a frame
	// wide says that the kernel notes, after its results, where an integer is
	// too large for a narrow double.
	wide bool
	// tile is the side of tiles in local memory, and tiled the loads that pass
	// through them; 0 where there are none.
	tile  int64
	tiled []*laila.Load
	// around is the loop around a map whose points it was moved into, and inner
	// the points' statements without it.
	around *laila.For
	inner  []laila.Stmt
	rows   *rowReduce // of a map of reductions, else nil
	// product is what is known of a map of inner products, else nil.
	product *product
}

// shape returns the kernel that s becomes, or nil.
func (pl *planner) shape(s laila.Stmt) *kernel {
	switch s := s.(type) {
	case *laila.Nest:
		return nestShape(s)
	case *laila.For:
		if k := interchanged(s); k != nil {
			return k
		}
		if k := scan(s); k != nil {
			return k
		}
		if !isPure([]laila.Stmt{s}) || hasNest(s.Body) {
			return nil
		}
		return task(s, spanOf(s.Body))
	}
	return nil
}

// isPure reports whether a work-item can execute statements: they have no
// faults, calls or allocation.
func isPure(list []laila.Stmt) bool {
	pure := true
	laila.Walk(list, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Decl, *laila.Assign, *laila.Checked, *laila.Store, *laila.Copy, *laila.For, *laila.Nest,
			*laila.Loop, *laila.BreakIf, *laila.If, *laila.Comment:
		case *laila.DeclBuf:
			pure = pure && s.Buf.Stack > 0
		case *laila.Free:
			pure = pure && s.Buf.Stack > 0
		default:
			pure = false
		}
	})
	return pure
}

func hasNest(list []laila.Stmt) bool {
	found := false
	laila.Walk(list, func(s laila.Stmt) {
		if _, ok := s.(*laila.Nest); ok {
			found = true
		}
	})
	return found
}

func nestShape(n *laila.Nest) *kernel {
	can, faults := itemCan([]laila.Stmt{n})
	if !can {
		return nil
	}
	switch {
	case n.Kind == laila.SegMap && len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0 && len(n.Dims) > 0:
		if k := mapOver(n.Dims, n.Body, n.At, faults); k != nil {
			return k
		}
	case n.Kind == laila.SegRed && len(n.Dims) == 0 && len(n.Red) > 0:
		if k := reduction(n, faults); k != nil {
			return k
		}
	}
	if !isPure([]laila.Stmt{n}) {
		return nil
	}
	return task(n, n.At)
}

// mapOver is the kernel of independent points, nil where something but flags
// is carried from point to point.
func mapOver(dims []laila.Dim, body []laila.Stmt, at diag.Span, faults bool) *kernel {
	u := usesOf(body, dimVars(dims)...)
	k := newKernel(mapShape, u, at)
	k.dims, k.body, k.weight = dims, body, weigh(body)
	return k.setFlags(u, nil).trapped(u, faults)
}

func dimVars(dims []laila.Dim) []*laila.Var {
	vars := make([]*laila.Var, len(dims))
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
func (k *kernel) setFlags(u *uses, outs map[*laila.Var]bool) *kernel {
	for _, v := range u.vars {
		switch {
		case outs[v]:
			k.outs = append(k.outs, v)
			k.vars = append(k.vars, v)
		case u.assigned[v] && v.Kind == laila.U8:
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

func (k *kernel) allStmts() []laila.Stmt {
	if k.nest != nil {
		return append(append(append([]laila.Stmt{}, k.nest.Pre...), k.nest.Body...), k.nest.Post...)
	}
	return k.body
}

// onlyOred reports whether statements do nothing to v but OR into it.
func onlyOred(list []laila.Stmt, v *laila.Var) bool {
	ok := true
	count := func(x laila.Expr) int {
		n := 0
		laila.WalkExpr(x, func(x laila.Expr) {
			if u, is := x.(*laila.Use); is && u.Var == v {
				n++
			}
		})
		return n
	}
	laila.Walk(list, func(s laila.Stmt) {
		n := 0
		stmtExprs(s, func(x laila.Expr) { n += count(x) })
		if a, is := s.(*laila.Assign); is && a.Var == v {
			b, or := a.X.(*laila.Binary)
			ok = ok && or && b.Op == laila.Or && n == 1 && (isUse(b.X, v) || isUse(b.Y, v))
			return
		}
		ok = ok && n == 0
	})
	return ok
}

func isUse(x laila.Expr, v *laila.Var) bool {
	u, ok := x.(*laila.Use)
	return ok && u.Var == v
}

// reduction is the kernel of a segred over a whole space; nil where the order
// matters: an accumulator without a neutral element, or one that is checked
// for overflow and is no sum.
func reduction(n *laila.Nest, faults bool) *kernel {
	accs, outs := map[*laila.Var]bool{}, map[*laila.Var]bool{}
	for _, a := range n.Accs {
		if a.Neutral == nil || a.Combine == nil {
			return nil
		}
		accs[a.Var] = true
	}
	for _, s := range n.Pre {
		if d, ok := s.(*laila.Decl); !ok || !accs[d.Var] {
			return nil
		}
	}
	for _, s := range n.Post {
		a, ok := s.(*laila.Assign)
		if !ok {
			return nil
		}
		outs[a.Var] = true
	}
	u := usesOf([]laila.Stmt{n})
	k := newKernel(reduceShape, u, n.At)
	for _, a := range n.Accs {
		if !checksAny(n.Body, map[*laila.Var]bool{a.Var: true}) {
			continue
		}
		flag := checkedSum(n.Body, a)
		if flag == nil {
			return nil
		}
		if k.sums == nil {
			k.sums = map[*laila.Var]*laila.Var{}
		}
		k.sums[a.Var], k.redo = flag, true
	}
	k.nest, k.dims, k.body, k.weight = n, n.Red, n.Body, weigh(n.Body)
	return k.setFlags(u, outs).trapped(u, faults)
}

// checksAny reports whether an overflow that is looked for involves one of the
// variables.
func checksAny(list []laila.Stmt, vars map[*laila.Var]bool) bool {
	found := false
	laila.Walk(list, func(s laila.Stmt) {
		c, ok := s.(*laila.Checked)
		if !ok {
			return
		}
		found = found || vars[c.Var]
		stmtExprs(s, func(x laila.Expr) {
			laila.WalkExpr(x, func(x laila.Expr) {
				if u, ok := x.(*laila.Use); ok && vars[u.Var] {
					found = true
				}
			})
		})
	})
	return found
}

// checkedSum returns the flag of a body that does nothing to an accumulator
// but t, overflow flag = acc + x; acc = t; nil for other bodies.
func checkedSum(body []laila.Stmt, acc laila.Acc) *laila.Var {
	b, ok := acc.Combine.(*laila.Binary)
	if !ok || b.Op != laila.Add {
		return nil
	}
	for i := 1; i < len(body); i++ {
		a, ok := body[i].(*laila.Assign)
		if !ok || a.Var != acc.Var {
			continue
		}
		c, ok := body[i-1].(*laila.Checked)
		if !ok || c.Op != laila.Add || !isUse(a.X, c.Var) || !isUse(c.X, acc.Var) || mentions(c.Y, acc.Var) ||
			usesVar(body[:i-1], acc.Var) || usesVar(body[i+1:], acc.Var) || assignsVar(body[:i-1], acc.Var) || assignsVar(body[i+1:], acc.Var) {
			return nil
		}
		return c.Flag
	}
	return nil
}

// assignsVar reports whether statements assign v.
func assignsVar(list []laila.Stmt, v *laila.Var) bool {
	found := false
	laila.Walk(list, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Assign:
			found = found || s.Var == v
		case *laila.Checked:
			found = found || s.Var == v
		}
	})
	return found
}

// task is the kernel of statements that one work-item executes in order.
func task(s laila.Stmt, at diag.Span) *kernel {
	list := []laila.Stmt{s}
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
func weigh(list []laila.Stmt) int64 {
	const most = 1 << 40
	n := int64(0)
	for _, s := range list {
		switch s := s.(type) {
		case *laila.For:
			n += weigh(s.Body) * trips(s.Lo, s.Hi)
		case *laila.Nest:
			w := weigh(s.Body)
			for _, d := range append(append([]laila.Dim{}, s.Dims...), s.Red...) {
				w = min(w*trips(d.Lo, d.Hi), most)
			}
			n += w
		case *laila.Loop:
			n += weigh(s.Body) * unknownTrips
		case *laila.If:
			n += weigh(s.Then) + weigh(s.Else)
		case *laila.Comment:
		default:
			n++
		}
		n = min(n, most)
	}
	return max(n, 1)
}

func trips(lo, hi laila.Expr) int64 {
	a, ok := lo.(*laila.Int)
	b, ok2 := hi.(*laila.Int)
	if !ok || !ok2 {
		return unknownTrips
	}
	return max(b.Val-a.Val, 1)
}

// interchanged is the kernel of a loop around a map whose points touch only
// their own elements of what the loop writes: the points become the outer,
// parallel loop.
func interchanged(f *laila.For) *kernel {
	var n *laila.Nest
	for _, s := range f.Body {
		switch s := s.(type) {
		case *laila.Comment:
		case *laila.Nest:
			if n != nil {
				return nil
			}
			n = s
		default:
			return nil
		}
	}
	if n == nil || n.Kind != laila.SegMap || len(n.Red)+len(n.Pre)+len(n.Post) > 0 || len(n.Dims) != 1 || !isPure(n.Body) {
		return nil
	}
	d := n.Dims[0]
	if mentions(d.Lo, f.Var) || mentions(d.Hi, f.Var) || !ownElements(n.Body, d.Var) {
		return nil
	}
	inner := &laila.For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: n.Body}
	k := mapOver(n.Dims, []laila.Stmt{inner}, n.At, false)
	if k != nil {
		k.around, k.inner = f, n.Body
	}
	return k
}

func mentions(x laila.Expr, v *laila.Var) bool {
	found := false
	laila.WalkExpr(x, func(x laila.Expr) { found = found || isUse(x, v) })
	return found
}

// ownElements reports whether statements read and write element v only, of the
// buffers that they write.
func ownElements(list []laila.Stmt, v *laila.Var) bool {
	u := usesOf(list)
	ok := true
	laila.Walk(list, func(s laila.Stmt) {
		switch s := s.(type) {
		case *laila.Store:
			ok = ok && (u.local[s.Buf] || isUse(s.Index, v))
		case *laila.Copy:
			ok = false
		}
		stmtExprs(s, func(x laila.Expr) {
			laila.WalkExpr(x, func(x laila.Expr) {
				if l, is := x.(*laila.Load); is && u.written[l.Buf] && !u.local[l.Buf] {
					ok = ok && isUse(l.Index, v)
				}
			})
		})
	})
	return ok
}
