package tail

import "github.com/tailor-lang/tailor/array"

// liftedValues returns the known values of an each, zipWith, reduce or scan
// over vectors or scalars of known values, by evaluating the lambda on the
// values; nil when nothing is known.
func liftedValues(e *Apply) []Size {
	ty, ok := e.Ty.(*Array)
	if !ok || ty.Elem != array.Int && ty.Elem != array.Bool || len(e.Args) == 0 {
		return nil
	}
	f, ok := e.Args[0].(*Lam)
	if !ok {
		return nil
	}
	switch e.Op {
	case OpEach:
		return liftEach(f, TypeOf(e.Args[1]).Values)
	case OpZipWith:
		return liftZip(f, TypeOf(e.Args[1]).Values, TypeOf(e.Args[2]).Values)
	case OpReduce:
		return liftReduce(f, TypeOf(e.Args[1]).Value(0), TypeOf(e.Args[2]))
	case OpScan:
		return liftScan(f, TypeOf(e.Args[1]))
	}
	return nil
}

func liftEach(f *Lam, x []Size) []Size {
	if x == nil {
		return nil
	}
	values := make([]Size, len(x))
	for i := range x {
		values[i] = lamValue(f, x[i])
	}
	return AnyKnown(values)
}

func liftZip(f *Lam, x, y []Size) []Size {
	if x == nil || y == nil || len(x) != len(y) {
		return nil
	}
	values := make([]Size, len(x))
	for i := range x {
		values[i] = lamValue(f, x[i], y[i])
	}
	return AnyKnown(values)
}

func liftReduce(f *Lam, neutral Size, x *Array) []Size {
	if x.Values == nil || !IsRank(x, 1) {
		return nil
	}
	if len(x.Values) == 0 {
		return AnyKnown([]Size{neutral})
	}
	last := len(x.Values) - 1
	acc := x.Values[last]
	for i := last - 1; i >= 0; i-- {
		acc = lamValue(f, x.Values[i], acc)
	}
	return AnyKnown([]Size{acc})
}

func liftScan(f *Lam, x *Array) []Size {
	if x.Values == nil || !IsRank(x, 1) {
		return nil
	}
	values := make([]Size, len(x.Values))
	for n := range values {
		acc := x.Values[n]
		for i := n - 1; i >= 0; i-- {
			acc = lamValue(f, x.Values[i], acc)
		}
		values[n] = acc
	}
	return AnyKnown(values)
}

// AnyKnown returns values, or nil when none of them is known.
func AnyKnown(values []Size) []Size {
	for _, v := range values {
		if v.Known() {
			return values
		}
	}
	if len(values) == 0 {
		return values
	}
	return nil
}

// liftFuel bounds the nodes that lamValue looks at.
const liftFuel = 64

// lamValue returns what is known of the value of a scalar function for
// arguments of known values.
func lamValue(f *Lam, args ...Size) Size {
	env := map[*Var]Size{}
	for i, p := range f.Params {
		env[p] = args[i]
	}
	fuel := liftFuel
	return exprValue(f.Body, env, &fuel)
}

func exprValue(e Expr, env map[*Var]Size, fuel *int) Size {
	if *fuel--; *fuel < 0 {
		return AnySize
	}
	switch e := e.(type) {
	case *Lit:
		return e.Ty.Value(0)
	case *Ref:
		if v, ok := env[e.Var]; ok {
			return v
		}
		if ty, ok := e.Var.Type.(*Array); ok && IsRank(ty, 0) {
			return ty.Value(0)
		}
	case *Let:
		env[e.Var] = exprValue(e.Bind, env, fuel)
		return exprValue(e.Body, env, fuel)
	case *If:
		c, ok := exprValue(e.Cond, env, fuel).IsConst()
		switch {
		case ok && c != 0:
			return exprValue(e.Then, env, fuel)
		case ok:
			return exprValue(e.Else, env, fuel)
		}
	case *Apply:
		if !e.Op.Row().Scalar {
			break
		}
		args := make([]Size, len(e.Args))
		for i, a := range e.Args {
			args[i] = exprValue(a, env, fuel)
		}
		return ScalarValue(e.Op, args)
	}
	return AnySize
}
