package loop

import (
	"slices"

	"github.com/tailor-lang/tailor/laila/facts"
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/pass"
)

// stepScan looks at the body of a loop: which arrays can become narrow, and
// what the step sets.
type stepScan struct {
	*facts.Step
	s        *stater
	info     pass.LoopState
	inputs   []*ir.Buf // arrays that the body only reads, in the order of their first use
	ok       bool
	divides  bool
	declared map[*ir.Var]bool // variables of the body
	inside   map[*ir.Buf]bool // buffers of the body
	odd      map[*ir.Buf]bool // used in ways that need the kind
	pairs    [][2]*ir.Buf     // arrays of one kind
	places   map[*ir.Var]bool // what extents and indices depend on
	accs     map[*ir.Var]bool
	nested   map[*ir.Var]bool // variables of nests
	late     map[*ir.Var]bool // variables from outside that have been set
	changed  bool             // arrays have changed places
	seen     []*ir.Buf
	count    int
	repeated int // loops in the step that are around the statement
}

func newStepScan(s *stater, body []ir.Stmt, info pass.LoopState) *stepScan {
	a := &stepScan{
		Step: facts.NewStep(s.l.Base),
		s:    s, info: info, ok: true, declared: map[*ir.Var]bool{}, inside: map[*ir.Buf]bool{}, odd: map[*ir.Buf]bool{},
		places: map[*ir.Var]bool{}, accs: map[*ir.Var]bool{}, nested: map[*ir.Var]bool{}, late: map[*ir.Var]bool{},
	}
	ir.Walk(body, a.declare)
	if a.count > stateLimit {
		a.ok = false
	}
	if a.ok {
		a.block(body, 0)
		a.arraysOf()
	}
	if a.ok {
		a.closePlaces()
	}
	return a
}

// declare notes what the body declares.
func (a *stepScan) declare(s ir.Stmt) {
	a.count++
	switch s := s.(type) {
	case *ir.Decl:
		a.declared[s.Var] = true
	case *ir.DeclBuf:
		a.inside[s.Buf] = true
	case *ir.For:
		a.declared[s.Var] = true
		a.Dims[s.Var] = ir.Dim{Var: s.Var, Lo: s.Lo, Hi: s.Hi}
	case *ir.Nest:
		for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
			a.declared[d.Var] = true
			a.Dims[d.Var] = d
		}
		for _, acc := range s.Accs {
			a.accs[acc.Var] = true
		}
	case *ir.Loop:
		a.ok = a.ok && searches(s.Body)
	case *ir.Filter, *ir.Micro, *ir.Call, *ir.Runtime, *ir.Return:
		a.ok = false
	}
}

// searches reports whether a loop in a step changes no arrays: it looks for elements.
func searches(body []ir.Stmt) bool {
	ok := true
	ir.Walk(body, func(s ir.Stmt) {
		switch s.(type) {
		case *ir.Decl, *ir.Assign, *ir.BreakIf, *ir.Nest, *ir.If, *ir.For, *ir.Comment:
		default:
			ok = false
		}
	})
	return ok
}

func (a *stepScan) block(block []ir.Stmt, depth int) {
	for _, s := range block {
		a.stmt(s, depth)
	}
}

func (a *stepScan) stmt(s ir.Stmt, depth int) {
	if _, fails := s.(*ir.Fail); !fails {
		for _, x := range ir.Exprs(s) {
			a.reads(x, false, depth)
		}
	}
	switch s := s.(type) {
	case *ir.Decl:
		if depth > 0 {
			a.nested[s.Var] = true
		}
		x := s.Init
		if x == nil {
			x = &ir.Int{Val: 0, K: s.Var.Kind}
		}
		a.Values[s.Var] = append(a.Values[s.Var], x)
	case *ir.Assign:
		a.assign(s.Var, s.X, depth)
	case *ir.Checked:
		a.assign(s.Var, s.Op.Of(s.X, s.Y), depth)
	case *ir.DeclBuf:
		a.mention(s.Buf)
		a.place(s.Count)
		for _, x := range s.Shape {
			a.place(x)
		}
		if s.Buf.Stack > 0 && s.Buf.Elem == ir.I64 && s.Count == nil {
			a.odd[s.Buf] = true
		}
	case *ir.Move:
		a.pair(s.Dst, s.Src)
		a.changed = true
	case *ir.Swap:
		a.pair(s.A, s.B)
		a.changed = true
	case *ir.Copy:
		a.pair(s.Dst, s.Src)
		a.place(s.DstIndex)
		a.place(s.SrcIndex)
		a.place(s.Count)
		a.touch()
		a.Stored[s.Dst] = append(a.Stored[s.Dst], s.Src.Load(ir.Integer(0)))
	case *ir.Store:
		a.mention(s.Buf)
		a.place(s.Index)
		a.touch()
		a.Stored[s.Buf] = append(a.Stored[s.Buf], s.X)
	case *ir.If:
		changed, late := a.changed, a.late
		a.late = copied(late)
		a.block(s.Then, depth)
		changed2, late2 := a.changed, a.late
		a.changed, a.late = changed, copied(late)
		a.block(s.Else, depth)
		a.changed = a.changed || changed2
		for v := range late2 {
			a.late[v] = true
		}
		return
	case *ir.Loop:
		a.repeated++
		defer func() { a.repeated-- }()
	case *ir.For:
		a.place(s.Lo)
		a.place(s.Hi)
		depth++
	case *ir.Nest:
		for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
			a.place(d.Lo)
			a.place(d.Hi)
		}
		a.nest(s, depth)
		return
	}
	for _, inner := range ir.Blocks(s) {
		a.block(*inner, depth)
	}
}

