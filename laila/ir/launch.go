package ir

// A program for a device has launches where a loop program has parallel nests:
// package clgen puts them there, and package cgen writes the host's part as C.

// Launch runs a kernel. The host executes Plain instead where the work is
// small and its operands are in the host's memory.
type Launch struct {
	Kernel *Kernel
	Plain  []Stmt
}

// Kernel is what the host must know of a kernel to launch it.
type Kernel struct {
	Name   string
	Shape  KernelShape
	Pieces [][]Dim // the spaces of the maps that share the launch
	Bufs   []*Buf
	Access []Access // of each buffer
	Vars   []*Var   // passed by value
	Flags  []*Var   // ORed
	Outs   []*Var   // assigned
	// Within has axes inside each point: of a segmented reduction, or of an inner product, a row
	// and the terms.
	Within []Dim
	// Answers is the place of the flags, and then of the results, in the buffer
	// that all kernels leave them in.
	Answers int64
	Weight  int64 // statements at a point
	// Redo asks for Plain where a flag is raised: sums of parts may overflow
	// where the sum does not.
	Redo bool
	// Wide says that a word after the results reports an integer that is too
	// large for a narrow double.
	Wide bool
	// Notes says that the word behind all answers reports a double that overflowed.
	Notes bool
	// Library says how the kernels of a library's function are launched; nil for others.
	Library *Library
}

// Library is a sequence of launches. The host computes numbers: the first Given are the
// extents of the axes, the number of parts, 1 where the device is a CPU, and the lengths of some of the
// kernel's arrays, the others what their code says.
type Library struct {
	Given   int
	Lengths []int
	Numbers [][]int64 // postfix: SizeConst and a number, SizeOf and the place of one, SizeOps
	Temps   []Temp    // arrays that live as long as the launches
	Steps   []Step
}

// Temp is an array for which a number says how many elements it has.
type Temp struct {
	Elem  Kind
	Count int
}

// Step is a launch of as many work-groups, or work-items, as a number says. Its arguments
// stand between those of every kernel and the answers. If is the place of a number that is 0
// where it is left out; 0, which is an extent, says that it is always launched.
type Step struct {
	Name   string
	If     int
	Count  int
	Size   int64 // work-items of a group
	Groups bool
	Args   []StepArg
}

// Items is the number of work-items of a launch.
func (s *Step) Items(numbers []int64) int64 {
	n := max(numbers[s.Count], 1)
	if !s.Groups {
		n = (n + s.Size - 1) / s.Size
	}
	return n * s.Size
}

// StepArg is a temporary array, bytes of local memory, or a number.
type StepArg struct {
	Kind StepArgKind
	At   int
}

// StepArgKind says what an argument is.
type StepArgKind uint8

// The kinds. The zero value is "unset".
const (
	NoArg StepArgKind = iota
	TempArg
	LocalArg
	NumberArg
)

// SizeConst and SizeOf begin operands of the code of numbers.
const (
	SizeConst int64 = iota
	SizeOf
)

// SizeOps are the operators of the code of numbers, as rt/opencllaunch.c has them; && and || are
// of 0 and 1.
var SizeOps = map[string]int64{"+": 2, "-": 3, "*": 4, "/": 5, "%": 6, "min": 7, "&&": 7, "max": 8, "||": 8,
	"<": 9, "<=": 10, ">": 11, ">=": 12, "==": 13, "!=": 14}

// Compute computes the numbers behind the given ones.
func (l *Library) Compute(numbers []int64) []int64 {
	for _, code := range l.Numbers {
		var stack []int64
		for i := 0; i < len(code); i++ {
			switch op := code[i]; op {
			case SizeConst:
				i++
				stack = append(stack, code[i])
			case SizeOf:
				i++
				stack = append(stack, numbers[code[i]])
			default:
				n := len(stack) - 2
				stack[n] = compute(op, stack[n], stack[n+1])
				stack = stack[:n+1]
			}
		}
		numbers = append(numbers, stack[0])
	}
	return numbers
}

func compute(op, x, y int64) int64 {
	truth := func(b bool) int64 { return map[bool]int64{true: 1}[b] }
	switch op {
	case SizeOps["<"]:
		return truth(x < y)
	case SizeOps["<="]:
		return truth(x <= y)
	case SizeOps[">"]:
		return truth(x > y)
	case SizeOps[">="]:
		return truth(x >= y)
	case SizeOps["=="]:
		return truth(x == y)
	case SizeOps["!="]:
		return truth(x != y)
	case SizeOps["+"]:
		return x + y
	case SizeOps["-"]:
		return x - y
	case SizeOps["*"]:
		return x * y
	case SizeOps["/"]:
		return x / y
	case SizeOps["%"]:
		return x % y
	case SizeOps["min"]:
		return min(x, y)
	}
	return max(x, y)
}

// KernelShape says which kernels a launch consists of.
type KernelShape uint8

// The shapes. The zero value is "unset".
const (
	NoKernel     KernelShape = iota
	MapKernel                // one kernel
	ReduceKernel             // partial results, and their join
	ScanKernel               // totals, what is before each part, the loop
	TaskKernel               // one work-item
	UpdateKernel             // totals of what any work-item has for an array, or one work-item
)

// Access is what a kernel does to a buffer.
type Access uint8

// The ways; a kernel may do both.
const (
	Reads Access = 1 << iota
	Writes
)

// Device is the part of a program that the device executes.
type Device struct {
	Source  string // OpenCL C
	Options string // for its compiler
	Answers int64  // places in the buffer of flags and results
	Groups  bool   // work-groups with local memory, else contiguous chunks
	// Computes says how the device computes run-time functions, by the functions of C in Functions.
	Computes  map[*Runtime]*Compute
	Functions map[string]string
	// Narrow says that doubles are stored and computed as 32-bit floats.
	Narrow bool
	// Limits are the thresholds, in the order of clgen.Thresholds.
	Limits []int64
}

// Compute says how the device computes a run-time function: by a function of arrays and numbers,
// Near where Exact is 0. Without a name the host does it.
type Compute struct {
	Name, Near string
	Arrays     []*Array
	Numbers    []Expr
	Exact      Expr // or nil
}

func (*Launch) stmt() {}
