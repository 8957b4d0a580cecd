package place

import (
	"github.com/tailor-lang/tailor/laila/flow"
	"github.com/tailor-lang/tailor/laila/ir"
)

// shareValues computes once what both halves of a joined body compute from arrays that it does
// not write, so that their inner nests have one space:
//
//	var k = lengths[i]; segred { red j = 0 … k: s = s + x[j] }
//	var m = lengths[i]; segred { red j = 0 … m: t = t max x[j] }
//
// becomes
//
//	var k = lengths[i]; segred { red j = 0 … k: s = s + x[j] }
//	segred { red j = 0 … k: t = t max x[j] }
//
// It looks at the statements of the body itself, and not of those within these, and leaves a
// body as it is that has no two nests.
func (f *Fuser) shareValues(body []ir.Stmt) []ir.Stmt {
	nests := 0
	for _, s := range body {
		if n, ok := s.(*ir.Nest); ok && ir.SpaceOf(n) != nil {
			nests++
		}
	}
	if nests < 2 {
		return body
	}
	return f.shared(body)
}

// shared computes once what a body computes from arrays that it does not write.
func (f *Fuser) shared(body []ir.Stmt) []ir.Stmt {
	c := &commons{assigned: map[*ir.Var]bool{}, stored: flow.NewSummary(), alias: map[*ir.Var]*ir.Var{}}
	flow.NoteAssigned(body, c.assigned)
	for _, s := range body {
		c.stored.Stmt(s)
	}
	ir.Walk(body, c.noteScalars)
	var out []ir.Stmt
	for _, s := range body {
		c.rewrite(s)
		delete(f.Sums, s)
		if d, ok := s.(*ir.Decl); ok && d.Init != nil && !c.assigned[d.Var] && c.stays(d.Init) {
			if v := c.equal(d); v != nil {
				c.alias[d.Var] = v
				continue
			}
			c.known = append(c.known, d)
		}
		out = append(out, s)
	}
	return out
}

type commons struct {
	assigned map[*ir.Var]bool // and those that calls name
	stored   *flow.Summary
	known    []*ir.Decl
	alias    map[*ir.Var]*ir.Var
}

// noteScalars notes the variables that a statement, which calls something, names as they are.
func (c *commons) noteScalars(s ir.Stmt) {
	array := func(a *ir.Array) {
		if a != nil && a.Scalar != nil {
			c.assigned[a.Scalar] = true
		}
	}
	switch s := s.(type) {
	case *ir.Call:
		for i := range s.Args {
			array(&s.Args[i])
		}
	case *ir.Runtime:
		for _, a := range s.Args {
			array(a.Array)
		}
	}
}

// rewrite puts variables in the place of others with the same value.
func (c *commons) rewrite(s ir.Stmt) {
	if len(c.alias) == 0 {
		return
	}
	ir.Walk([]ir.Stmt{s}, func(s ir.Stmt) {
		ir.MapExprs(s, func(x ir.Expr) ir.Expr {
			if u, ok := x.(*ir.Use); ok && c.alias[u.Var] != nil {
				return c.alias[u.Var].Use()
			}
			return x
		})
	})
}

// stays reports whether x has one value wherever it stands in the body.
func (c *commons) stays(x ir.Expr) bool {
	ok := true
	ir.WalkExpr(x, func(x ir.Expr) {
		switch x := x.(type) {
		case *ir.Use:
			ok = ok && !c.assigned[x.Var]
		case *ir.Load:
			ok = ok && !c.stored.Stores[x.Buf]
		}
	})
	return ok
}

// equal is a variable that is set to what d is set to; nil if there is none.
func (c *commons) equal(d *ir.Decl) *ir.Var {
	if u, ok := d.Init.(*ir.Use); ok && u.Var.Kind == d.Var.Kind {
		return u.Var
	}
	for _, k := range c.known {
		if k.Var.Kind == d.Var.Kind && ir.Alike(k.Init, d.Init) {
			return k.Var
		}
	}
	return nil
}
