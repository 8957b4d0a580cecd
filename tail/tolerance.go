package tail

// toleranceOps has the scalar ops of real numbers whose result depends on the
// comparison tolerance.
var toleranceOps = map[Op]bool{
	OpResD: true, OpGcdD: true, OpLcmD: true, OpFloorD: true, OpCeilD: true, OpD2I: true, OpD2B: true,
	OpLtD: true, OpLteD: true, OpGtD: true, OpGteD: true, OpEqD: true, OpNeqD: true,
}

// MaxTolerance is the greatest value of ⎕CT. Dyalog's page names 2*¯32, about
// 2.3E¯10, and programs of its users set 1E¯9.
const MaxTolerance = 1e-9

// Tolerant reports whether the result of an op can depend on the comparison
// tolerance.
func (o Op) Tolerant() bool {
	switch o {
	case OpMember, OpIndexOf, OpUnique, OpWithout, OpMatch, OpFind, OpEncode,
		OpFloorZ, OpCeilZ, OpResZ, OpGcdZ, OpLcmZ, OpEqZ, OpNeqZ, OpZ2D:
		return true
	}
	return o.TolerantReal()
}

// TolerantReal reports whether o is a scalar op of real numbers whose result depends
// on the comparison tolerance.
func (o Op) TolerantReal() bool { return toleranceOps[o] }
