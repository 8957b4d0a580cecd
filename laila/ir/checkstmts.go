package ir

// block checks statements in the current scope.
func (c *checker) block(block []Stmt) {
	for _, s := range block {
		if c.err != nil {
			return
		}
		outer := c.at
		c.at = s
		c.stmt(s)
		c.at = outer
	}
}

func (c *checker) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		c.decl(s)
	case *Assign:
		c.is(s.X, s.Var.Kind)
		c.write(s.Var)
	case *Checked:
		c.checked(s)
	case *DeclBuf:
		c.declBuf(s)
	case *Free:
		c.free(s.Buf)
	case *Move:
		c.move(s)
	case *Swap:
		c.swap(s)
	case *Alias:
		c.storage(s.Src)
		c.sameElem(s.Dst, s.Src)
		c.declare(s.Dst, live|filled)
		c.roots[s.Dst] = s.Src
	case *Copy:
		c.indices(s.DstIndex, s.SrcIndex, s.Count)
		c.sameElem(s.Dst, s.Src)
		if !IsInt(s.Count, 0) {
			c.load(s.Src)
		}
		c.store(s.Dst)
	case *Store:
		c.indices(s.Index)
		c.is(s.X, s.Buf.Elem)
		c.store(s.Buf)
	case *For:
		c.forLoop(s)
	case *Nest:
		c.nest(s)
	case *Loop:
		c.loop(s)
	case *BreakIf:
		c.breakIf(s)
	case *If:
		c.ifElse(s)
	case *Fail:
		for _, a := range s.Args {
			c.indices(a.Shape...)
			if a.X != nil {
				c.kind(a.X)
			}
		}
		c.now = nil
	case *Call:
		c.call(s)
	case *Runtime:
		c.runtime(s)
	case *Filter:
		c.filter(s)
	case *Micro:
		c.micro(s)
	case *Launch:
		c.launch(s)
	case *Return:
		if len(c.nests) > 0 {
			c.fail("a return in a nest")
		}
		c.leave()
	case *Comment:
	default:
		c.fail("%T is no statement", s)
	}
}

func (c *checker) decl(s *Decl) {
	c.decls[s.Var] = s
	if s.Init == nil {
		c.declare(s.Var, unwritten)
		return
	}
	c.is(s.Init, s.Var.Kind)
	c.declare(s.Var, 0)
}

func (c *checker) checked(s *Checked) {
	if s.Op != OpAdd && s.Op != OpSub && s.Op != OpMul {
		c.fail("the operation has no test of overflow")
	}
	c.is(s.X, s.Var.Kind)
	c.is(s.Y, s.Var.Kind)
	if s.Var.Kind != I64 || s.Flag.Kind != U8 {
		c.fail("kinds %s and %s", s.Var.Kind, s.Flag.Kind)
	}
	c.read(s.Flag)
	c.write(s.Flag)
	c.write(s.Var)
}

func (c *checker) declBuf(s *DeclBuf) {
	if s.Buf.Const {
		c.fail("%s is a constant", s.Buf.Name)
	}
	f := null
	if s.Buf.Stack > 0 {
		f = live
	} else if s.Count != nil {
		c.indices(s.Count)
		c.indices(s.Shape...)
		f = live
	}
	if s.Zero {
		f |= filled
	}
	c.declare(s.Buf, f)
	c.rows[s.Buf] = s.Buf.Stack > 0 && len(c.nests) > 0
}

func (c *checker) free(b *Buf) {
	c.owned(b)
	if c.get(b)&gone != 0 {
		c.fail("the storage of %s may have been freed", b.Name)
	}
	c.put(b, gone)
}

func (c *checker) move(s *Move) {
	c.owned(s.Dst)
	c.owned(s.Src)
	c.sameElem(s.Dst, s.Src)
	if c.get(s.Src)&gone != 0 {
		c.fail("the storage of %s may have been freed", s.Src.Name)
	}
	if c.get(s.Dst)&(live|null) == live {
		c.fail("the storage of %s is not freed", s.Dst.Name)
	}
	c.put(s.Dst, c.get(s.Src))
	c.put(s.Src, null)
}

