package eval

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Complex numbers on the host. Of them there are uses, loads, selections and
// functions of the run-time only.

// cplx compiles an expression of kind C64.
func (c *Code) Complex(x ir.Expr) ComplexCode {
	switch x := x.(type) {
	case *ir.Use:
		at := c.Slot(x.Var)
		if c.loose[x.Var] {
			return func(fr *Frame) complex128 { fr.M.settle(); return fr.Complexes[at] }
		}
		return func(fr *Frame) complex128 { return fr.Complexes[at] }
	case *ir.Load:
		b, i := c.Buf(x.Buf), c.Int(x.Index)
		return func(fr *Frame) complex128 { return fr.M.loadComplex(fr.Bufs[b], i(fr)) }
	case *ir.Select:
		t, l, r := c.Int(x.Cond), c.Complex(x.Then), c.Complex(x.Else)
		return func(fr *Frame) complex128 {
			if t(fr) != 0 {
				return l(fr)
			}
			return r(fr)
		}
	case *ir.Convert:
		return c.Complex(x.X)
	case *ir.Math:
		return c.finiteZ(x, c.mathComplex(x))
	}
	panic(fmt.Sprintf("internal error: loop expression %T", x))
}

var complexToComplex = map[string]func(y complex128) complex128{
	"tl_negz":  negZ,
	"tl_conjz": cmplx.Conj,
	"tl_signz": num.SignZ,
	"tl_recz":  func(y complex128) complex128 { return first(num.DivideZ(1, y)) },
	"tl_expz":  num.ExpZ,
	"tl_lnz":   num.LnZ,
	"tl_sqrtz": num.SqrtZ,
	"tl_piz":   func(y complex128) complex128 { return complex(math.Pi*real(y), math.Pi*imag(y)) },
	"tl_factz": func(y complex128) complex128 { return first(num.FactorialZ(y)) },
}

var complexesToComplex = map[string]func(x, y complex128) complex128{
	"tl_addz": func(x, y complex128) complex128 { return x + y },
	"tl_subz": func(x, y complex128) complex128 { return x - y },
	"tl_mulz": num.MulZ,
	"tl_divz": func(x, y complex128) complex128 { return first(num.DivideZ(x, y)) },
	"tl_powz": func(x, y complex128) complex128 { return first(num.PowZ(x, y)) },
	"tl_logz": func(x, y complex128) complex128 { return first(num.LogZ(x, y)) },
	"tl_binz": func(x, y complex128) complex128 { return first(num.BinomialZ(x, y)) },
}

var tolerantToComplex = map[string]func(y complex128, ct float64) complex128{
	"tl_floorz": num.FloorZ,
	"tl_ceilz":  func(y complex128, ct float64) complex128 { return negZ(num.FloorZ(negZ(y), ct)) },
}

var tolerantsToComplex = map[string]func(x, y complex128, ct float64) complex128{
	"tl_resz": num.ResidueZ, "tl_gcdz": num.GCDZ, "tl_lcmz": num.LCMZ,
}

var complexToDouble = map[string]func(y complex128) float64{
	"tl_rez":  func(y complex128) float64 { return real(y) },
	"tl_imz":  func(y complex128) float64 { return imag(y) },
	"tl_absz": num.AbsZ,
	"tl_argz": num.Phase,
}

var complexToTruth = map[string]func(y complex128) bool{
	"tl_bad_recz":  func(y complex128) bool { return y == 0 },
	"tl_bad_factz": func(y complex128) bool { return lacks(num.FactorialZ(y)) },
}

var complexesToTruth = map[string]func(x, y complex128) bool{
	"tl_samez":    func(x, y complex128) bool { return x == y },
	"tl_bad_divz": func(x, y complex128) bool { return y == 0 && x != 0 },
	"tl_bad_powz": func(x, y complex128) bool { return x == 0 && y != 0 && !(real(y) > 0) },
	"tl_bad_logz": func(x, y complex128) bool { return x == 0 || y == 0 || x == 1 && y != 1 },
	"tl_bad_binz": func(x, y complex128) bool { return lacks(num.BinomialZ(x, y)) },
}

func negZ(y complex128) complex128 { return complex(-real(y), -imag(y)) }

// lacks reports that a result does not exist.
func lacks(_ complex128, ok bool) bool { return !ok }

func (c *Code) mathComplex(x *ir.Math) ComplexCode {
	ct := c.program.Source.Tolerance()
	switch x.Fn {
	case "tl_z":
		re, im := c.Double(x.Args[0]), c.Double(x.Args[1])
		return func(fr *Frame) complex128 { return complex(re(fr), im(fr)) }
	case "tl_d2z":
		d := c.Double(x.Args[0])
		return func(fr *Frame) complex128 { return complex(d(fr), 0) }
	case "tl_scalez":
		d, z := c.Double(x.Args[0]), c.Complex(x.Args[1])
		return func(fr *Frame) complex128 { return num.ScaleZ(d(fr), z(fr)) }
	case "tl_circlez":
		n, z := c.Int(x.Args[0]), c.Complex(x.Args[1])
		return func(fr *Frame) complex128 { return first(num.CircleZ(n(fr), z(fr))) }
	}
	y := c.Complex(x.Args[len(x.Args)-1])
	if f, ok := complexToComplex[x.Fn]; ok {
		return func(fr *Frame) complex128 { return f(y(fr)) }
	}
	if f, ok := tolerantToComplex[x.Fn]; ok {
		return func(fr *Frame) complex128 { return f(y(fr), ct) }
	}
	left := c.Complex(x.Args[0])
	if f, ok := complexesToComplex[x.Fn]; ok {
		return func(fr *Frame) complex128 { return f(left(fr), y(fr)) }
	}
	if f, ok := tolerantsToComplex[x.Fn]; ok {
		return func(fr *Frame) complex128 { return f(left(fr), y(fr), ct) }
	}
	panic("internal error: no such function of a complex number: " + x.Fn)
}

// complexToInt compiles the functions that compare complex numbers or test
// them; nil for others.
func (c *Code) complexToInt(x *ir.Math) IntCode {
	ct := c.program.Source.Tolerance()
	if x.Fn == "tl_bad_circlez" {
		n, z := c.Int(x.Args[0]), c.Complex(x.Args[1])
		return func(fr *Frame) int64 { return truth(lacks(num.CircleZ(n(fr), z(fr)))) }
	}
	last := x.Args[len(x.Args)-1]
	if last.Kind() != ir.C64 {
		return nil
	}
	y := c.Complex(last)
	if f, ok := complexToTruth[x.Fn]; ok {
		return func(fr *Frame) int64 { return truth(f(y(fr))) }
	}
	if x.Fn == "tl_bad_z2d" {
		return func(fr *Frame) int64 { _, ok := num.RealZ(y(fr), ct); return truth(!ok) }
	}
	left := c.Complex(x.Args[0])
	switch x.Fn {
	case "tl_eqz":
		return func(fr *Frame) int64 { return truth(num.EqualZ(left(fr), y(fr), ct)) }
	case "tl_neqz":
		return func(fr *Frame) int64 { return truth(!num.EqualZ(left(fr), y(fr), ct)) }
	}
	if f, ok := complexesToTruth[x.Fn]; ok {
		return func(fr *Frame) int64 { return truth(f(left(fr), y(fr))) }
	}
	return nil
}
