package tail

// Op is a primitive operation of TAIL. Everything known about it is its row.
type Op uint8

// The ops. The zero value is "unset".
const (
	NoOp Op = iota
	OpAddI
	OpSubI
	OpMulI
	OpMinI
	OpMaxI
	OpResI
	OpQuoI
	OpPowI
	OpGcdI
	OpLcmI
	OpBitAnd
	OpBitOr
	OpBitXor
	OpNegI
	OpAbsI
	OpSignI
	OpLtI
	OpLteI
	OpGtI
	OpGteI
	OpEqI
	OpNeqI
	OpAddD
	OpSubD
	OpMulD
	OpDivD
	OpMinD
	OpMaxD
	OpResD
	OpResX
	OpFmaD
	OpPowD
	OpLogD
	OpGcdD
	OpLcmD
	OpBinD
	OpFactD
	OpCircle
	OpNegD
	OpAbsD
	OpSignD
	OpRecD
	OpExpD
	OpLnD
	OpSqrtD
	OpPiD
	OpSinD
	OpCosD
	OpTanD
	OpSinhD
	OpCoshD
	OpTanhD
	OpAsinD
	OpAcosD
	OpAtanD
	OpAsinhD
	OpAcoshD
	OpAtanhD
	OpFloorD
	OpCeilD
	OpFloorX
	OpCeilX
	OpAddZ
	OpSubZ
	OpMulZ
	OpScaleZ
	OpDivZ
	OpPowZ
	OpLogZ
	OpCircleZ
	OpNegZ
	OpConjZ
	OpSignZ
	OpRecZ
	OpExpZ
	OpLnZ
	OpPiZ
	OpAbsZ
	OpReZ
	OpImZ
	OpArgZ
	OpFloorZ
	OpCeilZ
	OpResZ
	OpGcdZ
	OpLcmZ
	OpBinZ
	OpFactZ
	OpEqZ
	OpNeqZ
	OpLtD
	OpLtX
	OpLteD
	OpLteX
	OpGtD
	OpGtX
	OpGteD
	OpGteX
	OpEqD
	OpEqX
	OpNeqD
	OpNeqX
	OpEqC
	OpNeqC
	OpAndB
	OpOrB
	OpXorB
	OpEqB
	OpNandB
	OpNorB
	OpNotB
	OpB2I
	OpI2D
	OpB2D
	OpD2I
	OpI2B
	OpD2B
	OpD2Z
	OpZ2D
	OpC2I
	OpI2C
	OpUpperC
	OpLowerC
	OpFoldC
	OpRollI
	OpRollD
	OpIota
	OpEach
	OpZipWith
	OpReduce
	OpReduce1
	OpReduceWin
	OpScan
	OpOuter
	OpInner
	OpInner1
	OpChain
	OpCells
	OpCells2
	OpItems
	OpSegments
	OpPower
	OpWhile
	OpShape
	OpTally
	OpCount
	OpReshape
	OpRavel
	OpReverse
	OpRotate
	OpRotateM
	OpTransp
	OpTransp2
	OpTake
	OpDrop
	OpFirst
	OpOnly
	OpStretch
	OpCat
	OpCons
	OpSnoc
	OpLaminate
	OpCompress
	OpReplicate
	OpExpand
	OpIndex
	OpUpdate
	OpAll
	OpMember
	OpIndexOf
	OpWhere
	OpLongest
	OpIntervalIndex
	OpUnique
	OpFirstCell
	OpFirstItem
	OpItemTable
	OpItemPlace
	OpRaggedTable
	OpRaggedPlace
	OpWithout
	OpGradeUp
	OpGradeDown
	OpEncode
	OpDecode
	OpMatch
	OpFind
	OpMatInv
	OpMatDiv
	OpDeal
	OpFormat
	OpFormatBy
	OpPicture
	OpPrint
	OpPrintBare
	OpReadText
	OpWriteText
	OpStop
	OpReadCSV
	OpCSVText
	OpReadNpy
	OpWriteNpy
	OpReceive
	OpSend
	OpArgCount
	OpArgText
	OpParseNumber
	OpTimeStamp
	OpClock
	OpSeed
	OpGenerator
	OpExpect
)

// Row is what is known about an op. Type schemes are in TAIL's own syntax;
// Greek letters and r, k, c, n, m with digits are variables.
type Row struct {
	Name   string // in the text form
	Scheme string
	// Sized and SizedScheme are the name and the scheme of figure 3.3, for
	// arguments of known length; the text form uses the name where it applies.
	Sized, SizedScheme string
	Glyph              string // what users write, for messages
	Doc                string
	Scalar             bool   // takes scalars and gives a scalar
	Assoc, Commut      bool   // mathematically; for doubles up to rounding
	Axis               bool   // Apply.Axis is used
	Ks                 string // what Apply.Ks means, if anything
	Impure             bool   // has an effect, or depends on one
	Faults             []Fault
}

// definedKs is what Ks means for the ops that can be as defined, see Apply.AsDefined.
const definedKs = "1 where it is as defined"

// withinKs is what Ks means for the ops of which it can be known that as many items are
// there as they take or drop, see Apply.Within.
const withinKs = "1 where there are as many items"

// NumOps is the number of ops, NoOp included.
const NumOps = len(rows)

