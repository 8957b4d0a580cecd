package ir

import "strings"

// Size counts the operations of x, up to a limit; a load counts as one.
func Size(x Expr, limit int) int {
	if limit <= 0 {
		return 0
	}
	n := 1
	switch x := x.(type) {
	case *Unary:
		n += Size(x.X, limit-n)
	case *Binary:
		n += Size(x.X, limit-n)
		n += Size(x.Y, limit-n)
	case *Select:
		n += Size(x.Cond, limit-n)
		n += Size(x.Then, limit-n)
		n += Size(x.Else, limit-n)
	case *Convert:
		n += Size(x.X, limit-n)
	case *Math:
		for _, a := range x.Args {
			n += Size(a, limit-n)
		}
	}
	return n
}

// Carries reports whether the result of x is infinite or no number where an operand is: of
// those between which x selects, the one that it takes.
func Carries(x Expr) bool {
	switch x := x.(type) {
	case *Binary:
		return x.X.Kind() == F64 && (x.Op == OpAdd || x.Op == OpSub || x.Op == OpMul)
	case *Math:
		return x.Fn == FmaFn
	case *Unary, *Select:
		return x.Kind() == F64
	}
	return false
}

// CarriedOn calls f for uses of variables whose infinities make x infinite or no number.
func CarriedOn(x Expr, f func(v *Var)) {
	switch y := x.(type) {
	case *Use:
		f(y.Var)
	case *Binary:
		if Carries(x) || y.Op == OpDiv {
			CarriedOn(y.X, f)
		}
		if Carries(x) {
			CarriedOn(y.Y, f)
		}
	case *Math:
		if Carries(x) {
			CarriedOn(y.Args[2], f)
		}
	}
}

// Trips returns the number of iterations of d where its ends are constants; it is negative
// where they are the wrong way round.
func Trips(d Dim) (int64, bool) {
	lo, ok := IntOf(d.Lo)
	hi, ok2 := IntOf(d.Hi)
	return hi - lo, ok && ok2
}

// IsUse reports whether x is the value of v.
func IsUse(x Expr, v *Var) bool {
	u, ok := x.(*Use)
	return ok && u.Var == v
}

// EachUse visits the variables of x.
func EachUse(x Expr, visit func(*Var)) {
	if u, ok := x.(*Use); ok {
		visit(u.Var)
	}
	for _, y := range Operands(x) {
		if y != nil {
			EachUse(y, visit)
		}
	}
}

// Mentions reports whether x has a use of v.
func Mentions(x Expr, v *Var) bool {
	if u, ok := x.(*Use); ok {
		return u.Var == v
	}
	for _, y := range Operands(x) {
		if Mentions(y, v) {
			return true
		}
	}
	return false
}

// MentionsAny reports whether x has a use of one of vars.
func MentionsAny(x Expr, vars map[*Var]bool) bool {
	if u, ok := x.(*Use); ok && vars[u.Var] {
		return true
	}
	for _, y := range Operands(x) {
		if y != nil && MentionsAny(y, vars) {
			return true
		}
	}
	return false
}

// MentionsBuf reports whether s uses b.
func MentionsBuf(s Stmt, b *Buf) bool {
	found := false
	Walk([]Stmt{s}, func(t Stmt) { EachBuffer(t, func(c *Buf) { found = found || c == b }) })
	return found
}

// IsLoadFree reports whether x has no load.
func IsLoadFree(x Expr) bool {
	free := true
	EachLoad(x, func(*Buf) { free = false })
	return free
}

// LoadsMemory reports whether x reads an array that is not a short one of
// known size.
func LoadsMemory(x Expr) bool {
	found := false
	EachLoad(x, func(b *Buf) { found = found || b.Stack == 0 && !b.Const })
	return found
}

// MentionsDeclared reports whether x uses a variable that a block declares.
func MentionsDeclared(x Expr, block []Stmt) bool {
	found := false
	EachUse(x, func(v *Var) { found = found || DeclaresVar(block, v) })
	return found
}

// DeclaresVar reports whether v is declared in block or in a block in it.
func DeclaresVar(block []Stmt, v *Var) bool {
	for _, s := range block {
		if d, ok := s.(*Decl); ok && d.Var == v {
			return true
		}
		if s == nil {
			continue
		}
		for _, inner := range Blocks(s) {
			if DeclaresVar(*inner, v) {
				return true
			}
		}
	}
	return false
}

