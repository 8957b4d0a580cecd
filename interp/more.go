package interp

import (
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// delay is ⎕DL.
func delay(in *Interp, _ *Frame, x, y *V) (*V, error) {
	if x != nil || y.Len() != 1 || y.Kind > value.Double {
		return nil, prim.Errorf(diag.WrongDomain, "⎕DL needs a number of seconds")
	}
	start := time.Now()
	in.out.Flush()
	time.Sleep(time.Duration(y.Double(0) * float64(time.Second)))
	in.hide = true
	return value.Number(time.Since(start).Seconds()), nil
}
