package cgen

import "github.com/tailor-lang/tailor/laila"

// facts are what a function's statements make of its variables and buffers.
type facts struct {
	read   map[*laila.Var]bool // variables whose value matters
	bufs   map[*laila.Buf]bool // buffers that are read, or written to on the heap
	moved  map[*laila.Buf]bool // buffers that Move or Swap changes
	assign map[*laila.Var]bool // variables that are assigned after their declaration
	flags  map[*laila.Var]bool // variables in which loops note faults
}

// factsOf finds the facts of f. A variable is read when a result, or an
// expression of a statement that itself matters, mentions it; declarations and
// assignments of other variables are dropped.
func factsOf(f *laila.Func) *facts {
	fs := &facts{
		read: map[*laila.Var]bool{}, bufs: map[*laila.Buf]bool{},
		moved: map[*laila.Buf]bool{}, assign: map[*laila.Var]bool{}, flags: map[*laila.Var]bool{},
	}
	walk(f.Body, func(s laila.Stmt) {
		if n, ok := s.(*laila.Nest); ok {
			for _, v := range n.Flags {
				fs.flags[v] = true
			}
		}
	})
	for _, p := range pieces(f.Results) {
		if p.v != nil {
			fs.read[p.v] = true
		} else {
			fs.bufs[p.buf] = true
		}
	}
	for again := true; again; {
		again = false
		c := &collector{fs: fs, changed: &again}
		walkBack(f.Body, c.stmt) // uses before definitions: two rounds do, mostly
	}
	return fs
}

// collector adds the reads of statements to the facts.
type collector struct {
	fs      *facts
	changed *bool
}

func (c *collector) expr(x laila.Expr) {
	laila.WalkExpr(x, func(x laila.Expr) {
		switch x := x.(type) {
		case *laila.Use:
			if !c.fs.read[x.Var] {
				c.fs.read[x.Var] = true
				*c.changed = true
			}
		case *laila.Load:
			c.use(x.Buf)
		}
	})
}

// idle reports whether nothing has been found to read a buffer, which can only
// be said of buffers on the stack; then nothing need be written to it.
func (c *collector) idle(b *laila.Buf) bool { return b.Stack > 0 && !c.fs.bufs[b] }

// stmt collects from one statement, not from those nested in it.
func (c *collector) stmt(s laila.Stmt) {
	switch s := s.(type) {
	case *laila.Decl:
		if !c.fs.read[s.Var] {
			return
		}
	case *laila.Assign:
		c.fs.assign[s.Var] = true
		if !c.fs.read[s.Var] {
			return
		}
	case *laila.Filter:
		c.fs.assign[s.Count] = true
	case *laila.Checked:
		c.fs.assign[s.Var] = true
		c.fs.assign[s.Flag] = true
		if !c.fs.read[s.Var] && !c.fs.read[s.Flag] {
			return
		}
	case *laila.Store:
		if c.idle(s.Buf) {
			return
		}
	case *laila.Copy:
		if c.idle(s.Dst) {
			return
		}
		c.use(s.Src)
	case *laila.DeclBuf, *laila.Free:
		stmtExprs(s, c.expr)
		return
	case *laila.Move:
		c.fs.moved[s.Dst], c.fs.moved[s.Src] = true, true
	case *laila.Swap:
		c.fs.moved[s.A], c.fs.moved[s.B] = true, true
	case *laila.Alias:
		c.fs.moved[s.Dst], c.fs.moved[s.Src] = true, true
	}
	stmtExprs(s, c.expr)
	stmtBufs(s, func(b *laila.Buf) { c.use(b) })
}

func (c *collector) use(b *laila.Buf) {
	if !c.fs.bufs[b] {
		c.fs.bufs[b] = true
		*c.changed = true
	}
}

// walkBack calls visit for every statement, the last one first.
func walkBack(stmts []laila.Stmt, visit func(laila.Stmt)) {
	for i := len(stmts) - 1; i >= 0; i-- {
		inner := blocks(stmts[i])
		for j := len(inner) - 1; j >= 0; j-- {
			walkBack(inner[j], visit)
		}
		visit(stmts[i])
	}
}