func (c *checker) swap(s *Swap) {
	if c.roots[s.A] == nil || c.roots[s.B] == nil { // aliases may change places
		c.owned(s.A)
		c.owned(s.B)
	}
	c.sameElem(s.A, s.B)
	a, b := c.get(s.A), c.get(s.B)
	c.put(s.A, b)
	c.put(s.B, a)
}

// exit is the way out of a loop or a nest around.
type exit struct {
	nest bool
	now  state // of the breaks so far
}

// repeated checks what runs any number of times, in a block of its own. It
// returns the states at its beginning and where breaks leave it; now is the one at
// its end.
func (c *checker) repeated(nest bool, body func()) (head, broken state) {
	head = c.now.clone()
	for c.err == nil {
		c.now = head.clone()
		c.exits = append(c.exits, &exit{nest: nest})
		c.scoped(body)
		broken = c.exits[len(c.exits)-1].now
		c.exits = c.exits[:len(c.exits)-1]
		next := join(head, c.now)
		if equal(next, head) {
			break
		}
		head = next
	}
	return head, broken
}

// forLoop checks a loop over a range.
func (c *checker) forLoop(s *For) {
	c.indices(s.Lo, s.Hi)
	c.refilled(s.Body)
	space := []Dim{{s.Var, s.Lo, s.Hi}}
	head, broken := c.repeated(false, func() {
		c.reach(space)
		c.declare(s.Var, 0)
		c.block(s.Body)
	})
	if !runs(space) {
		c.now = join(c.now, head)
	}
	c.now = join(c.now, broken)
}

// runs reports whether a space has a point.
func runs(dims []Dim) bool {
	for _, d := range dims {
		if n, known := Trips(d); !known || n < 1 {
			return false
		}
	}
	return true
}

// refilled notes what the steps of a loop store and allocate: later steps find it.
func (c *checker) refilled(body []Stmt) {
	Walk(body, func(s Stmt) {
		dst, f := (*Buf)(nil), filled
		switch s := s.(type) {
		case *Store:
			dst = s.Buf
		case *Copy:
			dst = s.Dst
		case *Filter:
			dst = s.Dst
		case *Micro:
			dst = s.C
		case *Move:
			dst, f = s.Dst, filled|live
		}
		if dst != nil && c.visible[dst] {
			c.put(dst, c.get(dst)|f)
		}
	})
}

// reach notes that what the points of an empty space run is never reached.
func (c *checker) reach(dims []Dim) {
	for _, d := range dims {
		if n, known := Trips(d); known && n < 1 {
			c.now = nil
		}
	}
}

func (c *checker) loop(s *Loop) {
	c.refilled(s.Body)
	_, c.now = c.repeated(false, func() { c.block(s.Body) })
}

func (c *checker) breakIf(s *BreakIf) {
	c.is(s.Cond, U8)
	if len(c.exits) == 0 || c.exits[len(c.exits)-1].nest {
		c.fail("a break outside of a loop")
		return
	}
	e := c.exits[len(c.exits)-1]
	e.now = join(e.now, c.now.clone())
	if IsInt(s.Cond, 1) {
		c.now = nil
	}
}

func (c *checker) ifElse(s *If) {
	c.is(s.Cond, U8)
	before := c.now.clone()
	branch := func(block []Stmt, taken bool) state {
		c.now = before.clone()
		if !taken {
			c.now = nil
		}
		c.scoped(func() { c.block(block) })
		return c.now
	}
	known := decided(s.Cond)
	then := branch(s.Then, !IsInt(known, 0))
	els := branch(s.Else, !IsInt(known, 1))
	c.now = join(then, els)
}

// decided returns a condition with comparisons of constants decided.
func decided(x Expr) Expr {
	b, ok := x.(*Binary)
	if !ok {
		return x
	}
	i, ok := IntOf(b.X)
	j, ok2 := IntOf(b.Y)
	if !ok || !ok2 {
		return x
	}
	switch b.Op {
	case OpLt:
		return Boolean(i < j)
	case OpLe:
		return Boolean(i <= j)
	case OpGt:
		return Boolean(i > j)
	case OpGe:
		return Boolean(i >= j)
	case OpEq:
		return Boolean(i == j)
	case OpNe:
		return Boolean(i != j)
	}
	return x
}

