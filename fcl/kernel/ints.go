package kernel

import (
	"math"

	"github.com/tailor-lang/tailor/fcl/types"
)

// Whole numbers have 64 bits, and so have the variables of loops. A place that is proved to be small
// is computed with ints of C, which devices do faster:
//
//	int i = (int)item / 16 * 17 + (int)q;

// short reports whether a variable of a kernel is an int of C: its definition, and all that this is
// computed from, are proved to fit.
func (v *Var) short() bool {
	if v.small == 0 {
		v.small = -1
		if v.Of == types.Int && !v.Host && !v.Mutable && !v.Foreign && v.Def != nil && allFit(v.Def) {
			v.small = 1
		}
	}
	return v.small > 0
}

// allFit reports whether a number and its parts fit.
func allFit(e Expr) bool {
	switch e := e.(type) {
	case *Const, *Var:
		return fits(e)
	case *Op:
		if len(e.Args) != 2 || e.Site > 0 || !fits(e) {
			return false
		}
		switch e.Name {
		case "+", "-", "*", "/", "%", "min", "max":
			return allFit(e.Args[0]) && allFit(e.Args[1])
		}
	}
	return false
}

// fits reports whether a number is proved to be from 0 to the largest int of C.
func fits(e Expr) bool {
	n, ok := most(e, 12)
	return ok && n <= math.MaxInt32 && e.Type() == types.Int && natural(e)
}

// inInt returns a number that fits with all its parts as C computes it with ints.
func inInt(e Expr) Expr {
	switch e := e.(type) {
	case *Var:
		if !e.short() {
			return &Var{Name: "(int)" + e.Name, Of: types.Int, Def: e.Def, Lo: e.Lo, Hi: e.Hi, small: 1}
		}
	case *Op:
		return &Op{Name: e.Name, Of: e.Of, Args: []Expr{inInt(e.Args[0]), inInt(e.Args[1])}, sign: e.sign}
	}
	return e
}

// isInt reports whether C computes an expression with ints.
func isInt(e Expr) bool {
	switch e := e.(type) {
	case *Const:
		return e.Value.Type == types.Int && e.Value.I > math.MinInt32 && e.Value.I <= math.MaxInt32
	case *Var:
		return e.short()
	case *Cond:
		return e.Type() == types.Int && isInt(e.A) && isInt(e.B)
	case *Op:
		return e.ofInts() && !e.widens()
	}
	return false
}

// ofInts reports whether the operands of a sum, product, quotient or extreme are ints of C.
func (e *Op) ofInts() bool {
	switch e.Name {
	case "+", "-", "*", "/", "%", "min", "max":
		return e.Of == types.Int && e.Site == 0 && isInt(e.Args[0]) && isInt(e.Args[1])
	}
	return false
}

// widens reports whether an operation of ints is computed with 64 bits, as it may give a larger number.
func (e *Op) widens() bool {
	switch e.Name {
	case "+", "*":
		return !fits(e)
	case "-":
		return !natural(e.Args[0]) || !natural(e.Args[1])
	case "/":
		return !natural(e.Args[1])
	}
	return false
}
