package clgen

import (
	"fmt"
	"math"
	"math/cmplx"
	"unsafe"

	"github.com/tailor-lang/tailor/internal/num"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Complex numbers on the host. Of them there are uses, loads, selections and
// functions of the run-time only.

type cplxCode func(fr *frame) complex128

// cplx compiles an expression of kind C64.
func (c *hostCode) cplx(x ir.Expr) cplxCode {
	switch x := x.(type) {
	case *ir.Use:
		at := c.slot(x.Var)
		if c.loose[x.Var] {
			return func(fr *frame) complex128 { fr.m.settle(); return fr.cplxs[at] }
		}
		return func(fr *frame) complex128 { return fr.cplxs[at] }
	case *ir.Load:
		b, i := c.buf(x.Buf), c.int(x.Index)
		return func(fr *frame) complex128 { return fr.m.loadComplex(fr.bufs[b], i(fr)) }
	case *ir.Select:
		t, l, r := c.int(x.Cond), c.cplx(x.Then), c.cplx(x.Else)
		return func(fr *frame) complex128 {
			if t(fr) != 0 {
				return l(fr)
			}
			return r(fr)
		}
	case *ir.Convert:
		return c.cplx(x.X)
	case *ir.Math:
		return c.mathComplex(x)
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

func (c *hostCode) mathComplex(x *ir.Math) cplxCode {
	ct := c.plan.Program.Tolerance()
	switch x.Fn {
	case "tl_z":
		re, im := c.dbl(x.Args[0]), c.dbl(x.Args[1])
		return func(fr *frame) complex128 { return complex(re(fr), im(fr)) }
	case "tl_d2z":
		d := c.dbl(x.Args[0])
		return func(fr *frame) complex128 { return complex(d(fr), 0) }
	case "tl_scalez":
		d, z := c.dbl(x.Args[0]), c.cplx(x.Args[1])
		return func(fr *frame) complex128 { return num.ScaleZ(d(fr), z(fr)) }
	case "tl_circlez":
		n, z := c.int(x.Args[0]), c.cplx(x.Args[1])
		return func(fr *frame) complex128 { return first(num.CircleZ(n(fr), z(fr))) }
	}
	y := c.cplx(x.Args[len(x.Args)-1])
	if f, ok := complexToComplex[x.Fn]; ok {
		return func(fr *frame) complex128 { return f(y(fr)) }
	}
	if f, ok := tolerantToComplex[x.Fn]; ok {
		return func(fr *frame) complex128 { return f(y(fr), ct) }
	}
	left := c.cplx(x.Args[0])
	if f, ok := complexesToComplex[x.Fn]; ok {
		return func(fr *frame) complex128 { return f(left(fr), y(fr)) }
	}
	if f, ok := tolerantsToComplex[x.Fn]; ok {
		return func(fr *frame) complex128 { return f(left(fr), y(fr), ct) }
	}
	panic("internal error: no such function of a complex number: " + x.Fn)
}

// complexToInt compiles the functions that compare complex numbers or test
// them; nil for others.
func (c *hostCode) complexToInt(x *ir.Math) intCode {
	ct := c.plan.Program.Tolerance()
	if x.Fn == "tl_bad_circlez" {
		n, z := c.int(x.Args[0]), c.cplx(x.Args[1])
		return func(fr *frame) int64 { return truth(lacks(num.CircleZ(n(fr), z(fr)))) }
	}
	last := x.Args[len(x.Args)-1]
	if last.Kind() != ir.C64 {
		return nil
	}
	y := c.cplx(last)
	if f, ok := complexToTruth[x.Fn]; ok {
		return func(fr *frame) int64 { return truth(f(y(fr))) }
	}
	if x.Fn == "tl_bad_z2d" {
		return func(fr *frame) int64 { _, ok := num.RealZ(y(fr), ct); return truth(!ok) }
	}
	left := c.cplx(x.Args[0])
	switch x.Fn {
	case "tl_eqz":
		return func(fr *frame) int64 { return truth(num.EqualZ(left(fr), y(fr), ct)) }
	case "tl_neqz":
		return func(fr *frame) int64 { return truth(!num.EqualZ(left(fr), y(fr), ct)) }
	}
	if f, ok := complexesToTruth[x.Fn]; ok {
		return func(fr *frame) int64 { return truth(f(left(fr), y(fr))) }
	}
	return nil
}

// Elements.

func (m *machine) loadComplex(s *storage, i int64) complex128 {
	if s.onHost || !m.peeks(s) {
		m.toHost(s)
		return *(*complex128)(unsafe.Pointer(&s.host[16*i]))
	}
	var z complex128
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&z)), 16)
	m.peek(s, i, raw)
	return z
}

func (m *machine) storeComplex(s *storage, i int64, z complex128) {
	if !s.onHost && m.poke(s, i, unsafe.Slice((*byte)(unsafe.Pointer(&z)), 16)) {
		return
	}
	m.writable(s)
	*(*complex128)(unsafe.Pointer(&s.host[16*i])) = z
}