// nest checks a nest. Without Dims the declarations in Pre are for the
// statements behind it, too, unless another nest before has made them.
func (c *checker) nest(n *Nest) {
	for _, f := range n.Flags {
		c.read(f)
		if f.Kind != U8 {
			c.fail("the flag %s is of kind %s", f.Name, f.Kind)
		}
	}
	if len(n.Dims) > 0 {
		c.points(n, n.Dims, func() { c.reduction(n) })
		return
	}
	for _, s := range n.Pre {
		if d, ok := s.(*Decl); ok && c.visible[d.Var] && !c.results[d.Var] {
			c.fail("%s is declared again", d.Var.Name)
		}
	}
	c.reduction(n)
}

// reduction checks what is inside of Dims.
func (c *checker) reduction(n *Nest) {
	c.block(n.Pre)
	if len(n.Red) == 0 {
		c.block(n.Body)
	} else {
		for _, a := range n.Accs {
			c.acc(a)
		}
		c.refilled(n.Body)
		c.points(n, n.Red, func() { c.block(n.Body) })
	}
	c.block(n.Post)
}

// points checks what the points of a space run.
func (c *checker) points(n *Nest, dims []Dim, body func()) {
	r := &region{from: len(c.scope), shared: map[*Var]bool{}}
	for _, f := range n.Flags {
		r.shared[f] = true
	}
	for _, a := range n.Accs {
		r.shared[a.Var] = true
	}
	c.nests = append(c.nests, r)
	head, _ := c.repeated(true, func() {
		for _, d := range dims {
			c.indices(d.Lo, d.Hi)
			c.declare(d.Var, 0)
		}
		c.reach(dims)
		body()
	})
	c.nests = c.nests[:len(c.nests)-1]
	if !runs(dims) {
		c.now = join(c.now, head)
	}
}

func (c *checker) acc(a Acc) {
	c.read(a.Var)
	if a.Combine == nil {
		return
	}
	c.scoped(func() {
		c.declare(a.Left, 0)
		c.declare(a.Right, 0)
		c.is(a.Combine, a.Var.Kind)
	})
	if a.Neutral != nil {
		c.is(a.Neutral, a.Var.Kind)
	}
}

func (c *checker) filter(s *Filter) {
	c.indices(s.Lo, s.Hi, s.Room)
	c.read(s.Count)
	c.write(s.Count)
	c.store(s.Dst)
	head, _ := c.repeated(true, func() {
		c.declare(s.Var, 0)
		c.block(s.MaskPre)
		c.is(s.Mask, U8)
		skipped := c.now.clone()
		c.block(s.XPre)
		c.is(s.X, s.Dst.Elem)
		c.now = join(skipped, c.now)
	})
	c.now = join(head, c.now)
}

func (c *checker) micro(s *Micro) {
	c.indices(s.CAt, s.Stride, s.AAt, s.BAt, s.Count)
	c.load(s.A)
	c.load(s.B)
	if s.Fresh != nil {
		c.is(s.Fresh, U8)
		c.is(s.Zero, s.C.Elem)
	} else {
		c.load(s.C)
	}
	c.store(s.C)
	c.scoped(func() {
		c.declare(s.Acc, 0)
		c.declare(s.X, 0)
		c.declare(s.Y, 0)
		for _, d := range s.Decls {
			c.decl(d)
		}
		c.is(s.Step, s.C.Elem)
	})
}

// launch checks the launch of a kernel, and the statements in its place.
func (c *checker) launch(s *Launch) {
	k := s.Kernel
	for _, dims := range append(append([][]Dim{}, k.Pieces...), k.Within) {
		for _, d := range dims {
			c.indices(d.Lo, d.Hi)
		}
	}
	for _, v := range k.Vars {
		c.read(v)
	}
	before := c.now.clone()
	for i, b := range k.Bufs {
		if k.Access[i]&Writes != 0 {
			c.store(b) // before the kernel reads it
		}
		if k.Access[i]&Reads != 0 {
			c.load(b)
		}
	}
	for _, v := range append(append([]*Var{}, k.Flags...), k.Outs...) {
		if c.visible[v] { // others nothing reads
			c.write(v)
		}
	}
	launched := c.now
	c.now = before
	c.scoped(func() { c.block(s.Plain) })
	c.now = join(c.now, launched)
}
