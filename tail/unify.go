package tail

import (
	"fmt"

	"github.com/tailor-lang/tailor/array"
)

// instance is an instance of a type scheme in the making: what its variables
// stand for.
type instance struct {
	elems map[string]array.Elem
	sizes map[string]Size
}

// Conforms reports, as an error, when argument and result types are not an
// instance of the scheme of op, up to subtyping. Where a type does not know an
// extent that the scheme mentions, nothing is demanded of it.
func Conforms(op Op, args []Type, result Type) error {
	scheme := SchemeOf(op)
	in := &instance{map[string]array.Elem{}, map[string]Size{}}
	if op == OpAll || op == OpPicture {
		return nil
	}
	params := scheme.Params
	if Arity(op) < 0 {
		params = indexParams(scheme, len(args))
	}
	if len(params) != len(args) {
		return fmt.Errorf("%v takes %d arguments, not %d", op, len(params), len(args))
	}
	// Sums of two variables are solved when the others are known: two rounds.
	for round := range 2 {
		for i, p := range params {
			if IsUnit(args[i]) && Arity(op) < 0 {
				continue
			}
			if err := in.unify(p, args[i], round == 1); err != nil {
				return fmt.Errorf("argument %d of %v: %w", i+1, op, err)
			}
		}
		if err := in.unify(scheme.Result, result, round == 1); err != nil {
			return fmt.Errorf("result of %v: %w", op, err)
		}
	}
	return nil
}

// indexParams repeats the index parameter of index and update.
func indexParams(scheme *FuncType, n int) []Type {
	rest := scheme.Params[2:]
	params := []Type{scheme.Params[0]}
	for len(params)+len(rest) < n {
		params = append(params, scheme.Params[1])
	}
	return append(params, rest...)
}

// unify makes type ty an instance of pattern p.
func (in *instance) unify(p, ty Type, last bool) error {
	if a, ok := p.(*Array); ok && a.ElemVar == "τ" {
		return nil // the typing rules of loops compare the states
	}
	switch p := p.(type) {
	case *Array:
		a, ok := ty.(*Array)
		if !ok {
			return fmt.Errorf("%v is not an array", ty)
		}
		return in.unifyArray(p, a, last)
	case *FuncType:
		f, ok := ty.(*FuncType)
		if !ok || len(f.Params) != len(p.Params) {
			return fmt.Errorf("%v is not a function of %d parameters", ty, len(p.Params))
		}
		for i := range f.Params {
			if err := in.unify(p.Params[i], f.Params[i], last); err != nil {
				return err
			}
		}
		return in.unify(p.Result, f.Result, last)
	}
	return nil
}

func (in *instance) unifyArray(p, a *Array, last bool) error {
	switch elem, bound := in.elems[p.ElemVar]; {
	case p.ElemVar == "" && p.Elem != a.Elem, bound && elem != a.Elem:
		return fmt.Errorf("%v does not fit %v", a, p)
	case p.ElemVar == "κ" && !a.Elem.Numeric():
		return fmt.Errorf("%v is not numeric", a)
	case p.ElemVar != "":
		in.elems[p.ElemVar] = a.Elem
	}
	// A scalar count stands for a vector of one (take and drop).
	if p.Extents != nil && IsRank(a, 0) {
		return nil
	}
	if err := in.unifySize(p.Rank, a.Rank, last); err != nil {
		return fmt.Errorf("rank of %v: %w", a, err)
	}
	if p.Extents != nil {
		if err := in.unifySize(p.Extents[0], a.Extent(0), last); err != nil {
			return fmt.Errorf("length of %v: %w", a, err)
		}
	}
	return nil
}

// unifySize makes size s an instance of pattern p: it binds a variable that is
// the only unknown, and compares when there is none.
func (in *instance) unifySize(p, s Size, last bool) error {
	if p.Any || s.Any {
		return nil
	}
	rest := s.Minus(ConstSize(p.Const))
	var open *Term
	for i, t := range p.Terms {
		v, ok := in.sizes[t.Var]
		switch {
		case ok:
			rest = rest.Minus(v.Times(t.Coef))
		case open != nil:
			return nil
		default:
			open = &p.Terms[i]
		}
	}
	switch n, constant := rest.IsConst(); {
	case open != nil && open.Coef == 1:
		if constant && n < 0 {
			return fmt.Errorf("%v is less than %v", s, p)
		}
		in.sizes[open.Var] = rest
	case open == nil && constant && n != 0:
		return fmt.Errorf("%v is not %v", s, p.Subst(in.sizes))
	}
	return nil
}
