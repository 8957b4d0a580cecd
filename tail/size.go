package tail

import (
	"sort"
	"strconv"
	"strings"
)

// Size is a shape type ρ of thesis 001, section 3.1.1: a natural number that
// may mention variables. It stands for ranks, vector lengths, extents and the
// known values of integers (which may be negative). It is a constant plus a
// sum of variables with coefficients, in normal form, so that equal sizes
// compare equal up to the laws of +. Any says that nothing is known; an Any
// equals nothing, itself included.
type Size struct {
	Any   bool
	Const int64
	Terms []Term // sorted by Var, no zero coefficients
}

// Term is Coef times a size variable.
type Term struct {
	Var  string
	Coef int64
}

// AnySize is the size of which nothing is known.
var AnySize = Size{Any: true}

// ConstSize returns the constant size n.
func ConstSize(n int64) Size { return Size{Const: n} }

// VarSize returns the size that is the variable of the given name.
func VarSize(name string) Size { return Size{Terms: []Term{{name, 1}}} }

// IsConst reports whether s is a known constant, and which.
func (s Size) IsConst() (int64, bool) { return s.Const, !s.Any && len(s.Terms) == 0 }

// Known reports whether anything is known about s.
func (s Size) Known() bool { return !s.Any }

// Equal reports whether s and t are known and equal for all values of their
// variables.
func (s Size) Equal(t Size) bool {
	if s.Any || t.Any || s.Const != t.Const || len(s.Terms) != len(t.Terms) {
		return false
	}
	for i, term := range s.Terms {
		if term != t.Terms[i] {
			return false
		}
	}
	return true
}

// Same reports whether s and t are the same description: Equal, or both Any.
func (s Size) Same(t Size) bool { return s.Any && t.Any || s.Equal(t) }

// Differ reports whether s and t are known and differ for all values of their
// variables.
func (s Size) Differ(t Size) bool {
	c, ok := s.Minus(t).IsConst()
	return ok && c != 0
}

// Plus returns s + t.
func (s Size) Plus(t Size) Size { return s.plus(t, 1) }

// Minus returns s - t.
func (s Size) Minus(t Size) Size { return s.plus(t, -1) }

// Times returns k × s.
func (s Size) Times(k int64) Size {
	if s.Any {
		return s
	}
	if k == 0 {
		return ConstSize(0)
	}
	r := Size{Const: s.Const * k, Terms: make([]Term, len(s.Terms))}
	for i, t := range s.Terms {
		r.Terms[i] = Term{t.Var, t.Coef * k}
	}
	return r
}

func (s Size) plus(t Size, sign int64) Size {
	if s.Any || t.Any {
		return AnySize
	}
	r := Size{Const: s.Const + sign*t.Const}
	if len(s.Terms) == 0 && len(t.Terms) == 0 {
		return r
	}
	coef := map[string]int64{}
	for _, term := range s.Terms {
		coef[term.Var] += term.Coef
	}
	for _, term := range t.Terms {
		coef[term.Var] += sign * term.Coef
	}
	for v, c := range coef {
		if c != 0 {
			r.Terms = append(r.Terms, Term{v, c})
		}
	}
	sort.Slice(r.Terms, func(i, j int) bool { return r.Terms[i].Var < r.Terms[j].Var })
	return r
}

// Subst returns s with variables replaced; Any where that overflows.
func (s Size) Subst(of map[string]Size) Size {
	if s.Any || len(s.Terms) == 0 {
		return s
	}
	r := ConstSize(s.Const)
	for _, t := range s.Terms {
		if v, ok := of[t.Var]; ok {
			r = AddSizes(r, mulSizes(v, ConstSize(t.Coef)), 1)
		} else {
			r = r.Plus(Size{Terms: []Term{t}})
		}
	}
	return r
}

// String returns the size in TAIL's notation: 3, n, n+1, 2×n, _ for Any.
// Negative constants use ¯.
func (s Size) String() string {
	if s.Any {
		return "_"
	}
	var b strings.Builder
	for _, t := range s.Terms {
		switch {
		case t.Coef < 0:
			b.WriteByte('-')
		case b.Len() > 0:
			b.WriteByte('+')
		}
		if c := max(t.Coef, -t.Coef); c != 1 {
			b.WriteString(strconv.FormatInt(c, 10) + "×")
		}
		b.WriteString(t.Var)
	}
	switch c := s.Const; {
	case b.Len() == 0 && c < 0:
		b.WriteString("¯" + strconv.FormatInt(c, 10)[1:])
	case b.Len() == 0:
		b.WriteString(strconv.FormatInt(c, 10))
	case c > 0:
		b.WriteString("+" + strconv.FormatInt(c, 10))
	case c < 0:
		b.WriteString(strconv.FormatInt(c, 10))
	}
	return b.String()
}
