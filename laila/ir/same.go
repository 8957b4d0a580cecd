package ir

import (
	"slices"
	"strings"
)

// Same reports whether two expressions over variables that do not change in
// between are equal.
func Same(x, y Expr) bool {
	if x == y {
		return true
	}
	switch x := x.(type) {
	case *Int:
		y, ok := y.(*Int)
		return ok && *x == *y
	case *Float:
		y, ok := y.(*Float)
		return ok && x.Val == y.Val && (x.Val != 0)
	case *Use:
		y, ok := y.(*Use)
		return ok && x.Var == y.Var
	case *Unary:
		y, ok := y.(*Unary)
		return ok && x.Op == y.Op && Same(x.X, y.X)
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && Same(x.X, y.X) && Same(x.Y, y.Y)
	case *Select:
		y, ok := y.(*Select)
		return ok && Same(x.Cond, y.Cond) && Same(x.Then, y.Then) && Same(x.Else, y.Else)
	}
	return false
}

// Alike is same for expressions with loads of buffers that do not change in
// between.
func Alike(x, y Expr) bool {
	if Same(x, y) {
		return true
	}
	switch x := x.(type) {
	case *Load:
		y, ok := y.(*Load)
		return ok && x.Buf == y.Buf && Alike(x.Index, y.Index)
	case *Convert:
		y, ok := y.(*Convert)
		return ok && x.To == y.To && Alike(x.X, y.X)
	case *Unary:
		y, ok := y.(*Unary)
		return ok && x.Op == y.Op && Alike(x.X, y.X)
	case *Binary:
		y, ok := y.(*Binary)
		return ok && x.Op == y.Op && Alike(x.X, y.X) && Alike(x.Y, y.Y)
	case *Select:
		y, ok := y.(*Select)
		return ok && Alike(x.Cond, y.Cond) && Alike(x.Then, y.Then) && Alike(x.Else, y.Else)
	case *Math:
		y, ok := y.(*Math)
		return ok && x.Fn == y.Fn && slices.EqualFunc(x.Args, y.Args, Alike)
	}
	return false
}

// SameShape reports whether the extents of two shapes are Same.
func SameShape(x, y []Expr) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !Same(x[i], y[i]) {
			return false
		}
	}
	return true
}

// IndexKey writes an index as a key.
func IndexKey(ix []Expr) string {
	var b strings.Builder
	for _, x := range ix {
		WriteKey(&b, x)
		b.WriteByte(';')
	}
	return b.String()
}
