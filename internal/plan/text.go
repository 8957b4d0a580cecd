package plan

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// ordered returns the widest first: the narrow ones are for what is left over.
func ordered(set map[string]bool) []string {
	var words []string
	for w := range set {
		words = append(words, w)
	}
	sort.Slice(words, func(i, j int) bool {
		var a, b int
		fmt.Sscan(words[i], &a)
		fmt.Sscan(words[j], &b)
		return a > b
	})
	return words
}

// width returns the bytes of an element.
func width(k ir.Kind) int64 {
	switch k {
	case ir.U8, ir.I8, ir.C8:
		return 1
	case ir.I16:
		return 2
	case ir.I32, ir.C32:
		return 4
	case ir.C64:
		return 16
	}
	return 8
}

// because appends a reason, where there is one.
func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// bytes writes a size.
func bytes(n int64) string {
	switch {
	case n >= 10_000_000_000:
		return fmt.Sprintf("%.0f GB", float64(n)/1e9)
	case n >= 10_000_000:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n == 1:
		return "1 byte"
	}
	return fmt.Sprintf("%d bytes", n)
}

// count writes a number with commas.
func count(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// space writes an iteration space: its extents.
func space(dims []ir.Dim) string {
	words := make([]string, len(dims))
	for i, d := range dims {
		words[i] = extent(d)
	}
	return strings.Join(words, " by ")
}

func extent(d ir.Dim) string {
	lo, lok := d.Lo.(*ir.Int)
	hi, hok := d.Hi.(*ir.Int)
	switch {
	case lok && hok:
		return count(max(hi.Val-lo.Val, 0))
	case lok && lo.Val == 0:
		return expr(d.Hi)
	}
	return expr(d.Hi) + "-" + expr(d.Lo)
}

// signs are the operations that extents are made of.
var signs = map[ir.BinOp]string{ir.OpAdd: "+", ir.OpSub: "-", ir.OpMul: "×", ir.OpQuo: "÷", ir.OpMin: "⌊", ir.OpMax: "⌈"}

// expr writes an extent.
func expr(x ir.Expr) string {
	switch x := x.(type) {
	case *ir.Int:
		return count(x.Val)
	case *ir.Use:
		return x.Var.Name
	case *ir.Binary:
		if sign, ok := signs[x.Op]; ok {
			return operand(x.X) + sign + operand(x.Y)
		}
	}
	return "…"
}

func operand(x ir.Expr) string {
	if _, ok := x.(*ir.Binary); ok {
		return "(" + expr(x) + ")"
	}
	return expr(x)
}

// reductions are names of what accumulators do.
var reductions = map[ir.BinOp]string{
	ir.OpAdd: "sum", ir.OpMul: "product", ir.OpMin: "least", ir.OpMax: "greatest",
	ir.OpAnd: "all", ir.OpOr: "any", ir.OpXor: "parity",
}

func reductionName(a ir.Acc) string {
	if x, ok := a.Combine.(*ir.Binary); ok {
		if name, ok := reductions[x.Op]; ok {
			return name
		}
	}
	return "reduction"
}

// stores reports whether statements write to arrays.
func stores(list []ir.Stmt) bool {
	return within(list, func(s ir.Stmt) bool { _, ok := s.(*ir.Store); return ok })
}

// hasLoops reports whether statements contain loops.
func hasLoops(list []ir.Stmt) bool {
	return within(list, func(s ir.Stmt) bool {
		switch s.(type) {
		case *ir.For, *ir.Nest, *ir.Loop:
			return true
		}
		return false
	})
}

// within reports whether a statement, or one inside it, is as is says.
func within(list []ir.Stmt, is func(ir.Stmt) bool) bool {
	for _, s := range list {
		if is(s) {
			return true
		}
		switch s := s.(type) {
		case *ir.If:
			if within(s.Then, is) || within(s.Else, is) {
				return true
			}
		case *ir.For:
			if within(s.Body, is) {
				return true
			}
		case *ir.Nest:
			if within(s.Pre, is) || within(s.Body, is) || within(s.Post, is) {
				return true
			}
		case *ir.Loop:
			if within(s.Body, is) {
				return true
			}
		}
	}
	return false
}

// findsFault reports whether s finds the element that is at fault, after a loop
// has noted that there is one.
func findsFault(s *ir.If) bool {
	flags := func(x ir.Expr) bool { _, ok := x.(*ir.Use); return ok }
	cond := flags(s.Cond)
	if x, ok := s.Cond.(*ir.Binary); ok && x.Op == ir.OpOr {
		cond = flags(x.X) && flags(x.Y)
	}
	return cond && within(s.Then, func(s ir.Stmt) bool { _, ok := s.(*ir.Fail); return ok })
}