var rows = [...]Row{
	OpAddI:          {Name: "addi", Scheme: "int → int → int", Glyph: "+", Doc: "sum", Scalar: true, Assoc: true, Commut: true, Faults: []Fault{FaultOverflow}},
	OpSubI:          {Name: "subi", Scheme: "int → int → int", Glyph: "-", Doc: "difference", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpMulI:          {Name: "muli", Scheme: "int → int → int", Glyph: "×", Doc: "product", Scalar: true, Assoc: true, Commut: true, Faults: []Fault{FaultOverflow}},
	OpMinI:          {Name: "mini", Scheme: "int → int → int", Glyph: "⌊", Doc: "lesser", Scalar: true, Assoc: true, Commut: true},
	OpMaxI:          {Name: "maxi", Scheme: "int → int → int", Glyph: "⌈", Doc: "greater", Scalar: true, Assoc: true, Commut: true},
	OpResI:          {Name: "resi", Scheme: "int → int → int", Glyph: "|", Doc: "x|y: y modulo x with the sign of x; y where x is 0", Scalar: true},
	OpQuoI:          {Name: "quoi", Scheme: "int → int → int", Glyph: "÷", Doc: "x÷y, where y divides x and is greater than 1", Scalar: true},
	OpPowI:          {Name: "powi", Scheme: "int → int → int", Glyph: "*", Doc: "x to the power y, y not negative", Scalar: true, Faults: []Fault{FaultOverflow, FaultNegative}},
	OpGcdI:          {Name: "gcdi", Scheme: "int → int → int", Glyph: "∨", Doc: "greatest common divisor", Scalar: true, Commut: true, Faults: []Fault{FaultOverflow}},
	OpLcmI:          {Name: "lcmi", Scheme: "int → int → int", Glyph: "∧", Doc: "least common multiple", Scalar: true, Commut: true, Faults: []Fault{FaultOverflow}},
	OpBitAnd:        {Name: "biti_and", Scheme: "int → int → int", Doc: "bitwise and", Scalar: true, Assoc: true, Commut: true},
	OpBitOr:         {Name: "biti_or", Scheme: "int → int → int", Doc: "bitwise or", Scalar: true, Assoc: true, Commut: true},
	OpBitXor:        {Name: "biti_xor", Scheme: "int → int → int", Doc: "bitwise exclusive or", Scalar: true, Assoc: true, Commut: true},
	OpNegI:          {Name: "negi", Scheme: "int → int", Glyph: "-", Doc: "negation", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpAbsI:          {Name: "absi", Scheme: "int → int", Glyph: "|", Doc: "magnitude", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpSignI:         {Name: "signi", Scheme: "int → int", Glyph: "×", Doc: "sign: ¯1, 0 or 1", Scalar: true},
	OpLtI:           {Name: "lti", Scheme: "int → int → bool", Glyph: "<", Doc: "less", Scalar: true},
	OpLteI:          {Name: "ltei", Scheme: "int → int → bool", Glyph: "≤", Doc: "not greater", Scalar: true},
	OpGtI:           {Name: "gti", Scheme: "int → int → bool", Glyph: ">", Doc: "greater", Scalar: true},
	OpGteI:          {Name: "gtei", Scheme: "int → int → bool", Glyph: "≥", Doc: "not less", Scalar: true},
	OpEqI:           {Name: "eqi", Scheme: "int → int → bool", Glyph: "=", Doc: "equal", Scalar: true, Commut: true},
	OpNeqI:          {Name: "neqi", Scheme: "int → int → bool", Glyph: "≠", Doc: "not equal", Scalar: true, Commut: true},
	OpAddD:          {Name: "addd", Scheme: "double → double → double", Glyph: "+", Doc: "sum", Scalar: true, Assoc: true, Commut: true, Faults: []Fault{FaultFloat}},
	OpSubD:          {Name: "subd", Scheme: "double → double → double", Glyph: "-", Doc: "difference", Scalar: true, Faults: []Fault{FaultFloat}},
	OpMulD:          {Name: "muld", Scheme: "double → double → double", Glyph: "×", Doc: "product", Scalar: true, Assoc: true, Commut: true, Faults: []Fault{FaultFloat}},
	OpDivD:          {Name: "divd", Scheme: "double → double → double", Glyph: "÷", Doc: "quotient; 0÷0 is 1", Scalar: true, Faults: []Fault{FaultDivide, FaultFloat}},
	OpMinD:          {Name: "mind", Scheme: "double → double → double", Glyph: "⌊", Doc: "lesser", Scalar: true, Assoc: true, Commut: true},
	OpMaxD:          {Name: "maxd", Scheme: "double → double → double", Glyph: "⌈", Doc: "greater", Scalar: true, Assoc: true, Commut: true},
	OpResD:          {Name: "resd", Scheme: "double → double → double", Glyph: "|", Doc: "x|y, tolerant", Scalar: true, Faults: []Fault{FaultFloat}},
	OpResX:          {Name: "resx", Scheme: "double → double → double", Glyph: "|", Doc: "x|y, exact", Scalar: true, Faults: []Fault{FaultFloat}},
	OpFmaD:          {Name: "fmad", Scheme: "double → double → double → double", Doc: "x×y+z, rounded once", Scalar: true, Faults: []Fault{FaultFloat}},
	OpPowD:          {Name: "powd", Scheme: "double → double → double", Glyph: "*", Doc: "x to the power y", Scalar: true, Faults: []Fault{FaultComplexResult, FaultDivide, FaultFloat}},
	OpLogD:          {Name: "logd", Scheme: "double → double → double", Glyph: "⍟", Doc: "logarithm of y to base x", Scalar: true, Faults: []Fault{FaultComplexResult, FaultOutOfDomain, FaultFloat}},
	OpGcdD:          {Name: "gcdd", Scheme: "double → double → double", Glyph: "∨", Doc: "greatest common divisor, tolerant", Scalar: true, Commut: true, Faults: []Fault{FaultFloat}},
	OpLcmD:          {Name: "lcmd", Scheme: "double → double → double", Glyph: "∧", Doc: "least common multiple, tolerant", Scalar: true, Commut: true, Faults: []Fault{FaultFloat}},
	OpBinD:          {Name: "bind", Scheme: "double → double → double", Glyph: "!", Doc: "binomial: x!y", Scalar: true, Faults: []Fault{FaultOutOfDomain, FaultFloat}},
	OpFactD:         {Name: "factd", Scheme: "double → double", Glyph: "!", Doc: "factorial: gamma of y+1", Scalar: true, Faults: []Fault{FaultOutOfDomain, FaultFloat}},
	OpCircle:        {Name: "circled", Scheme: "int → double → double", Glyph: "○", Doc: "circular function number x of y, ¯7…7 that are real", Scalar: true, Faults: []Fault{FaultComplexResult, FaultOutOfDomain, FaultFloat}},
	OpNegD:          {Name: "negd", Scheme: "double → double", Glyph: "-", Doc: "negation", Scalar: true},
	OpAbsD:          {Name: "absd", Scheme: "double → double", Glyph: "|", Doc: "magnitude", Scalar: true},
	OpSignD:         {Name: "signd", Scheme: "double → int", Glyph: "×", Doc: "sign: ¯1, 0 or 1", Scalar: true},
	OpRecD:          {Name: "recd", Scheme: "double → double", Glyph: "÷", Doc: "reciprocal", Scalar: true, Faults: []Fault{FaultDivide, FaultFloat}},
	OpExpD:          {Name: "expd", Scheme: "double → double", Glyph: "*", Doc: "e to the power y", Scalar: true, Faults: []Fault{FaultFloat}},
	OpLnD:           {Name: "lnd", Scheme: "double → double", Glyph: "⍟", Doc: "natural logarithm", Scalar: true, Faults: []Fault{FaultComplexResult, FaultOutOfDomain}},
	OpSqrtD:         {Name: "sqrtd", Scheme: "double → double", Glyph: "*", Doc: "square root (y*0.5)", Scalar: true, Faults: []Fault{FaultComplexResult}},
	OpPiD:           {Name: "pid", Scheme: "double → double", Glyph: "○", Doc: "π times y", Scalar: true, Faults: []Fault{FaultFloat}},
	OpSinD:          {Name: "sind", Scheme: "double → double", Glyph: "○", Doc: "1○y", Scalar: true},
	OpCosD:          {Name: "cosd", Scheme: "double → double", Glyph: "○", Doc: "2○y", Scalar: true},
	OpTanD:          {Name: "tand", Scheme: "double → double", Glyph: "○", Doc: "3○y", Scalar: true, Faults: []Fault{FaultFloat}},
	OpSinhD:         {Name: "sinhd", Scheme: "double → double", Glyph: "○", Doc: "5○y", Scalar: true, Faults: []Fault{FaultFloat}},
	OpCoshD:         {Name: "coshd", Scheme: "double → double", Glyph: "○", Doc: "6○y", Scalar: true, Faults: []Fault{FaultFloat}},
	OpTanhD:         {Name: "tanhd", Scheme: "double → double", Glyph: "○", Doc: "7○y", Scalar: true},
	OpAsinD:         {Name: "asind", Scheme: "double → double", Glyph: "○", Doc: "¯1○y", Scalar: true, Faults: []Fault{FaultComplexResult}},
	OpAcosD:         {Name: "acosd", Scheme: "double → double", Glyph: "○", Doc: "¯2○y", Scalar: true, Faults: []Fault{FaultComplexResult}},
	OpAtanD:         {Name: "atand", Scheme: "double → double", Glyph: "○", Doc: "¯3○y", Scalar: true},
	OpAsinhD:        {Name: "asinhd", Scheme: "double → double", Glyph: "○", Doc: "¯5○y", Scalar: true},
	OpAcoshD:        {Name: "acoshd", Scheme: "double → double", Glyph: "○", Doc: "¯6○y", Scalar: true, Faults: []Fault{FaultComplexResult}},
	OpAtanhD:        {Name: "atanhd", Scheme: "double → double", Glyph: "○", Doc: "¯7○y", Scalar: true, Faults: []Fault{FaultComplexResult, FaultOutOfDomain}},
	OpFloorD:        {Name: "floord", Scheme: "double → int", Glyph: "⌊", Doc: "floor, tolerant", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpCeilD:         {Name: "ceild", Scheme: "double → int", Glyph: "⌈", Doc: "ceiling, tolerant", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpFloorX:        {Name: "floorx", Scheme: "double → int", Glyph: "⌊", Doc: "floor, exact", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpCeilX:         {Name: "ceilx", Scheme: "double → int", Glyph: "⌈", Doc: "ceiling, exact", Scalar: true, Faults: []Fault{FaultOverflow}},
	OpAddZ:          {Name: "addz", Scheme: "complex → complex → complex", Glyph: "+", Doc: "sum", Scalar: true, Assoc: true, Commut: true, Faults: []Fault{FaultFloat}},
	OpSubZ:          {Name: "subz", Scheme: "complex → complex → complex", Glyph: "-", Doc: "difference", Scalar: true, Faults: []Fault{FaultFloat}},
	OpMulZ:          {Name: "mulz", Scheme: "complex → complex → complex", Glyph: "×", Doc: "product", Scalar: true, Assoc: true, Commut: true, Faults: []Fault{FaultFloat}},
	OpScaleZ:        {Name: "scalez", Scheme: "double → complex → complex", Glyph: "×", Doc: "product of a real number and each part of y", Scalar: true, Faults: []Fault{FaultFloat}},
	OpDivZ:          {Name: "divz", Scheme: "complex → complex → complex", Glyph: "÷", Doc: "quotient; 0÷0 is 1", Scalar: true, Faults: []Fault{FaultDivide, FaultFloat}},
	OpPowZ:          {Name: "powz", Scheme: "complex → complex → complex", Glyph: "*", Doc: "x to the power y, the principal value", Scalar: true, Faults: []Fault{FaultDivide, FaultFloat}},
	OpLogZ:          {Name: "logz", Scheme: "complex → complex → complex", Glyph: "⍟", Doc: "logarithm of y to base x, the principal value", Scalar: true, Faults: []Fault{FaultOutOfDomain, FaultFloat}},
	OpCircleZ:       {Name: "circlez", Scheme: "int → complex → complex", Glyph: "○", Doc: "circular function number x of y, ¯12…12", Scalar: true, Faults: []Fault{FaultCircle, FaultFloat}},
	OpNegZ:          {Name: "negz", Scheme: "complex → complex", Glyph: "-", Doc: "negation", Scalar: true},
	OpConjZ:         {Name: "conjz", Scheme: "complex → complex", Glyph: "+", Doc: "conjugate", Scalar: true},
	OpSignZ:         {Name: "signz", Scheme: "complex → complex", Glyph: "×", Doc: "direction: y÷|y, 0 for 0", Scalar: true, Faults: []Fault{FaultFloat}},
	OpRecZ:          {Name: "recz", Scheme: "complex → complex", Glyph: "÷", Doc: "reciprocal", Scalar: true, Faults: []Fault{FaultDivide, FaultFloat}},
	OpExpZ:          {Name: "expz", Scheme: "complex → complex", Glyph: "*", Doc: "exponential", Scalar: true, Faults: []Fault{FaultFloat}},
	OpLnZ:           {Name: "lnz", Scheme: "complex → complex", Glyph: "⍟", Doc: "natural logarithm, the principal value", Scalar: true, Faults: []Fault{FaultOutOfDomain, FaultFloat}},
	OpPiZ:           {Name: "piz", Scheme: "complex → complex", Glyph: "○", Doc: "pi times", Scalar: true, Faults: []Fault{FaultFloat}},
	OpAbsZ:          {Name: "absz", Scheme: "complex → double", Glyph: "|", Doc: "magnitude", Scalar: true, Faults: []Fault{FaultFloat}},
	OpReZ:           {Name: "rez", Scheme: "complex → double", Glyph: "9○", Doc: "real part", Scalar: true},
	OpImZ:           {Name: "imz", Scheme: "complex → double", Glyph: "11○", Doc: "imaginary part", Scalar: true},
	OpArgZ:          {Name: "argz", Scheme: "complex → double", Glyph: "12○", Doc: "phase, in -π…π", Scalar: true},
	OpFloorZ:        {Name: "floorz", Scheme: "complex → complex", Glyph: "⌊", Doc: "floor, tolerant: a Gaussian integer", Scalar: true, Faults: []Fault{FaultFloat}},
	OpCeilZ:         {Name: "ceilz", Scheme: "complex → complex", Glyph: "⌈", Doc: "ceiling, tolerant: a Gaussian integer", Scalar: true, Faults: []Fault{FaultFloat}},
	OpResZ:          {Name: "resz", Scheme: "complex → complex → complex", Glyph: "|", Doc: "x|y, tolerant; y where x is 0", Scalar: true, Faults: []Fault{FaultFloat}},
	OpGcdZ:          {Name: "gcdz", Scheme: "complex → complex → complex", Glyph: "∨", Doc: "greatest common divisor in the first quadrant, tolerant", Scalar: true, Faults: []Fault{FaultFloat}},
	OpLcmZ:          {Name: "lcmz", Scheme: "complex → complex → complex", Glyph: "∧", Doc: "least common multiple: the product divided by gcdz", Scalar: true, Faults: []Fault{FaultFloat}},
	OpBinZ:          {Name: "binz", Scheme: "complex → complex → complex", Glyph: "!", Doc: "binomial: x!y", Scalar: true, Faults: []Fault{FaultOutOfDomain, FaultFloat}},
	OpFactZ:         {Name: "factz", Scheme: "complex → complex", Glyph: "!", Doc: "factorial: gamma of y+1", Scalar: true, Faults: []Fault{FaultOutOfDomain, FaultFloat}},
	OpEqZ:           {Name: "eqz", Scheme: "complex → complex → bool", Glyph: "=", Doc: "equal, tolerant", Scalar: true, Commut: true},
	OpNeqZ:          {Name: "neqz", Scheme: "complex → complex → bool", Glyph: "≠", Doc: "not equal, tolerant", Scalar: true, Commut: true},
	OpLtD:           {Name: "ltd", Scheme: "double → double → bool", Glyph: "<", Doc: "less, tolerant", Scalar: true},
	OpLtX:           {Name: "ltx", Scheme: "double → double → bool", Glyph: "<", Doc: "less, exact", Scalar: true},
	OpLteD:          {Name: "lted", Scheme: "double → double → bool", Glyph: "≤", Doc: "not greater, tolerant", Scalar: true},
	OpLteX:          {Name: "ltex", Scheme: "double → double → bool", Glyph: "≤", Doc: "not greater, exact", Scalar: true},
	OpGtD:           {Name: "gtd", Scheme: "double → double → bool", Glyph: ">", Doc: "greater, tolerant", Scalar: true},
	OpGtX:           {Name: "gtx", Scheme: "double → double → bool", Glyph: ">", Doc: "greater, exact", Scalar: true},
	OpGteD:          {Name: "gted", Scheme: "double → double → bool", Glyph: "≥", Doc: "not less, tolerant", Scalar: true},
	OpGteX:          {Name: "gtex", Scheme: "double → double → bool", Glyph: "≥", Doc: "not less, exact", Scalar: true},
	OpEqD:           {Name: "eqd", Scheme: "double → double → bool", Glyph: "=", Doc: "equal, tolerant", Scalar: true, Commut: true},
	OpEqX:           {Name: "eqx", Scheme: "double → double → bool", Glyph: "=", Doc: "equal, exact", Scalar: true, Commut: true},
	OpNeqD:          {Name: "neqd", Scheme: "double → double → bool", Glyph: "≠", Doc: "not equal, tolerant", Scalar: true, Commut: true},
	OpNeqX:          {Name: "neqx", Scheme: "double → double → bool", Glyph: "≠", Doc: "not equal, exact", Scalar: true, Commut: true},
	OpEqC:           {Name: "eqc", Scheme: "char → char → bool", Glyph: "=", Doc: "equal", Scalar: true, Commut: true},
	OpNeqC:          {Name: "neqc", Scheme: "char → char → bool", Glyph: "≠", Doc: "not equal", Scalar: true, Commut: true},
	OpAndB:          {Name: "andb", Scheme: "bool → bool → bool", Glyph: "∧", Doc: "and", Scalar: true, Assoc: true, Commut: true},
	OpOrB:           {Name: "orb", Scheme: "bool → bool → bool", Glyph: "∨", Doc: "or", Scalar: true, Assoc: true, Commut: true},
	OpXorB:          {Name: "xorb", Scheme: "bool → bool → bool", Glyph: "≠", Doc: "not equal", Scalar: true, Assoc: true, Commut: true},
	OpEqB:           {Name: "eqb", Scheme: "bool → bool → bool", Glyph: "=", Doc: "equal", Scalar: true, Assoc: true, Commut: true},
	OpNandB:         {Name: "nandb", Scheme: "bool → bool → bool", Glyph: "⍲", Doc: "not and", Scalar: true, Commut: true},
	OpNorB:          {Name: "norb", Scheme: "bool → bool → bool", Glyph: "⍱", Doc: "not or", Scalar: true, Commut: true},
	OpNotB:          {Name: "notb", Scheme: "bool → bool", Glyph: "~", Doc: "not", Scalar: true},
	OpB2I:           {Name: "b2i", Scheme: "bool → int", Doc: "coercion", Scalar: true},
	OpI2D:           {Name: "i2d", Scheme: "int → double", Doc: "coercion", Scalar: true},
	OpB2D:           {Name: "b2d", Scheme: "bool → double", Doc: "coercion", Scalar: true},
	OpD2I:           {Name: "d2i", Scheme: "double → int", Doc: "checked coercion: y is an integer within tolerance", Scalar: true, Faults: []Fault{FaultNotInteger}},
	OpI2B:           {Name: "i2b", Scheme: "int → bool", Doc: "checked coercion: y is 0 or 1", Scalar: true, Faults: []Fault{FaultNotBoolean}},
	OpD2B:           {Name: "d2b", Scheme: "double → bool", Doc: "checked coercion: y is 0 or 1 within tolerance", Scalar: true, Faults: []Fault{FaultNotBoolean}},
	OpD2Z:           {Name: "d2z", Scheme: "double → complex", Doc: "coercion", Scalar: true},
	OpZ2D:           {Name: "z2d", Scheme: "complex → double", Doc: "checked coercion: y is real within tolerance", Scalar: true, Faults: []Fault{FaultNotReal}},
	OpC2I:           {Name: "c2i", Scheme: "char → int", Glyph: "⎕UCS", Doc: "code point", Scalar: true},
	OpI2C:           {Name: "i2c", Scheme: "int → char", Glyph: "⎕UCS", Doc: "character of a code point", Scalar: true, Faults: []Fault{FaultOutOfDomain}},
	OpUpperC:        {Name: "upperc", Scheme: "char → char", Glyph: "⎕C", Doc: "upper case", Scalar: true},
	OpLowerC:        {Name: "lowerc", Scheme: "char → char", Glyph: "⎕C", Doc: "lower case", Scalar: true},
	OpFoldC:         {Name: "foldc", Scheme: "char → char", Glyph: "⎕C", Doc: "what stands for a letter where case does not matter", Scalar: true},
	OpRollI:         {Name: "rolli", Scheme: "int → int", Glyph: "?", Doc: "random integer from 1…y", Scalar: true, Impure: true, Faults: []Fault{FaultRoll}},
	OpRollD:         {Name: "rolld", Scheme: "double", Glyph: "?0", Doc: "random double between 0 and 1; no argument", Scalar: true, Impure: true},
	OpIota:          {Name: "iota", Scheme: "int → [int]1", Sized: "iotaV", SizedScheme: "S(int,n) → <int>n", Glyph: "⍳", Doc: "1 2 … n", Faults: []Fault{FaultNegative}},
	OpEach:          {Name: "each", Scheme: "(α → β) → [α]r → [β]r", Glyph: "¨", Doc: "apply a scalar function to every element"},
	OpZipWith:       {Name: "zipWith", Scheme: "(α1 → α2 → β) → [α1]r → [α2]r → [β]r", Doc: "apply a scalar function to corresponding elements", Faults: []Fault{FaultShapes}},
	OpReduce:        {Name: "reduce", Scheme: "(α → α → α) → α → [α](1+r) → [α]r", Glyph: "/", Doc: "reduce along Axis; the second argument is the result on an empty axis", Axis: true},
	OpReduce1:       {Name: "reduce1", Scheme: "(α → α → α) → [α](1+r) → [α]r", Glyph: "/", Doc: "reduce along Axis, which must not be empty; as defined", Axis: true, Faults: []Fault{FaultEmptyReduce}},
	OpReduceWin:     {Name: "reducewin", Ks: definedKs, Scheme: "(α → α → α) → int → [α](1+r) → [α](1+r)", Glyph: "/", Doc: "n-wise reduction along Axis; negative n reverses each window, n must not be 0", Axis: true, Faults: []Fault{FaultWindow, FaultEmptyReduce}},
	OpScan:          {Name: "scan", Ks: definedKs, Scheme: "(α → α → α) → [α]r → [α]r", Glyph: `\`, Doc: "the reductions of all prefixes along Axis", Axis: true},
	OpOuter:         {Name: "outer", Scheme: "(α1 → α2 → β) → [α1]r1 → [α2]r2 → [β](r1+r2)", Glyph: "∘.", Doc: "apply a scalar function to all pairs"},
	OpInner:         {Name: "inner", Scheme: "(β → β → β) → (α1 → α2 → β) → β → [α1](r1+1) → [α2](r2+1) → [β](r1+r2)", Glyph: ".", Doc: "inner product; the third argument is the result on empty axes", Faults: []Fault{FaultInner}},
	OpInner1:        {Name: "inner1", Scheme: "(β → β → β) → (α1 → α2 → β) → [α1](r1+1) → [α2](r2+1) → [β](r1+r2)", Glyph: ".", Doc: "inner product on axes that must not be empty", Faults: []Fault{FaultInner, FaultEmptyReduce}},
	OpChain:         {Name: "chain", Scheme: "(α1 → α2 → β → β) → β → [α1](r1+1) → [α2](r2+1) → [β](r1+r2)", Glyph: ".", Doc: "inner product that extends what the terms before gave, from the first one on: f(x[i;n],y[n;j],… f(x[i;1],y[1;j],z)), where z is the second argument", Faults: []Fault{FaultInner}},
	OpCells:         {Name: "cells", Scheme: "([α]k → [β]c) → [α](r+k) → [β](r+c)", Glyph: "⍤", Doc: "apply a function to every cell of rank Ks[0]; shorter results are padded", Ks: "cell rank"},
	OpCells2:        {Name: "cells2", Scheme: "([α1]k1 → [α2]k2 → [β]c) → [α1](r+k1) → [α2](r+k2) → [β](r+c)", Glyph: "⍤", Doc: "apply a function to corresponding cells of ranks Ks[0] and Ks[1]; a frame may be empty and is then extended; shorter results are padded", Ks: "cell ranks", Faults: []Fault{FaultShapes}},
	OpItems:         {Name: "items", Scheme: "(int → τ) → int → τ", Glyph: "¨", Doc: "the vectors that a function gives for 1 2 … n, one behind the other, and their lengths; of a tuple those of each component, and scalars as a vector", Faults: []Fault{FaultNegative}},
	OpSegments:      {Name: "segments", Scheme: "(int → [β]1) → <int>n → [β]1", Glyph: "¨", Doc: "the vectors that a function gives for 1 2 … n, one behind the other; the second argument is their lengths, which passes take for right", Faults: []Fault{FaultShapes}},
	OpPower:         {Name: "power", Scheme: "(τ → τ) → int → τ → τ", Glyph: "⍣", Doc: "apply a function n times; τ may be a tuple", Faults: []Fault{FaultInverse}},
	OpWhile:         {Name: "while", Scheme: "(τ → bool) → (τ → τ) → τ → τ", Glyph: "⍣", Doc: "apply the second function as long as the first gives 1; τ may be a tuple"},
	OpShape:         {Name: "shape", Scheme: "[α]r → <int>r", Sized: "shapeV", SizedScheme: "<α>n → SV(int,n)", Glyph: "⍴", Doc: "the extents"},
	OpTally:         {Name: "tally", Scheme: "[α]r → int", Glyph: "≢", Doc: "the extent of the first axis; 1 for a scalar"},
	OpCount:         {Name: "count", Scheme: "[α]r → int", Glyph: "≢,", Doc: "the number of elements"},
	OpReshape:       {Name: "reshape", Scheme: "<int>r1 → [α]r → [α]r1", Glyph: "⍴", Doc: "the elements, cyclically, in a new shape; fill elements when there are none", Faults: []Fault{FaultReshape, FaultTooLarge}},
	OpRavel:         {Name: "ravel", Scheme: "[α]r → [α]1", Glyph: ",", Doc: "the elements in row-major order"},
	OpReverse:       {Name: "reverse", Scheme: "[α]r → [α]r", Sized: "reverseV", SizedScheme: "<α>n → <α>n", Glyph: "⌽", Doc: "reverse along Axis", Axis: true},
	OpRotate:        {Name: "rotate", Scheme: "int → [α]r → [α]r", Sized: "rotateV", SizedScheme: "int → <α>n → <α>n", Glyph: "⌽", Doc: "rotate along Axis by a scalar", Axis: true},
	OpRotateM:       {Name: "rotatem", Scheme: "[int]r → [α](r+1) → [α](r+1)", Glyph: "⌽", Doc: "rotate each vector along Axis by its own count", Axis: true, Faults: []Fault{FaultRotate}},
	OpTransp:        {Name: "transp", Scheme: "[α]r → [α]r", Glyph: "⍉", Doc: "reverse the axes"},
	OpTransp2:       {Name: "transp2", Scheme: "<int>r → [α]r → [α]r1", Glyph: "⍉", Doc: "axis i of the argument becomes axis v[i] of the result; repeats give diagonals", Faults: []Fault{FaultPermutation}},
	OpTake:          {Name: "take", Ks: withinKs, Scheme: "<int>n → [α]r → [α]r", Sized: "takeV", SizedScheme: "S(int,n) → [α]1 → <α>n", Glyph: "↑", Doc: "the first (last, where negative) items of the leading axes; fill elements beyond", Faults: []Fault{FaultTakeLength}},
	OpDrop:          {Name: "drop", Ks: withinKs, Scheme: "<int>n → [α]r → [α]r", Sized: "dropV", SizedScheme: "S(int,n) → <α>(n+m) → <α>m", Glyph: "↓", Doc: "without the first (last, where negative) items of the leading axes", Faults: []Fault{FaultTakeLength}},
	OpFirst:         {Name: "first", Scheme: "[α]r → α", Sized: "firstV", SizedScheme: "SV(α,n) → S(α,n)", Glyph: "⊃", Doc: "the first element; the fill element when there are none"},
	OpOnly:          {Name: "only", Scheme: "[α]r → <int>n → α", Doc: "the element of an array that has one; the second argument is the shape of the array that the element goes with, empty where there is none", Faults: []Fault{FaultNotScalar, FaultRanks}},
	OpStretch:       {Name: "stretch", Scheme: "int → [α](r+1) → [α](r+1)", Doc: "the one item along Axis as often as the first argument says; an array with none or several items is the result", Axis: true},
	OpCat:           {Name: "cat", Scheme: "[α](r+1) → [α](r+1) → [α](r+1)", Sized: "catV", SizedScheme: "<α>n → <α>m → <α>(n+m)", Glyph: ",", Doc: "catenate along Axis", Axis: true, Faults: []Fault{FaultCatenate}},
	OpCons:          {Name: "cons", Scheme: "[α]r → [α](r+1) → [α](r+1)", Sized: "consV", SizedScheme: "α → <α>n → <α>(1+n)", Glyph: ",", Doc: "put a cell in front along Axis", Axis: true, Faults: []Fault{FaultCatenate}},
	OpSnoc:          {Name: "snoc", Scheme: "[α](r+1) → [α]r → [α](r+1)", Sized: "snocV", SizedScheme: "<α>n → α → <α>(1+n)", Glyph: ",", Doc: "put a cell behind along Axis", Axis: true, Faults: []Fault{FaultCatenate}},
	OpLaminate:      {Name: "laminate", Scheme: "[α]r → [α]r → [α](r+1)", Glyph: ",[.5]", Doc: "two arrays along a new Axis", Axis: true, Faults: []Fault{FaultShapes}},
	OpCompress:      {Name: "compress", Scheme: "[bool]1 → [α](r+1) → [α](r+1)", Glyph: "/", Doc: "keep the items along Axis where the left argument is 1", Axis: true, Faults: []Fault{FaultReplicate}},
	OpReplicate:     {Name: "replicate", Scheme: "[int]1 → [α](r+1) → [α](r+1)", Glyph: "/", Doc: "repeat each item along Axis; negative counts give fill elements", Axis: true, Faults: []Fault{FaultReplicate}},
	OpExpand:        {Name: "expand", Scheme: "[int]1 → [α](r+1) → [α](r+1)", Glyph: `\`, Doc: "insert fill elements along Axis where the left argument is 0 or negative", Axis: true, Faults: []Fault{FaultExpand}},
	OpIndex:         {Name: "index", Scheme: "[α]r → [int]… → [α]s", Glyph: "[]", Doc: "x[i;j;…]: one index array an axis; all() for an elided one", Faults: []Fault{FaultIndex}},
	OpUpdate:        {Name: "update", Scheme: "[α]r → [int]… → [α]s → [α]r", Glyph: "[]←", Doc: "x with x[i;j;…] replaced by the last argument, a scalar or of the selection's shape; for a repeated index the last in row-major order stays", Faults: []Fault{FaultIndex, FaultUpdate}},
	OpAll:           {Name: "all", Scheme: "all", Glyph: ";", Doc: "an elided index; only as an argument of index and update"},
	OpMember:        {Name: "member", Scheme: "[α]r → [α]s → [bool]r", Glyph: "∊", Doc: "is the element among those of the right argument"},
	OpIndexOf:       {Name: "indexof", Scheme: "[α]1 → [α]r → [int]r", Glyph: "⍳", Doc: "position of the first equal element; one more than the length when there is none"},
	OpWhere:         {Name: "where", Scheme: "[bool]1 → [int]1", Glyph: "⍸", Doc: "positions of the ones"},
	OpLongest:       {Name: "longest", Scheme: "[bool]1 → int", Glyph: "⌈", Doc: "how many ones the longest run of them has, of which there must be one", Faults: []Fault{FaultEmptyReduce}},
	OpIntervalIndex: {Name: "intervalindex", Scheme: "[α]1 → [α]r → [int]r", Glyph: "⍸", Doc: "how many of the sorted left elements are not greater"},
	OpUnique:        {Name: "unique", Scheme: "[α]1 → [α]1", Glyph: "∪", Doc: "the elements without those equal to an earlier one"},
	OpFirstCell:     {Name: "firstcell", Scheme: "[α]r → [int]1", Glyph: "≠", Doc: "for every major cell the position of the first one with the same elements; exact"},
	OpFirstItem:     {Name: "firstitem", Scheme: "[α]1 → <int>n → <int>n → <int>n", Glyph: "≠", Doc: "for every item of a ragged vector, of which the arguments are the elements, the offsets from 0 and the lengths, the position of the first one with the same elements; exact"},
	OpItemTable:     {Name: "itemtable", Scheme: "[α]1 → [int]1", Doc: "a table, for itemplace, of integers or characters"},
	OpItemPlace:     {Name: "itemplace", Scheme: "[int]1 → [α]1 → α → int", Doc: "what indexof gives for the second argument and the third, by the table of the second, which is the first"},
	OpRaggedTable:   {Name: "raggedtable", Scheme: "[α]1 → <int>n → <int>n → [int]1", Doc: "a table, for raggedplace, of the items of a ragged vector of integers or characters"},
	OpRaggedPlace:   {Name: "raggedplace", Scheme: "[int]1 → [α]1 → <int>n → <int>n → [α]1 → int", Doc: "the position of the first item of a ragged vector, the second argument to the fourth, that has the elements of the last argument, one more than there are when there is none, by the table of the ragged vector, or by all items where the first argument is empty"},
	OpWithout:       {Name: "without", Scheme: "[α]1 → [α]s → [α]1", Glyph: "~", Doc: "the elements that are not in the right argument"},
	OpGradeUp:       {Name: "gradeup", Scheme: "[α]r → [int]1", Glyph: "⍋", Doc: "the stable permutation that sorts the major cells up"},
	OpGradeDown:     {Name: "gradedown", Scheme: "[α]r → [int]1", Glyph: "⍒", Doc: "the stable permutation that sorts the major cells down"},
	OpEncode:        {Name: "encode", Scheme: "[κ]r1 → [κ]r → [κ](r1+r)", Glyph: "⊤", Doc: "digits in the number system of the left argument, along a new first axis", Faults: []Fault{FaultFloat}},
	OpDecode:        {Name: "decode", Scheme: "[κ]r1 → [κ]r → [κ]s", Glyph: "⊥", Doc: "values of digits along the first axis of the right, last of the left", Faults: []Fault{FaultDecode, FaultFloat}},
	OpMatch:         {Name: "match", Scheme: "[α]r → [β]s → bool", Glyph: "≡", Doc: "same shape and equal elements"},
	OpFind:          {Name: "find", Scheme: "[α]r → [α]s → [bool]s", Glyph: "⍷", Doc: "where the left argument begins in the right one"},
	OpMatInv:        {Name: "matinv", Scheme: "[κ]2 → [κ]2", Glyph: "⌹", Doc: "inverse (left inverse of a tall matrix)", Faults: []Fault{FaultSingular, FaultFloat}},
	OpMatDiv:        {Name: "matdiv", Scheme: "[κ]r → [κ]2 → [κ]r", Glyph: "⌹", Doc: "solution of linear equations, least squares for a tall matrix", Faults: []Fault{FaultSingular, FaultShapes, FaultFloat}},
	OpDeal:          {Name: "deal", Scheme: "int → int → [int]1", Glyph: "?", Doc: "x different random integers from 1…y", Impure: true, Faults: []Fault{FaultOutOfDomain}},
	OpFormat:        {Name: "format", Scheme: "[α]r → [char]s", Glyph: "⍕", Ks: "⎕PP, where it is not the program's", Doc: "the display as characters"},
	OpFormatBy:      {Name: "formatby", Scheme: "<int>n → [κ]r → [char]s", Glyph: "⍕", Doc: "the display with given width and precision", Faults: []Fault{FaultTakeLength}},
	OpPicture:       {Name: "picture", Scheme: "[char]1 → [α]s… → [char]2", Glyph: "⍕", Ks: "⎕PP, where it is not the program's", Doc: "the display of a nested array, of which the first argument says how it is made of the others, as package display does"},
	OpPrint:         {Name: "print", Scheme: "[α]r → [α]r", Glyph: "⎕←", Ks: "⎕PP, where it is not the program's", Doc: "display the argument and return it", Impure: true},
	OpPrintBare:     {Name: "printbare", Scheme: "[α]r → [α]r", Glyph: "⍞←", Ks: "⎕PP, where it is not the program's", Doc: "write the argument without a line end and return it", Impure: true},
	OpReadText:      {Name: "readtext", Scheme: "[char]1 → [char]1", Glyph: "⎕NGET", Doc: "the text of a file", Impure: true, Faults: []Fault{FaultFile}},
	OpWriteText:     {Name: "writetext", Scheme: "[char]1 → [char]1 → int → int", Glyph: "⎕NPUT", Doc: "write the first argument to the file that the second names, which must be new unless the third is 1; the number of bytes", Impure: true, Faults: []Fault{FaultFile}},
	OpStop:          {Name: "stop", Scheme: "[char]1 → int → int", Glyph: "⎕SIGNAL", Doc: "end the program with the error of number y and text x; 0 goes on and is the result, ¯1 ends it without an error", Impure: true, Faults: []Fault{FaultFormat}},
	OpReadCSV:       {Name: "readcsv", Scheme: "[char]1 → [κ]2", Glyph: "⎕CSV", Doc: "a matrix of numbers from a comma-separated file; Ty gives κ", Impure: true, Faults: []Fault{FaultFile, FaultFormat}},
	OpCSVText:       {Name: "csvtext", Scheme: "[α]2 → [char]1", Glyph: "⎕CSV", Doc: "a matrix as lines of comma-separated fields, numbers in full precision"},
	OpReadNpy:       {Name: "readnpy", Scheme: "[char]1 → [κ]r", Glyph: "⎕NPY", Doc: "an array from a NumPy file; Ty gives κ and r", Impure: true, Faults: []Fault{FaultFile, FaultFormat, FaultAnnotation}},
	OpWriteNpy:      {Name: "writenpy", Scheme: "[α]r → [char]1 → int", Glyph: "⎕NPY", Doc: "write an array to a NumPy file", Impure: true, Faults: []Fault{FaultFile}},
	OpReceive:       {Name: "receive", Scheme: "int → [α]r", Glyph: "←", Doc: "the array that a session put into place n before the program began; an empty one, or a fill element, where there is none; Ty gives α and r"},
	OpSend:          {Name: "send", Scheme: "[α]r → int → int", Glyph: "←", Doc: "give the array back to the session in place n, and return n; places are used in order from 0", Impure: true},
	OpArgCount:      {Name: "argcount", Scheme: "int", Glyph: "⎕ARG", Doc: "how many command-line arguments the program has; no argument", Impure: true},
	OpArgText:       {Name: "argtext", Scheme: "int → [char]1", Glyph: "⎕ARG", Doc: "command-line argument n of the program, from 1; INDEX ERROR beyond", Impure: true, Faults: []Fault{FaultIndex}},
	OpParseNumber:   {Name: "parsenumber", Scheme: "[char]1 → double", Glyph: "⍎", Doc: "the number that a text spells", Faults: []Fault{FaultFormat}},
	OpTimeStamp:     {Name: "timestamp", Scheme: "<int>7", Glyph: "⎕TS", Doc: "year, month, day, hour, minute, second, millisecond; no argument", Impure: true},
	OpClock:         {Name: "clock", Scheme: "<int>4", Glyph: "⎕AI", Doc: "account information: milliseconds since the start in item 3; no argument", Impure: true},
	OpGenerator:     {Name: "generator", Scheme: "int", Glyph: "⎕RL", Doc: "the state of the random generator, a seed to go on with; no argument", Impure: true},
	OpSeed:          {Name: "seed", Scheme: "int → int", Glyph: "⎕RL", Doc: "set the seed of the random generator and return it", Impure: true},
	OpExpect:        {Name: "expect", Scheme: "[α]r → [int]1 → [char]1 → [α]r", Glyph: "⍝:", Doc: "the argument, whose extents (a scalar's value) must be those of the second argument: ¯1 is anything, ¯1-n at least n; the text says what the user claimed", Faults: []Fault{FaultClaim, FaultClaimValue}},
}

// Row returns what is known about o.
func (o Op) Row() *Row {
	if o == NoOp || int(o) >= NumOps {
		panic("internal error: op is unset")
	}
	return &rows[o]
}

func (o Op) String() string { return o.Row().Name }

// Ops returns all ops.
func Ops() []Op {
	all := make([]Op, 0, NumOps-1)
	for o := NoOp + 1; int(o) < NumOps; o++ {
		all = append(all, o)
	}
	return all
}

// opNames maps the names of the text form to ops.
var opNames = func() map[string]Op {
	m := map[string]Op{}
	for _, o := range Ops() {
		m[o.Row().Name] = o
		if s := o.Row().Sized; s != "" {
			m[s] = o
		}
	}
	return m
}()