func (a *stepScan) nest(s *ir.Nest, depth int) {
	around := depth
	if len(s.Dims) > 0 {
		around++
	}
	a.block(s.Pre, around)
	a.block(s.Body, depth+1)
	a.block(s.Post, around)
}

func copied(m map[*ir.Var]bool) map[*ir.Var]bool {
	c := map[*ir.Var]bool{}
	for v := range m {
		c[v] = true
	}
	return c
}

// assign notes that a variable is set: one from outside only after its last
// use, outside of loops.
func (a *stepScan) assign(v *ir.Var, x ir.Expr, depth int) {
	if a.declared[v] {
		a.Values[v] = append(a.Values[v], x)
		return
	}
	if v.Kind == ir.I64 && depth > 0 || a.repeated > 0 {
		a.ok = false
	}
	a.late[v] = true
}

func (a *stepScan) mention(b *ir.Buf) {
	if b.Elem != ir.I64 {
		return
	}
	for _, c := range a.seen {
		if c == b {
			return
		}
	}
	a.seen = append(a.seen, b)
}

func (a *stepScan) pair(x, y *ir.Buf) {
	a.mention(x)
	a.mention(y)
	a.pairs = append(a.pairs, [2]*ir.Buf{x, y})
}

// touch is a use of elements: not after arrays have changed places.
func (a *stepScan) touch() {
	if a.changed {
		a.ok = false
	}
}

// reads notes what an expression reads.
func (a *stepScan) reads(x ir.Expr, index bool, depth int) {
	switch x := x.(type) {
	case nil:
		return
	case *ir.Use:
		if x.Var.Kind == ir.I64 && a.late[x.Var] {
			a.ok = false
		}
	case *ir.Load:
		if x.Buf.Elem == ir.I64 {
			a.mention(x.Buf)
			a.touch()
			if index && !a.inside[x.Buf] {
				a.odd[x.Buf] = true
			}
		}
		a.place(x.Index)
		a.reads(x.Index, true, depth)
		return
	case *ir.Binary:
		if (x.Op == ir.OpQuo || x.Op == ir.OpRem) && x.Kind() == ir.I64 && depth > 0 && !index {
			a.divides = true
		}
	}
	for _, y := range ir.Operands(x) {
		a.reads(y, index, depth)
	}
}

// place notes the variables that an index or an extent depends on.
func (a *stepScan) place(x ir.Expr) {
	if x == nil {
		return
	}
	if u, ok := x.(*ir.Use); ok {
		a.places[u.Var] = true
	}
	for _, y := range ir.Operands(x) {
		a.place(y)
	}
}

// closePlaces adds what those variables are made from.
func (a *stepScan) closePlaces() {
	for n := -1; n != len(a.places); {
		n = len(a.places)
		for v, xs := range a.Values {
			if a.places[v] {
				for _, x := range xs {
					a.place(x)
				}
			}
		}
	}
}

// arraysOf decides which arrays become narrow.
func (a *stepScan) arraysOf() {
	written := map[*ir.Buf]bool{}
	for b := range a.Stored {
		written[b] = true
	}
	for _, p := range a.pairs {
		written[p[0]], written[p[1]] = true, true
	}
	state := map[*ir.Buf]bool{}
	for _, x := range a.info.Arrays {
		state[x.Buf] = true
	}
	useful := false
	for _, b := range a.seen {
		switch {
		case b.Const:
		case state[b]:
			a.Arrays[b], a.Outside[b] = true, true
			useful = useful || written[b]
		case a.inside[b]:
			a.Arrays[b] = !a.odd[b]
		case !written[b] && !a.odd[b] && a.s.sizes[b] != nil:
			a.Arrays[b], a.Outside[b], a.Input[b] = true, true, true
			a.inputs = append(a.inputs, b)
		}
	}
	for _, p := range a.pairs {
		if p[0].Elem == ir.I64 && a.Arrays[p[0]] != a.Arrays[p[1]] {
			a.ok = false
		}
	}
	for b := range written {
		if b.Elem == ir.I64 && !a.Arrays[b] {
			a.ok = false
		}
	}
	a.ok = a.ok && useful
}

// choose says which variables of nests become narrow: those that are made of
// elements of narrow arrays, are bounded, and no place depends on.
func (a *stepScan) choose(n *narrower) {
	vars := make([]*ir.Var, 0, len(a.nested))
	for v := range a.nested {
		vars = append(vars, v)
	}
	slices.SortFunc(vars, func(v, w *ir.Var) int { return v.ID - w.ID })
	for more := true; more; {
		more = false
		for _, v := range vars {
			if n.small[v] || v.Kind != ir.I64 || a.places[v] || a.accs[v] {
				continue
			}
			touches := false
			for _, x := range a.Values[v] {
				touches = touches || n.touches(x)
			}
			if _, ok := a.Variable(v); ok && touches {
				n.small[v], more = true, true
			}
		}
	}
}
