package build

import (
	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/tail"
)

// ComplexOps are the scalar functions of complex numbers.
var ComplexOps = map[tail.Op]mathFunc{
	tail.OpAddZ:    total("tl_addz", ir.C64),
	tail.OpSubZ:    total("tl_subz", ir.C64),
	tail.OpMulZ:    total("tl_mulz", ir.C64),
	tail.OpScaleZ:  total("tl_scalez", ir.C64),
	tail.OpDivZ:    tested("tl_divz", ir.C64, "tl_bad_divz", tail.FaultDivide, none),
	tail.OpPowZ:    tested("tl_powz", ir.C64, "tl_bad_powz", tail.FaultDivide, none),
	tail.OpLogZ:    tested("tl_logz", ir.C64, "tl_bad_logz", tail.FaultOutOfDomain, 1),
	tail.OpCircleZ: tested("tl_circlez", ir.C64, "tl_bad_circlez", tail.FaultCircle, 0),
	tail.OpNegZ:    total("tl_negz", ir.C64),
	tail.OpConjZ:   total("tl_conjz", ir.C64),
	tail.OpSignZ:   total("tl_signz", ir.C64),
	tail.OpRecZ:    tested("tl_recz", ir.C64, "tl_bad_recz", tail.FaultDivide, none),
	tail.OpExpZ:    total("tl_expz", ir.C64),
	tail.OpLnZ:     tested("tl_lnz", ir.C64, "tl_bad_recz", tail.FaultOutOfDomain, 0),
	tail.OpPiZ:     total("tl_piz", ir.C64),
	tail.OpAbsZ:    total("tl_absz", ir.F64),
	tail.OpReZ:     total("tl_rez", ir.F64),
	tail.OpImZ:     total("tl_imz", ir.F64),
	tail.OpArgZ:    total("tl_argz", ir.F64),
	tail.OpFloorZ:  total("tl_floorz", ir.C64),
	tail.OpCeilZ:   total("tl_ceilz", ir.C64),
	tail.OpResZ:    total("tl_resz", ir.C64),
	tail.OpGcdZ:    total("tl_gcdz", ir.C64),
	tail.OpLcmZ:    total("tl_lcmz", ir.C64),
	tail.OpBinZ:    tested("tl_binz", ir.C64, "tl_bad_binz", tail.FaultOutOfDomain, 1),
	tail.OpFactZ:   tested("tl_factz", ir.C64, "tl_bad_factz", tail.FaultOutOfDomain, 0),
	tail.OpEqZ:     total("tl_eqz", ir.U8),
	tail.OpNeqZ:    total("tl_neqz", ir.U8),
	tail.OpD2Z:     total("tl_d2z", ir.C64),
	tail.OpZ2D:     tested("tl_rez", ir.F64, "tl_bad_z2d", tail.FaultNotReal, 0),
}

// complexOperand returns what a message about complex arguments names: the
// imaginary part of what should be real, the number of a circular function, a
// zero or the base of a logarithm; nil for other functions.
func complexOperand(fn string, args []ir.Expr) ir.Expr {
	switch fn {
	case "tl_rez":
		return &ir.Math{Fn: "tl_imz", K: ir.F64, Args: args}
	case "tl_factz", "tl_binz":
		return &ir.Math{Fn: "tl_rez", K: ir.F64, Args: args[len(args)-1:]}
	case "tl_lnz":
		return &ir.Float{Val: 0}
	case "tl_logz":
		zero := &ir.Math{Fn: "tl_bad_recz", K: ir.U8, Args: args[1:]}
		return ir.Choose(zero, &ir.Float{Val: 0}, &ir.Math{Fn: "tl_rez", K: ir.F64, Args: args[:1]})
	case "tl_circlez":
		return args[0]
	}
	return nil
}
