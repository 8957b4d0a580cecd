package kernel

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tailor-lang/tailor/fcl/types"
)

// Place finishes a kernel: it removes dead variables, gives local arrays registers, or pieces of local
// memory (two arrays that are not live together may have one piece), puts a barrier
// wherever work-items could meet at an element, and finds the parameters.
func (k *Kernel) Place() {
	k.own()
	k.Body = Sweep(k.Body)
	k.Once = true
	Walk(k.Body, func(s Stmt) {
		if a, ok := s.(*Alloc); ok && a.Array.Space == Scratch {
			k.Once = false
		}
	})
	k.place()
	if k.Group != 1 {
		k.Body = newGuard(k, Local).list(k.Body)
	}
	k.parameters()
}

// life is the part of a kernel in which the arrays of an object are used.
type life struct {
	object      *Object
	elem        types.Scalar
	bytes       Expr
	first, last int
	depth       int // of the loops around its allocation
	sub         bool
}

// lives measures lives: position numbers the statements.
type lives struct {
	all      map[*Object]*life
	order    []*life
	position int
	depth    int
}

func (l *lives) list(list []Stmt) {
	for _, s := range list {
		l.position++
		if a, ok := s.(*Alloc); ok {
			l.alloc(a.Array)
			continue
		}
		if container(s) {
			l.container(s)
			continue
		}
		reads, writes := arrays(s)
		for _, a := range append(reads, writes...) {
			if f := l.all[a.Object]; f != nil {
				f.last = l.position
			}
		}
	}
}

func (l *lives) alloc(a *Array) {
	if !a.shared() {
		return
	}
	bytes := Apply("*", Apply("max", a.Len, Int(1)), Int(int64(a.Elem.Size())))
	if f := l.all[a.Object]; f != nil { // the other half of a pair
		f.bytes = Apply("+", f.bytes, aligned(bytes))
		return
	}
	f := &life{a.Object, a.Elem, aligned(bytes), l.position, l.position, l.depth, a.Space == SubLocal}
	l.all[a.Object] = f
	l.order = append(l.order, f)
}

// aligned rounds a number of bytes up to a multiple of 8.
func aligned(bytes Expr) Expr {
	if v, ok := value(bytes); ok {
		return Int((v + 7) / 8 * 8)
	}
	if op, ok := bytes.(*Op); ok && op.Name == "*" && IsConst(op.Args[1], 8) {
		return bytes
	}
	return Apply("*", Apply("/", Apply("+", bytes, Int(7)), Int(8)), Int(8))
}

// shared reports whether the work-items of a group, or of a sub-group, share the array.
func (a *Array) shared() bool { return a.Space == Local || a.Space == SubLocal }

// container walks a loop that all work-items of a group go through together. What is
// allocated outside and used inside lives until its end.
func (l *lives) container(s Stmt) {
	before := map[*life]int{}
	for _, f := range l.order {
		before[f] = f.last
	}
	l.depth++
	for _, inner := range bodies(s) {
		l.list(*inner)
	}
	l.depth--
	l.position++
	for f, last := range before {
		if f.last > last {
			f.last = l.position
		}
	}
}

// container reports whether a statement is a loop, or a conditional, whose body is executed by all
// work-items of a group, or of a sub-group, together.
func container(s Stmt) bool {
	switch s := s.(type) {
	case *Each:
		return s.By == Groups || s.By == SubGroups
	case *For:
		return together(s.Body)
	case *Loop:
		return together(s.Body)
	case *If:
		return together(s.Then) || together(s.Else)
	}
	return false
}

// Undecided reports whether work-items wait for each other in loops or conditionals of which the host
// does not know how often they run. PoCL's compiler crashes on some of them, and loses stores of others.
func (k *Kernel) Undecided() bool {
	found := false
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *For:
			found = found || container(s) && !ofHost(s.N)
		case *If:
			found = found || container(s) && !ofHost(s.Cond)
		case *Loop:
			found = found || container(s)
		}
	})
	return found
}

// ofHost reports whether the host could compute an expression.
func ofHost(e Expr) bool {
	if v, ok := e.(*Var); ok && !v.Host {
		return v.Def != nil && ofHost(v.Def)
	}
	_, load := e.(*Load)
	return !load && !slices.ContainsFunc(Children(e), func(c Expr) bool { return !ofHost(c) })
}

// together reports whether a list has parallel loops of a group or a sub-group, or local arrays.
func together(list []Stmt) bool {
	found := false
	Walk(list, func(s Stmt) {
		switch s := s.(type) {
		case *Each:
			found = found || s.By == Items || s.By == SubGroups || s.By == Lanes
		case *Alloc:
			found = found || s.Array.shared()
		}
	})
	return found
}

