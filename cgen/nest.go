package cgen

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/laila"
)

// nest writes a parallel nest as loops: those of Dims, outermost first, and
// inside, for a segred or segscan, those of Red.
func (b *body) nest(n *laila.Nest) {
	straight := isStraight(n.Body)
	inner := append(append(append([]laila.Stmt{}, n.Pre...), n.Body...), n.Post...)
	for i, d := range n.Dims {
		pragma := ""
		if i == len(n.Dims)-1 && len(n.Red) == 0 && straight && n.Kind == laila.SegMap {
			pragma = "TL_IVDEP"
		}
		b.forLoop(d, inner, pragma)
		b.depth++
	}
	b.stmts(n.Pre)
	for i, d := range n.Red {
		pragma := ""
		if i == len(n.Red)-1 && straight && n.Kind == laila.SegRed {
			pragma = b.simd(n)
		}
		b.forLoop(d, inner, pragma)
		b.depth++
	}
	b.stmts(n.Body)
	b.close(len(n.Red))
	b.stmts(n.Post)
	b.close(len(n.Dims))
}

// close ends n loops.
func (b *body) close(n int) {
	for ; n > 0; n-- {
		b.depth--
		b.line("}")
	}
}

// isStraight reports whether statements have no loops, calls or faults.
func isStraight(stmts []laila.Stmt) bool {
	straight := true
	walk(stmts, func(s laila.Stmt) {
		switch s.(type) {
		case *laila.Decl, *laila.Assign, *laila.Checked, *laila.Store, *laila.If, *laila.Comment:
		default:
			straight = false
		}
	})
	return straight
}

// reductions are OpenMP's names of the operations that join partial results.
var reductions = map[laila.BinOp]string{
	laila.Add: "+", laila.Mul: "*", laila.Min: "min", laila.Max: "max",
	laila.And: "&", laila.Or: "|", laila.Xor: "^",
}

// simd returns the mark of a reduction for vector code, "" where OpenMP lacks
// one of its operations.
// A checked sum is left alone: another order overflows elsewhere.
func (b *body) simd(n *laila.Nest) string {
	var clauses []string
	accs := map[*laila.Var]bool{}
	for _, a := range n.Accs {
		op, ok := reduction(a)
		if !ok {
			return ""
		}
		accs[a.Var] = true
		clauses = append(clauses, fmt.Sprintf("reduction(%s : %s)", op, b.varName(a.Var)))
	}
	checked := false
	walk(n.Body, func(s laila.Stmt) {
		if c, ok := s.(*laila.Checked); ok && accs[c.Var] {
			checked = true
		}
	})
	if checked || len(clauses) == 0 {
		return ""
	}
	for _, f := range n.Flags {
		if b.facts.read[f] {
			clauses = append(clauses, fmt.Sprintf("reduction(| : %s)", b.varName(f)))
		}
	}
	return "#pragma omp simd " + strings.Join(clauses, " ")
}

// reduction returns OpenMP's name of the operation that joins an accumulator's
// partial results.
func reduction(a laila.Acc) (string, bool) {
	x, ok := a.Combine.(*laila.Binary)
	if !ok {
		return "", false
	}
	l, lok := x.X.(*laila.Use)
	r, rok := x.Y.(*laila.Use)
	if !lok || !rok || l.Var == r.Var || (l.Var != a.Left && l.Var != a.Right) || (r.Var != a.Left && r.Var != a.Right) {
		return "", false
	}
	op, ok := reductions[x.Op]
	return op, ok
}
