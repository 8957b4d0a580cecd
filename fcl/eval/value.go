package eval

import (
	"strings"

	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/fcl/walk"
	"github.com/tailor-lang/tailor/internal/diag"
)

// Value is a Scalar, a Tuple, a Func, a *Pull, a *Push or a Program.
type Value = walk.Value

type (
	Tuple   = walk.Tuple
	Func    = walk.Func
	Program = walk.Program
	// Pull is a pull array. One that is stored in a memory has Stored.
	Pull struct {
		N      int64
		At     func(i int64) Value
		Stored []Value
	}
	// Push is a push array: Run computes the elements, and calls write with their places.
	// At is the operator that made it.
	Push struct {
		N     int64
		Level types.Level
		At    diag.Span
		Run   func(write func(i int64, v Value))
	}
)

// Text writes a value as the command line shows it.
func Text(v Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v Value) {
	switch v := v.(type) {
	case Scalar:
		b.WriteString(v.String())
	case Tuple:
		b.WriteString("(")
		for i, item := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, item)
		}
		b.WriteString(")")
	case *Pull:
		b.WriteString("[")
		for i := range v.N {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, v.At(i))
		}
		b.WriteString("]")
	default:
		b.WriteString("?")
	}
}

// Vector returns a pull array of values.
func Vector(elems []Value) *Pull {
	return &Pull{int64(len(elems)), func(i int64) Value { return elems[i] }, elems}
}

// Count is what a run cost.
type Count struct {
	Kernels  int64 // arrays that the grid stored
	Barriers int64 // of all groups
	Read     [3]int64
	Written  [3]int64 // bytes, by Memory
}

// Memory is a memory of the hierarchy.
type Memory uint8

// The memories: of a thread, of a group, of the device.
const (
	Private Memory = iota
	Local
	Global
)

// memoryOf returns the memory that force<l> stores in.
func memoryOf(l types.Level) Memory {
	switch {
	case l.Plus >= 2:
		return Global
	case l.Plus == 1 || l.Warp:
		return Local
	}
	return Private
}

// size returns the bytes of an element.
func size(v Value) int64 {
	switch v := v.(type) {
	case Scalar:
		return int64(v.Type.Size())
	case Tuple:
		n := int64(0)
		for _, item := range v {
			n += size(item)
		}
		return n
	}
	return 0
}

// place is where work is done: the lane, the work-item and the group.
type place [3]int64

// within returns the place of part i of what is at a place, when the whole is at level l.
func (p place) within(l types.Level, i int64) place {
	switch {
	case l.Plus >= 2:
		return place{0, 0, i}
	case l.Plus == 1:
		return place{0, i, p[2]}
	case l.Warp:
		return place{i, p[1], p[2]}
	}
	return p
}

// fault panics with a fault of the program, which Run returns.
func fault(code diag.Code, at diag.Span, format string, args ...any) {
	panic(diag.Errorf(code, at, format, args...))
}