// DeclaresBuf reports whether b is declared in a block, and not in a block inside of it.
func DeclaresBuf(block []Stmt, b *Buf) bool {
	for _, s := range block {
		if d, ok := s.(*DeclBuf); ok && d.Buf == b {
			return true
		}
	}
	return false
}

// WithoutBuf returns a block without the declaration of b and what frees it.
func WithoutBuf(block []Stmt, b *Buf) []Stmt {
	var out []Stmt
	for _, s := range block {
		switch s := s.(type) {
		case *DeclBuf:
			if s.Buf == b {
				continue
			}
		case *Free:
			if s.Buf == b {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// IsStraight reports whether a block has no branches, loops or faults.
func IsStraight(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Assign, *Checked, *Store, *Comment:
		default:
			return false
		}
	}
	return true
}

// SpaceOf returns the iteration space of a segmap, or of a segred of a vector.
func SpaceOf(n *Nest) []Dim {
	switch {
	case n.Kind == SegMap && len(n.Red) == 0 && len(n.Pre) == 0 && len(n.Post) == 0:
		return n.Dims
	case n.Kind == SegRed && len(n.Dims) == 0:
		return n.Red
	}
	return nil
}

// SameSpace reports whether two iteration spaces that are not empty are the same.
func SameSpace(x, y []Dim) bool {
	if len(x) == 0 || len(x) != len(y) {
		return false
	}
	for a := range x {
		if !Same(x[a].Lo, y[a].Lo) || !Same(x[a].Hi, y[a].Hi) {
			return false
		}
	}
	return true
}

// IsPlainSum reports whether x is made of variables, constants, sums,
// differences and products with constants.
func IsPlainSum(x Expr, depth int) bool {
	if depth > 6 {
		return false
	}
	switch x := x.(type) {
	case *Int, *Use:
		return true
	case *Binary:
		if x.Op == OpMul {
			_, c := x.X.(*Int)
			_, d := x.Y.(*Int)
			return (c || d) && IsPlainSum(x.X, depth+1) && IsPlainSum(x.Y, depth+1)
		}
		return (x.Op == OpAdd || x.Op == OpSub) && IsPlainSum(x.X, depth+1) && IsPlainSum(x.Y, depth+1)
	}
	return false
}

// IsLoopless reports whether a body has no loops.
func IsLoopless(block []Stmt) bool {
	for _, s := range block {
		switch s.(type) {
		case *Decl, *Assign, *Checked, *Store, *Comment, *If:
		default:
			return false
		}
		for _, inner := range Blocks(s) {
			if !IsLoopless(*inner) {
				return false
			}
		}
	}
	return true
}

// BlockSize counts the operations of a block, up to about limit.
func BlockSize(block []Stmt, limit int) int {
	n := 0
	for _, s := range block {
		n++
		for _, x := range Exprs(s) {
			if x != nil && n <= limit {
				n += Size(x, limit)
			}
		}
		for _, inner := range Blocks(s) {
			n += BlockSize(*inner, limit)
		}
	}
	return n
}

// StackLimit is the largest array, in elements, that is kept in the stack
// frame when its size is known.
const StackLimit = 64

// bounded are the functions of doubles whose results are finite where the arguments are.
var bounded = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`sin cos tanh asin acos atan asinh acosh atanh log sqrt fabs floor ceil rint trunc
		tl_floord tl_ceild tl_floorx tl_ceilx tl_resx tl_resd tl_rolld_at tl_rez tl_imz tl_d2z tl_cjz tl_z`) {
		m[name] = true
	}
	return m
}()

// Bounded reports whether the result is finite where the arguments are.
func (x *Math) Bounded() bool { return bounded[x.Fn] }

// Operand returns x where s is v = v op x.
func (s *Assign) Operand(op BinOp) (Expr, bool) {
	b, ok := s.X.(*Binary)
	switch {
	case !ok || b.Op != op:
		return nil, false
	case IsUse(b.X, s.Var):
		return b.Y, true
	case IsUse(b.Y, s.Var):
		return b.X, true
	}
	return nil, false
}
