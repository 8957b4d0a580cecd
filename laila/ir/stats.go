package ir

import (
	"fmt"
	"strconv"
	"strings"
)

// WriteKey writes x as text that tells different expressions apart.
func WriteKey(b *strings.Builder, x Expr) {
	switch x := x.(type) {
	case *Int:
		b.WriteString(strconv.FormatInt(x.Val, 10))
	case *Use:
		fmt.Fprintf(b, "%p", x.Var)
	case *Binary:
		b.WriteByte('(')
		WriteKey(b, x.X)
		fmt.Fprintf(b, ":%d:", x.Op)
		WriteKey(b, x.Y)
		b.WriteByte(')')
	case *Unary:
		fmt.Fprintf(b, "(~%d:", x.Op)
		WriteKey(b, x.X)
		b.WriteByte(')')
	case *Select:
		WriteKey(b, x.Cond)
		b.WriteByte('?')
		WriteKey(b, x.Then)
		b.WriteByte(':')
		WriteKey(b, x.Else)
	default:
		fmt.Fprintf(b, "<%p>", x)
	}
}

// Stats counts what a program consists of, for tests.
type Stats struct {
	Nests  int // parallel nests
	Loops  int // sequential loops
	Allocs int // heap allocations in the text
}

// Stats counts nests, loops and allocations.
func (p *Program) Stats() Stats {
	var st Stats
	var walk func(b []Stmt)
	walk = func(b []Stmt) {
		for _, s := range b {
			switch s := s.(type) {
			case *Nest:
				st.Nests++
			case *For, *Loop:
				st.Loops++
			case *DeclBuf:
				if s.Buf.Stack == 0 && s.Count != nil {
					st.Allocs++
				}
			}
			for _, inner := range Blocks(s) {
				walk(*inner)
			}
		}
	}
	for _, f := range p.Funcs {
		walk(f.Body)
	}
	walk(p.Main.Body)
	return st
}
