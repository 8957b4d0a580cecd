package prim

import (
	"math"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/memory"
	"github.com/tailor-lang/tailor/interp/value"
)

// What an item of a nested array takes where all items at all depths are made apart:
// as blocks of text in a display, or in a list of simple arrays.
const (
	shownItem  = 256
	listedItem = 16
	element    = 16
)

// Shown refuses arrays whose display does not fit in memory.
func Shown(y *V) error { return fits(y, shownItem) }

// fits refuses a nested array whose items at all depths do not fit in memory where
// each is there as often as it occurs, and takes item bytes. An array may be an item
// many times: ({⍵ ⍵}⍣30)1 is 30 pairs, and has 2*30 numbers.
func fits(y *V, item int64) error {
	if y.Kind != value.Mixed || y.Ref != nil {
		return nil
	}
	n := taken(y, item, map[*V]int64{})
	if n > freely*element && !memory.Room(n) {
		return fault(diag.NoMemory, "out of memory for the items of a nested array")
	}
	return nil
}

// taken returns the bytes of the items of y at all depths, at most a quarter of the
// largest integer.
func taken(y *V, item int64, known map[*V]int64) int64 {
	const most = math.MaxInt64 / 4
	if y.Kind != value.Mixed || y.Ref != nil {
		return min(most, item+element*int64(y.Len()))
	}
	if n, ok := known[y]; ok {
		return n
	}
	n := item
	for _, x := range y.Items {
		n = min(most, n+taken(x, item, known))
	}
	known[y] = n
	return n
}