// walk calls visit for every statement, outermost first.
func walk(stmts []laila.Stmt, visit func(laila.Stmt)) {
	for _, s := range stmts {
		visit(s)
		for _, inner := range blocks(s) {
			walk(inner, visit)
		}
	}
}

// blocks returns the statement lists inside s that can run.
func blocks(s laila.Stmt) [][]laila.Stmt {
	switch s := s.(type) {
	case *laila.If:
		if c, ok := s.Cond.(*laila.Int); ok { // decided
			if c.Val != 0 {
				return [][]laila.Stmt{s.Then}
			}
			return [][]laila.Stmt{s.Else}
		}
	case *laila.Launch:
		return [][]laila.Stmt{s.Plain}
	}
	var all [][]laila.Stmt
	for _, inner := range laila.Blocks(s) {
		all = append(all, *inner)
	}
	return all
}

// stmtExprs calls visit for the expressions of s itself, and for the variables
// that it reads besides.
func stmtExprs(s laila.Stmt, visit func(laila.Expr)) {
	switch s := s.(type) {
	case *laila.DeclBuf:
		if s.Zero || !countsShape(s) {
			visit(s.Count)
		}
		for _, x := range s.Shape {
			visit(x)
		}
		return
	case *laila.Launch:
		launchExprs(s.Kernel, visit)
		return
	case *laila.Call:
		for _, a := range s.Args {
			visitScalar(&a, visit)
		}
	case *laila.Runtime:
		for _, a := range s.Args {
			visitScalar(a.Array, visit)
		}
	}
	for _, x := range laila.Exprs(s) {
		visit(x)
	}
}

// visitScalar calls visit for an argument that is a scalar variable.
func visitScalar(a *laila.Array, visit func(laila.Expr)) {
	if a != nil && a.Scalar != nil {
		visit(&laila.Use{Var: a.Scalar})
	}
}

// launchExprs calls visit for what a launch passes to a kernel.
func launchExprs(k *laila.Kernel, visit func(laila.Expr)) {
	dims := func(dims []laila.Dim) {
		for _, d := range dims {
			visit(d.Lo)
			visit(d.Hi)
		}
	}
	for _, p := range k.Pieces {
		dims(p)
	}
	dims(k.Within)
	for _, v := range k.Vars {
		visit(&laila.Use{Var: v})
	}
}

// stmtBufs calls visit for the buffers that s itself mentions outside of
// expressions.
func stmtBufs(s laila.Stmt, visit func(*laila.Buf)) {
	if l, ok := s.(*laila.Launch); ok {
		for _, b := range l.Kernel.Bufs {
			visit(b)
		}
		return
	}
	laila.Buffers(s, visit)
}

// reachable returns the functions that the program can call, callees before
// callers as in p.Funcs, main last. The entry counts as called.
func reachable(p *laila.Program) []*laila.Func {
	seen := map[*laila.Func]bool{}
	var mark func(f *laila.Func)
	mark = func(f *laila.Func) {
		if seen[f] {
			return
		}
		seen[f] = true
		walk(f.Body, func(s laila.Stmt) {
			if c, ok := s.(*laila.Call); ok {
				mark(c.Fn)
			}
		})
	}
	mark(p.Main)
	if p.Entry != nil {
		mark(p.Entry)
	}
	var all []*laila.Func
	for _, f := range p.Funcs {
		if seen[f] && f != p.Main {
			all = append(all, f)
		}
	}
	return append(all, p.Main)
}

// usedBufs returns the buffers that the functions mention.
func usedBufs(funcs []*laila.Func) map[*laila.Buf]bool {
	used := map[*laila.Buf]bool{}
	for _, f := range funcs {
		for b := range factsOf(f).bufs {
			used[b] = true
		}
	}
	return used
}

// computesDoubles reports whether a block computes with doubles or complex numbers.
func computesDoubles(block []laila.Stmt) bool {
	found := false
	walk(block, func(s laila.Stmt) {
		for _, x := range laila.Exprs(s) {
			if x == nil {
				continue
			}
			laila.WalkExpr(x, func(x laila.Expr) {
				switch x.(type) {
				case *laila.Binary, *laila.Math:
					found = found || x.Kind() == laila.F64 || x.Kind() == laila.C64
				}
			})
		}
	})
	return found
}
