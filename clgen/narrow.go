package clgen

import (
	"errors"
	"strings"
	"unsafe"

	"github.com/tailor-lang/tailor/laila/ir"
	"github.com/tailor-lang/tailor/laila/ir/eval"
)

// With --float=32 doubles are stored and computed as 32-bit floats on the
// device. The host still computes with doubles: arrays are converted when they
// are copied. Numbers are right to about six digits, sums and other long
// computations to fewer, and comparisons are tolerant of 1E¯6, as ⎕CT←1E¯14 is
// less than the precision. Integers stay 64 bits wide. What the format cannot
// do is hold integers above 2*24 exactly: kernels note where a conversion
// between the two meets one, and the program is refused.

// narrowHeader begins the source; literals are floats by a build option.
const narrowHeader = `#pragma OPENCL FP_CONTRACT OFF
#define double float
#undef DBL_MAX
#define DBL_MAX FLT_MAX
#define TL_BITS(x) as_int(x)
#define TL_ULP 0x1p-24f
#define TL_WHOLE 0x1p24f
#define TL_GREAT 0x1p60f
#define TL_SMALL 0x1p-50f
#define TL_UP 0x1p70f
#define TL_DOWN 0x1p-70f
typedef float2 tl_c64;
static float tl_exactly(long x, int *wide) {
  *wide |= (x > 16777216) | (x < -16777216);
  return (float)x;
}
static float tl_within(float x, int *wide) {
  *wide |= fabs(x) > 16777216;
  return x;
}
`

var errWide = errors.New("the program needs integers above 16777216 exactly, which 32-bit floats do not hold; run it without --float=32")

// buildOptions returns what is given to the driver's compiler.
func (p *Plan) buildOptions() string {
	if p.Narrow {
		return "-cl-std=CL1.2 -w -cl-single-precision-constant"
	}
	return "-cl-std=CL1.2 -w"
}

func (pl *planner) newText() *kernelText {
	t := newKernelText()
	t.narrow = pl.plan.Narrow
	t.vector = pl.plan.Schedule == Chunks && !t.narrow
	t.watch, t.place, t.unseen = pl.Watches(), pl.plan.answers, pl.unseen
	t.facts = pl.plan.Facts
	return t
}

const wideDeclared = "int wide = 0; /* an integer is too large for a float */"

// exactly writes a conversion between integers and narrow doubles that notes
// large integers; small kinds need none.
func (t *kernelText) exactly(x *ir.Convert) (string, bool) {
	from := x.X.Kind()
	switch {
	case x.To == ir.F64 && (from == ir.I64 || from == ir.I32):
		if c, ok := x.X.(*ir.Int); ok && c.Val <= 1<<24 && c.Val >= -1<<24 {
			return "", false
		}
		if c, ok := x.X.(*ir.Convert); ok && eval.SizeOf(c.X.Kind()) <= 2 && c.X.Kind() != ir.F64 {
			return "", false
		}
		return "tl_exactly(" + t.expr(x.X) + ", &wide)", true
	case from == ir.F64 && (x.To == ir.I64 || x.To == ir.I32):
		return "(" + cltype(x.To) + ")tl_within(" + t.number(x.X) + ", &wide)", true
	}
	return "", false
}

// raiseWide writes that a large integer was met.
func (t *kernelText) raiseWide(k *kernel) {
	if t.narrow {
		t.line("if (wide) answers[%d] = 1;", k.base+k.words(false))
	}
}

// dropUnused removes the lines about what a kernel notes where it never does: large integers,
// and results that are infinite.
func (k *kernel) dropUnused(text string) string {
	k.wide, k.notes = strings.Contains(text, "&wide"), strings.Contains(text, "&over")
	var b strings.Builder
	for line := range strings.Lines(text) {
		s := strings.TrimSpace(line)
		if !k.wide && (s == wideDeclared || strings.HasPrefix(s, "if (wide) ")) ||
			!k.notes && (s == overDeclared || strings.HasPrefix(s, "if (over | ") || s == overBreak) {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// words returns the number of answers of a kernel.
func (k *kernel) words(narrow bool) int64 {
	n := int64(len(k.flags))
	for _, v := range k.outs {
		n += wordsOf(v.Kind)
	}
	if narrow {
		n++
	}
	return n
}

// wordsOf returns the number of answers that a result of a kind is.
func wordsOf(k ir.Kind) int64 {
	if k == ir.C64 {
		return 2
	}
	return 1
}

// ofDoubles reports whether values of a kind consist of doubles.
func ofDoubles(k ir.Kind) bool { return k == ir.F64 || k == ir.C64 }

// sizeOf returns the bytes of an element on the device.
func (m *machine) sizeOf(k ir.Kind) int64 {
	if ofDoubles(k) && m.Narrow {
		return eval.SizeOf(k) / 2
	}
	return eval.SizeOf(k)
}

// bytes returns the bytes of s on the device.
func (m *machine) bytes(s *storage) int64 { return s.Count * m.sizeOf(s.Elem) }

func (m *machine) converts(s *storage) bool { return m.Narrow && ofDoubles(s.Elem) }

// deviceForm returns room for what the device holds in place of the host's
// bytes, which may be these themselves.
func (m *machine) deviceForm(s *storage, host []byte) []byte {
	if !m.converts(s) {
		return host
	}
	return make([]byte, len(host)/2)
}

// widen converts what the device holds to the host's bytes.
func (m *machine) widen(s *storage, raw, host []byte) {
	if !m.converts(s) || len(raw) == 0 {
		return
	}
	n := len(raw) / 4
	floats := unsafe.Slice((*float32)(unsafe.Pointer(&raw[0])), n)
	doubles := unsafe.Slice((*float64)(unsafe.Pointer(&host[0])), n)
	for i := n - 1; i >= 0; i-- { // raw may be the beginning of host
		doubles[i] = float64(floats[i])
	}
}

// shortened returns the bytes that the device gets for the host's.
func (m *machine) shortened(s *storage, host []byte) []byte {
	if !m.converts(s) || len(host) == 0 {
		return host
	}
	n := len(host) / 8
	raw := make([]byte, 4*n)
	doubles := unsafe.Slice((*float64)(unsafe.Pointer(&host[0])), n)
	floats := unsafe.Slice((*float32)(unsafe.Pointer(&raw[0])), n)
	for i, d := range doubles {
		floats[i] = float32(d)
	}
	return raw
}