// place gives each object of local memory a slot: the first that is free.
func (k *Kernel) place() {
	l := &lives{all: map[*Object]*life{}}
	l.list(k.Body)
	k.Objects = map[*Object]*Slot{}
	for _, f := range l.order {
		slot := k.free(f.first, f.sub)
		if slot == nil {
			slot = &Slot{Name: fmt.Sprintf("local%d", len(k.Slots)), Bytes: f.bytes, Sub: f.sub, elem: f.elem}
			k.Slots = append(k.Slots, slot)
		}
		if slot.elem != f.elem {
			slot.elem = types.NoScalar
		}
		slot.Bytes = Apply("max", slot.Bytes, f.bytes)
		slot.last = f.last
		k.Objects[f.object] = slot
	}
	k.fix()
}

// leastLocal is how much local memory all devices have.
const leastLocal = 32 << 10

// fix declares the pieces of local memory whose sizes are known in the kernel; arrays of their type
// are the pieces.
func (k *Kernel) fix() {
	total, fixed := int64(0), map[*Slot]bool{}
	k.Slots = slices.DeleteFunc(k.Slots, func(s *Slot) bool {
		bytes, ok := value(s.Bytes)
		if !ok || s.Sub || total+bytes > leastLocal {
			return false
		}
		total += bytes
		k.Fixed = append(k.Fixed, s)
		fixed[s] = s.elem != types.NoScalar
		return true
	})
	Walk(k.Body, func(s Stmt) {
		if a, ok := s.(*Alloc); ok && a.Array.Space == Local && !a.Array.Swapped && fixed[k.Objects[a.Array.Object]] {
			a.Array.Name = k.Objects[a.Array.Object].Name
		}
	})
}

// free returns a piece of a group, or of each sub-group, that nothing needs any more, or nil.
func (k *Kernel) free(position int, sub bool) *Slot {
	for _, s := range k.Slots {
		if s.Sub == sub && s.last < position {
			return s
		}
	}
	return nil
}

// guard puts barriers where the work-items of a group (its space is Local) or of a sub-group
// (SubLocal) read what others wrote since the last barrier, or write what others read or wrote.
// Sub-groups wait for the others of their group before and after the loop that they share, and
// not in it.
type guard struct {
	k             *Kernel
	space         Space
	read, written map[*Slot]bool
}

func newGuard(k *Kernel, space Space) *guard {
	return &guard{k, space, map[*Slot]bool{}, map[*Slot]bool{}}
}

func (g *guard) list(list []Stmt) []Stmt {
	var all []Stmt
	waits := false // in a loop, and not since
	barrier := func(b *Barrier) {
		clear(g.read)
		clear(g.written)
		all, waits = append(all, b), false
	}
	for _, s := range list {
		if b, ok := s.(*Barrier); ok { // of the walk before
			barrier(b)
			continue
		}
		if e, ok := s.(*Each); ok && e.By == SubGroups {
			newGuard(g.k, SubLocal).loop(s)
		} else if container(s) {
			if waits { // PoCL loses what stands between the last barriers of two loops
				barrier(&Barrier{Sub: g.space == SubLocal})
			}
			g.loop(s)
			all, waits = append(all, s), hasBarrier(s)
			continue
		}
		reads, writes := g.slots(s)
		if g.meets(reads, writes) {
			barrier(&Barrier{Sub: g.space == SubLocal})
		}
		g.note(reads, writes)
		all = append(all, s)
	}
	return all
}

func hasBarrier(s Stmt) bool {
	found := false
	Walk([]Stmt{s}, func(s Stmt) {
		_, ok := s.(*Barrier)
		found = found || ok
	})
	return found
}

// loop guards a body twice, where it may run again: the second time after what the first
// leaves behind. Of a conditional either part runs.
func (g *guard) loop(s Stmt) {
	if s, ok := s.(*If); ok {
		other := &guard{g.k, g.space, maps.Clone(g.read), maps.Clone(g.written)}
		s.Then, s.Else = g.list(s.Then), other.list(s.Else)
		maps.Copy(g.read, other.read)
		maps.Copy(g.written, other.written)
		return
	}
	e, ok := s.(*Each)
	once := ok && e.By == Groups && g.k.Once
	for _, inner := range bodies(s) {
		*inner = g.list(*inner)
		if !once {
			*inner = g.list(*inner)
		}
	}
}

// slots returns the local memory that a statement reads and writes. A group waits between two loops
// of its sub-groups that use the same.
func (g *guard) slots(s Stmt) (reads, writes []*Slot) {
	r, w := arrays(s)
	return g.slotsOf(r), g.slotsOf(w)
}

func (g *guard) slotsOf(arrays []*Array) []*Slot {
	var all []*Slot
	for _, a := range arrays {
		if a.Space == SubLocal || a.Space == g.space {
			all = append(all, g.k.Objects[a.Object])
		}
	}
	return all
}

func (g *guard) meets(reads, writes []*Slot) bool {
	for _, s := range reads {
		if g.written[s] {
			return true
		}
	}
	for _, s := range writes {
		if g.read[s] || g.written[s] {
			return true
		}
	}
	return false
}

func (g *guard) note(reads, writes []*Slot) {
	for _, s := range reads {
		g.read[s] = true
	}
	for _, s := range writes {
		g.written[s] = true
	}
}

