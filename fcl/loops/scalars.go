package loops

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/tailor-lang/tailor/laila/ir"
)

// Scalars is the text of the functions of the run-time, in FCL.
//
//go:embed scalars.fcl
var Scalars string

// builtin are functions that FCL has.
var builtin = map[string]string{
	"exp": "exp", "log": "log", "sqrt": "sqrt", "fabs": "abs", "floor": "floor", "sin": "sin", "cos": "cos", "pow": "pow",
	"tl_floorx": "floor", "tl_lnd": "log", "tl_powd": "pow", "tl_bits_of": "bits", "tl_i2b": "bool", "tl_i2c": "i32", "tl_d2i": "nearest",
	"tl_toi": "whole", "tl_rez": "fst", "tl_imz": "snd",
}

// scalars are functions that scalars.fcl has, tolerant those among them that are given ⎕CT first.
var (
	scalars = map[string]string{
		"ceil": "ceiling", "tl_ceilx": "ceiling", "rint": "rounded", "trunc": "truncated", "tan": "tan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
		"asinh": "asinh", "acosh": "acosh", "atanh": "atanh", "tl_recd": "reciprocal", "tl_pid": "timesPi", "tl_resx": "residueExact", "tl_logd": "logBase",
		"tl_magnitude": "magnitude", "tl_d2b": "truth", "tl_signd": "sign", "tl_infinite": "infinite", "tl_bad_toi": "large",
		"tl_gcdi": "gcd", "tl_lcmi": "lcm", "tl_resi": "residue", "tl_divides": "divides", "tl_resn": "remainder", "tl_quov": "quotient",
		"tl_remv": "rest", "tl_powi": "power2", "tl_rolld_at": "rollUnit", "tl_rolli_at": "roll", "tl_roll32_at": "roll",
		"tl_sine_part": "sinePart", "tl_cosine_part": "cosinePart", "tl_fma": "fused", ir.TwiceFn: "twice",
		"tl_negz": "negZ", "tl_conjz": "conjugate", "tl_recz": "reciprocalZ", "tl_expz": "expZ", "tl_piz": "timesPiZ", "tl_addz": "addZ", "tl_subz": "subZ",
		"tl_mulz": "mulZ", "tl_divz": "divZ", "tl_absz": "absZ", "tl_samez": "sameZ", "tl_z": "complex", "tl_d2z": "real", "tl_scalez": "scaleZ",
	}
	tolerant = map[string]string{
		"tl_floord": "tolerantFloor", "tl_ceild": "tolerantCeiling", "tl_resd": "tolerantResidue", "tl_gcdd": "gcdDouble", "tl_lcmd": "lcmDouble",
		"tl_eqd": "equal", "tl_neqd": "unequal", "tl_ltd": "less", "tl_lted": "lessOrEqual", "tl_gtd": "greater", "tl_gted": "greaterOrEqual",
		"tl_floorquoi": "floorQuotient", "tl_eqz": "equalZ", "tl_neqz": "unequalZ",
	}
	circles = map[int64]string{1: "sin", 2: "cos", 3: "tan", 5: "sinh", 6: "cosh", 7: "tanh", -5: "asinh", -6: "acosh", -7: "atanh", 10: "abs"}
)

// unknown is what writing a kernel panics with that has a function without words in FCL.
type unknown string

// math writes an application of a function of the run-time.
func (w *writer) math(x *ir.Math) (string, int) {
	if x.Fn == "tl_ratio" { // of a number and a constant, which is the last one
		return w.at(x.Args[0], multiplying) + " / " + w.at(x.Args[3], unary), multiplying
	}
	args := x.Args
	f := builtin[x.Fn]
	if f == "" {
		f = scalars[x.Fn]
	}
	if k, ok := constant(x); ok && x.Fn == "tl_circled" {
		f, args = circles[k], args[1:]
	}
	if t := tolerant[x.Fn]; t != "" {
		f = t + " " + strconv.FormatFloat(w.tolerance, 'g', -1, 64)
	}
	if f == "" {
		panic(unknown(x.Fn))
	}
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = w.operand(a)
		if k := a.Kind(); k.Exact() && k != ir.I64 && builtin[x.Fn] == "" { // these take ints
			list[i] = w.operand(&ir.Convert{To: ir.I64, X: a})
		}
	}
	text := f + " " + strings.Join(list, " ")
	if x.K.Exact() && x.K != ir.I64 && x.K != ir.U8 && builtin[x.Fn] == "" {
		text = fmt.Sprintf("%s (%s)", ScalarOf(x.K), text)
	}
	return text, applying
}

func constant(x *ir.Math) (int64, bool) {
	if len(x.Args) == 0 {
		return 0, false
	}
	return ir.IntOf(x.Args[0])
}
