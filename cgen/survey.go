package cgen

import "github.com/tailor-lang/tailor/laila/ir"

// survey is what the statements of a function make of its variables and buffers.
type survey struct {
	read   map[*ir.Var]bool // variables whose value matters
	bufs   map[*ir.Buf]bool // buffers that are read, or written to on the heap
	moved  map[*ir.Buf]bool // buffers that Move or Swap changes
	assign map[*ir.Var]bool // variables that are assigned after their declaration
	flags  map[*ir.Var]bool // variables in which loops note faults
}

// surveyOf surveys f. A variable is read when a result, or an
// expression of a statement that itself matters, mentions it; declarations and
// assignments of other variables are dropped.
func surveyOf(f *ir.Func) *survey {
	fs := &survey{
		read: map[*ir.Var]bool{}, bufs: map[*ir.Buf]bool{},
		moved: map[*ir.Buf]bool{}, assign: map[*ir.Var]bool{}, flags: map[*ir.Var]bool{},
	}
	walk(f.Body, func(s ir.Stmt) {
		if n, ok := s.(*ir.Nest); ok {
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

// collector adds the reads of statements to a survey.
type collector struct {
	fs      *survey
	changed *bool
}

func (c *collector) expr(x ir.Expr) {
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			if !c.fs.read[x.Var] {
				c.fs.read[x.Var] = true
				*c.changed = true
			}
		case *ir.Load:
			c.use(x.Buf)
		}
	})
}

// idle reports whether nothing has been found to read a buffer, which can only
// be said of buffers on the stack; then nothing need be written to it.
func (c *collector) idle(b *ir.Buf) bool { return b.Stack > 0 && !c.fs.bufs[b] }

// stmt collects from one statement, not from those nested in it.
func (c *collector) stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		if !c.fs.read[s.Var] {
			return
		}
	case *ir.Assign:
		c.fs.assign[s.Var] = true
		if !c.fs.read[s.Var] {
			return
		}
	case *ir.Filter:
		c.fs.assign[s.Count] = true
	case *ir.Checked:
		c.fs.assign[s.Var] = true
		c.fs.assign[s.Flag] = true
		if !c.fs.read[s.Var] && !c.fs.read[s.Flag] {
			return
		}
	case *ir.Store:
		if c.idle(s.Buf) {
			return
		}
	case *ir.Copy:
		if c.idle(s.Dst) {
			return
		}
		c.use(s.Src)
	case *ir.DeclBuf, *ir.Free:
		stmtExprs(s, c.expr)
		return
	case *ir.Move:
		c.fs.moved[s.Dst], c.fs.moved[s.Src] = true, true
	case *ir.Swap:
		c.fs.moved[s.A], c.fs.moved[s.B] = true, true
	case *ir.Alias:
		c.fs.moved[s.Dst], c.fs.moved[s.Src] = true, true
	}
	stmtExprs(s, c.expr)
	stmtBufs(s, func(b *ir.Buf) { c.use(b) })
}

func (c *collector) use(b *ir.Buf) {
	if !c.fs.bufs[b] {
		c.fs.bufs[b] = true
		*c.changed = true
	}
}

// walkBack calls visit for every statement, the last one first.
func walkBack(stmts []ir.Stmt, visit func(ir.Stmt)) {
	for i := len(stmts) - 1; i >= 0; i-- {
		inner := blocks(stmts[i])
		for j := len(inner) - 1; j >= 0; j-- {
			walkBack(inner[j], visit)
		}
		visit(stmts[i])
	}
}

// walk calls visit for every statement, outermost first.
func walk(stmts []ir.Stmt, visit func(ir.Stmt)) {
	for _, s := range stmts {
		visit(s)
		for _, inner := range blocks(s) {
			walk(inner, visit)
		}
	}
}

// blocks returns the statement lists inside s that can run.
func blocks(s ir.Stmt) [][]ir.Stmt {
	switch s := s.(type) {
	case *ir.If:
		if c, ok := s.Cond.(*ir.Int); ok { // decided
			if c.Val != 0 {
				return [][]ir.Stmt{s.Then}
			}
			return [][]ir.Stmt{s.Else}
		}
	case *ir.Launch:
		return [][]ir.Stmt{s.Plain}
	}
	var all [][]ir.Stmt
	for _, inner := range ir.Blocks(s) {
		all = append(all, *inner)
	}
	return all
}

// stmtExprs calls visit for the expressions of s itself, and for the variables
// that it reads besides.
func stmtExprs(s ir.Stmt, visit func(ir.Expr)) {
	switch s := s.(type) {
	case *ir.DeclBuf:
		if s.Zero || !countsShape(s) {
			visit(s.Count)
		}
		for _, x := range s.Shape {
			visit(x)
		}
		return
	case *ir.Launch:
		launchExprs(s.Kernel, visit)
		return
	case *ir.Call:
		for _, a := range s.Args {
			visitScalar(&a, visit)
		}
	case *ir.Runtime:
		for _, a := range s.Args {
			visitScalar(a.Array, visit)
		}
	}
	for _, x := range ir.Exprs(s) {
		visit(x)
	}
}

// visitScalar calls visit for an argument that is a scalar variable.
func visitScalar(a *ir.Array, visit func(ir.Expr)) {
	if a != nil && a.Scalar != nil {
		visit(a.Scalar.Use())
	}
}

// launchExprs calls visit for what a launch passes to a kernel.
func launchExprs(k *ir.Kernel, visit func(ir.Expr)) {
	dims := func(dims []ir.Dim) {
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
		visit(v.Use())
	}
}

// stmtBufs calls visit for the buffers that s itself mentions outside of
// expressions.
func stmtBufs(s ir.Stmt, visit func(*ir.Buf)) {
	if l, ok := s.(*ir.Launch); ok {
		for _, b := range l.Kernel.Bufs {
			visit(b)
		}
		return
	}
	ir.Buffers(s, visit)
}

// reachable returns the functions that the program can call, callees before
// callers as in p.Funcs, main last. The entry counts as called.
func reachable(p *ir.Program) []*ir.Func {
	seen := map[*ir.Func]bool{}
	var mark func(f *ir.Func)
	mark = func(f *ir.Func) {
		if seen[f] {
			return
		}
		seen[f] = true
		walk(f.Body, func(s ir.Stmt) {
			if c, ok := s.(*ir.Call); ok {
				mark(c.Fn)
			}
		})
	}
	mark(p.Main)
	if p.Entry != nil {
		mark(p.Entry)
	}
	var all []*ir.Func
	for _, f := range p.Funcs {
		if seen[f] && f != p.Main {
			all = append(all, f)
		}
	}
	return append(all, p.Main)
}

// usedBufs returns the buffers that the functions mention.
func usedBufs(funcs []*ir.Func) map[*ir.Buf]bool {
	used := map[*ir.Buf]bool{}
	for _, f := range funcs {
		for b := range surveyOf(f).bufs {
			used[b] = true
		}
	}
	return used
}

// computesDoubles reports whether a block computes with doubles or complex numbers.
func computesDoubles(block []ir.Stmt) bool {
	found := false
	walk(block, func(s ir.Stmt) {
		for _, x := range ir.Exprs(s) {
			if x == nil {
				continue
			}
			ir.WalkExpr(x, func(x ir.Expr) {
				switch x.(type) {
				case *ir.Binary, *ir.Math:
					found = found || x.Kind() == ir.F64 || x.Kind() == ir.C64
				}
			})
		}
	})
	return found
}