// writes reports whether a kernel may write to an array.
func (k *Kernel) writes(a *Array) bool {
	_, written := arrays(&If{Cond: Truth(true), Then: k.Body})
	return a.Space == Scratch || slices.Contains(written, a)
}

// parameters finds the arrays and variables that a kernel uses from outside.
func (k *Kernel) parameters() {
	declared := map[*Var]bool{}
	made := map[*Array]bool{}
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Decl:
			declared[s.Var] = true
		case *For:
			declared[s.Var] = true
		case *Each:
			declared[s.Var] = true
		case *Exchange:
			declared[s.Old] = true
		case *Foreign:
			for _, v := range s.Results {
				declared[v] = true
			}
		case *Alloc:
			made[s.Array] = s.Array.Space != Scratch
		}
	})
	variable := func(e Expr) {
		if v, ok := e.(*Var); ok && !v.Foreign && !declared[v] {
			declared[v] = true
			k.Scalars = append(k.Scalars, v)
		}
	}
	array := func(a *Array) {
		if !made[a] && a.Space != Private && !a.shared() {
			made[a] = true
			k.Arrays = append(k.Arrays, a)
		}
	}
	Walk(k.Body, func(s Stmt) {
		reads, writes := arrays(&If{Cond: Truth(true), Then: []Stmt{s}})
		for _, a := range append(writes, reads...) {
			array(a)
		}
		for _, e := range exprs(s) {
			within(e, variable)
		}
		switch s := s.(type) {
		case *Alloc:
			if s.Array.After != nil {
				within(s.Array.After.Len, variable)
			}
			if s.Array.Space == SubLocal {
				within(k.Objects[s.Array.Object].Bytes, variable)
			}
		case *Swap: // of arrays that may have no elements, and be named nowhere else
			array(s.A)
			array(s.B)
		}
	})
}

// HostBound returns an expression of the host's variables that is at least e, or nil.
func HostBound(e Expr) Expr { return bound(e, true) }

// Either returns an expression of the host's variables that is at least a and b, or nil.
func Either(a, b Expr) Expr { return both(HostBound(a), HostBound(b), true) }

// bound returns a bound of an int that the host can compute.
func bound(e Expr, upper bool) Expr {
	switch e := e.(type) {
	case *Const:
		return e
	case *Var:
		return boundVar(e, upper)
	case *Cond:
		return both(bound(e.A, upper), bound(e.B, upper), upper)
	case *Op:
		if e.Of == types.Int {
			return boundOp(e, upper)
		}
	}
	return nil
}

func boundVar(e *Var, upper bool) Expr {
	limit := e.Lo
	if upper {
		limit = e.Hi
	}
	switch {
	case e.Host && !e.Mutable:
		return e
	case e.Def != nil:
		return bound(e.Def, upper)
	case limit != nil:
		return bound(limit, upper)
	}
	return nil
}

func both(a, b Expr, upper bool) Expr {
	if a == nil || b == nil {
		return nil
	}
	if upper {
		return Apply("max", a, b)
	}
	return Apply("min", a, b)
}

func boundOp(e *Op, upper bool) Expr {
	x := e.Args[0]
	switch e.Name {
	case "+":
		return combine("+", bound(x, upper), bound(e.Args[1], upper))
	case "-":
		return combine("-", bound(x, upper), bound(e.Args[1], !upper))
	case "*":
		if positive(x) && positive(e.Args[1]) {
			return combine("*", bound(x, upper), bound(e.Args[1], upper))
		}
		if c, ok := value(e.Args[1]); ok && c < 0 {
			return combine("*", bound(x, !upper), e.Args[1])
		}
	case "/":
		if d := bound(e.Args[1], !upper); d != nil && positive(x) && Less(Int(0), d) {
			return combine("/", bound(x, upper), d)
		}
	case "%":
		switch {
		case !positive(e.Args[1]) || !upper && !positive(x):
			return nil
		case !upper:
			return Int(0)
		}
		return combine("-", bound(e.Args[1], true), Int(1))
	case "min", "max":
		a, b := bound(x, upper), bound(e.Args[1], upper)
		if (e.Name == "min") == upper && (a == nil || b == nil) { // either will do
			return pick(a != nil, a, b)
		}
		return combine(e.Name, a, b)
	case "check", "fit":
		if !upper {
			return Int(0)
		}
		return bound(e.Args[1], true)
	case "bitAnd":
		if m := masked(e); m != nil && upper {
			return m
		} else if m != nil {
			return Int(0)
		}
	case "same":
		return bound(e.Args[1], upper)
	case "size":
		return combine("max", bound(x, upper), Int(0))
	case "<<":
		if positive(x) {
			return combine("<<", bound(x, upper), bound(e.Args[1], upper))
		}
	}
	return nil
}

// positive reports whether it is known that an int is not negative.
func positive(e Expr) bool { return natural(e) || Least(Int(0), e) }

func combine(name string, a, b Expr) Expr {
	if a == nil || b == nil {
		return nil
	}
	return Apply(name, a, b)
}
