package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// ownBuffers splits a nest that is shared among threads and allocates in every
// iteration. In the result, Dims are empty, Pre is what each thread declares
// before its first iteration, Body what is left of an iteration, Post what
// each frees after its last. Body is empty where there is nothing to move.
func (b *body) ownBuffers(n *ir.Nest) *ir.Nest {
	own := &ir.Nest{}
	if len(n.Red) > 0 {
		return own
	}
	inside := map[*ir.Var]bool{}
	for _, d := range n.Dims {
		inside[d.Var] = true
	}
	note := func(results []ir.Array) {
		for _, p := range pieces(results) {
			if p.v != nil {
				inside[p.v] = true
			}
		}
	}
	walk(n.Body, func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Decl:
			inside[s.Var] = true
		case *ir.Call:
			note(s.Results)
		case *ir.Runtime:
			note(s.Results)
		}
	})
	freed := map[*ir.Buf]bool{}
	for _, s := range n.Body {
		if f, ok := s.(*ir.Free); ok {
			freed[f.Buf] = true
		}
	}
	moved := map[*ir.Buf]bool{}
	for _, s := range n.Body {
		d, ok := s.(*ir.DeclBuf)
		if !ok || d.Buf.Stack > 0 || d.Count == nil || d.Zero || !freed[d.Buf] || b.survey.moved[d.Buf] || b.hoistedBufs[d.Buf] {
			continue
		}
		fixed := simple(d.Count) && !mentions(d.Count, inside)
		for _, x := range d.Shape {
			fixed = fixed && !mentions(x, inside)
		}
		if fixed {
			moved[d.Buf] = true
		}
	}
	if len(moved) == 0 {
		return own
	}
	for _, s := range n.Body {
		switch s := s.(type) {
		case *ir.DeclBuf:
			if moved[s.Buf] {
				own.Pre = append(own.Pre, s)
				continue
			}
		case *ir.Free:
			if moved[s.Buf] {
				own.Post = append(own.Post, s)
				continue
			}
		}
		own.Body = append(own.Body, s)
	}
	return own
}

// team opens a region of threads where they have buffers of their own, and
// reports whether it did.
func (b *body) team(own, n *ir.Nest, s sharing) bool {
	if len(own.Body) == 0 {
		return false
	}
	clauses := b.flagClauses(n)
	if s.when != "" {
		clauses = append([]string{fmt.Sprintf("if(%s)", s.when)}, clauses...)
	}
	b.pragma("parallel %s", strings.Join(clauses, " "))
	b.line("{")
	b.depth++
	for _, x := range own.Pre {
		b.stmt(x)
	}
	return true
}

// sharedLoop returns the pragma of a loop that threads share.
func (b *body) sharedLoop(n *ir.Nest, d ir.Dim, s sharing, team, vector bool) string {
	if team {
		return "#pragma omp for " + b.schedule(s, d)
	}
	kind := "parallel for"
	if vector && !s.uneven {
		kind = "parallel for simd"
	}
	clauses := append([]string{kind, b.schedule(s, d)}, b.flagClauses(n)...)
	if s.when != "" {
		clauses = append(clauses, fmt.Sprintf("if(parallel : %s)", s.when))
	}
	return "#pragma omp " + strings.Join(clauses, " ")
}
