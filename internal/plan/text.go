package plan

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tailor-lang/tailor/laila"
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
func width(k laila.Kind) int64 {
	switch k {
	case laila.U8, laila.I8, laila.C8:
		return 1
	case laila.I16:
		return 2
	case laila.I32, laila.C32:
		return 4
	case laila.C64:
		return 16
	}
	return 8
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
func space(dims []laila.Dim) string {
	words := make([]string, len(dims))
	for i, d := range dims {
		words[i] = extent(d)
	}
	return strings.Join(words, " by ")
}

func extent(d laila.Dim) string {
	lo, lok := d.Lo.(*laila.Int)
	hi, hok := d.Hi.(*laila.Int)
	switch {
	case lok && hok:
		return count(max(hi.Val-lo.Val, 0))
	case lok && lo.Val == 0:
		return expr(d.Hi)
	}
	return expr(d.Hi) + "-" + expr(d.Lo)
}

// signs are the operations that extents are made of.
var signs = map[laila.BinOp]string{laila.Add: "+", laila.Sub: "-", laila.Mul: "×", laila.Quo: "÷", laila.Min: "⌊", laila.Max: "⌈"}

// expr writes an extent.
func expr(x laila.Expr) string {
	switch x := x.(type) {
	case *laila.Int:
		return count(x.Val)
	case *laila.Use:
		return x.Var.Name
	case *laila.Binary:
		if sign, ok := signs[x.Op]; ok {
			return operand(x.X) + sign + operand(x.Y)
		}
	}
	return "…"
}

func operand(x laila.Expr) string {
	if _, ok := x.(*laila.Binary); ok {
		return "(" + expr(x) + ")"
	}
	return expr(x)
}

// reductions are names of what accumulators do.
var reductions = map[laila.BinOp]string{
	laila.Add: "sum", laila.Mul: "product", laila.Min: "least", laila.Max: "greatest",
	laila.And: "all", laila.Or: "any", laila.Xor: "parity",
}

func reductionName(a laila.Acc) string {
	if x, ok := a.Combine.(*laila.Binary); ok {
		if name, ok := reductions[x.Op]; ok {
			return name
		}
	}
	return "reduction"
}

// stores reports whether statements write to arrays.
func stores(list []laila.Stmt) bool {
	return within(list, func(s laila.Stmt) bool { _, ok := s.(*laila.Store); return ok })
}

// hasLoops reports whether statements contain loops.
func hasLoops(list []laila.Stmt) bool {
	return within(list, func(s laila.Stmt) bool {
		switch s.(type) {
		case *laila.For, *laila.Nest, *laila.Loop:
			return true
		}
		return false
	})
}

// within reports whether a statement, or one inside it, is as is says.
func within(list []laila.Stmt, is func(laila.Stmt) bool) bool {
	for _, s := range list {
		if is(s) {
			return true
		}
		switch s := s.(type) {
		case *laila.If:
			if within(s.Then, is) || within(s.Else, is) {
				return true
			}
		case *laila.For:
			if within(s.Body, is) {
				return true
			}
		case *laila.Nest:
			if within(s.Pre, is) || within(s.Body, is) || within(s.Post, is) {
				return true
			}
		case *laila.Loop:
			if within(s.Body, is) {
				return true
			}
		}
	}
	return false
}

// findsFault reports whether s finds the element that is at fault, after a loop
// has noted that there is one.
func findsFault(s *laila.If) bool {
	flags := func(x laila.Expr) bool { _, ok := x.(*laila.Use); return ok }
	cond := flags(s.Cond)
	if x, ok := s.Cond.(*laila.Binary); ok && x.Op == laila.Or {
		cond = flags(x.X) && flags(x.Y)
	}
	return cond && within(s.Then, func(s laila.Stmt) bool { _, ok := s.(*laila.Fail); return ok })
}
