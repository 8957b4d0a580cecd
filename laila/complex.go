package laila

import "github.com/tailor-lang/tailor/tail"

// complexOps are the scalar functions of complex numbers.
var complexOps = map[tail.Op]mathFunc{
	tail.OpAddZ:    total("tl_addz", C64),
	tail.OpSubZ:    total("tl_subz", C64),
	tail.OpMulZ:    total("tl_mulz", C64),
	tail.OpScaleZ:  total("tl_scalez", C64),
	tail.OpDivZ:    tested("tl_divz", C64, "tl_bad_divz", tail.FaultDivide, none),
	tail.OpPowZ:    tested("tl_powz", C64, "tl_bad_powz", tail.FaultDivide, none),
	tail.OpLogZ:    tested("tl_logz", C64, "tl_bad_logz", tail.FaultOutOfDomain, 1),
	tail.OpCircleZ: tested("tl_circlez", C64, "tl_bad_circlez", tail.FaultCircle, 0),
	tail.OpNegZ:    total("tl_negz", C64),
	tail.OpConjZ:   total("tl_conjz", C64),
	tail.OpSignZ:   total("tl_signz", C64),
	tail.OpRecZ:    tested("tl_recz", C64, "tl_bad_recz", tail.FaultDivide, none),
	tail.OpExpZ:    total("tl_expz", C64),
	tail.OpLnZ:     tested("tl_lnz", C64, "tl_bad_recz", tail.FaultOutOfDomain, 0),
	tail.OpPiZ:     total("tl_piz", C64),
	tail.OpAbsZ:    total("tl_absz", F64),
	tail.OpReZ:     total("tl_rez", F64),
	tail.OpImZ:     total("tl_imz", F64),
	tail.OpArgZ:    total("tl_argz", F64),
	tail.OpFloorZ:  total("tl_floorz", C64),
	tail.OpCeilZ:   total("tl_ceilz", C64),
	tail.OpResZ:    total("tl_resz", C64),
	tail.OpGcdZ:    total("tl_gcdz", C64),
	tail.OpLcmZ:    total("tl_lcmz", C64),
	tail.OpBinZ:    tested("tl_binz", C64, "tl_bad_binz", tail.FaultOutOfDomain, 1),
	tail.OpFactZ:   tested("tl_factz", C64, "tl_bad_factz", tail.FaultOutOfDomain, 0),
	tail.OpEqZ:     total("tl_eqz", U8),
	tail.OpNeqZ:    total("tl_neqz", U8),
	tail.OpD2Z:     total("tl_d2z", C64),
	tail.OpZ2D:     tested("tl_rez", F64, "tl_bad_z2d", tail.FaultNotReal, 0),
}

// complexOperand returns what a message about complex arguments names: the
// imaginary part of what should be real, the number of a circular function, a
// zero or the base of a logarithm; nil for other functions.
func complexOperand(fn string, args []Expr) Expr {
	switch fn {
	case "tl_rez":
		return &Math{"tl_imz", F64, args}
	case "tl_factz", "tl_binz":
		return &Math{"tl_rez", F64, args[len(args)-1:]}
	case "tl_lnz":
		return &Float{0}
	case "tl_logz":
		zero := &Math{"tl_bad_recz", U8, args[1:]}
		return choose(zero, &Float{0}, &Math{"tl_rez", F64, args[:1]})
	case "tl_circlez":
		return args[0]
	}
	return nil
}
