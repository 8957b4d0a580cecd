package facts

import (
	"github.com/tailor-lang/tailor/laila/affine"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Base is what is known of the variables and buffers of a program. The builder of
// loops notes it, and so do passes of what they make.
type Base struct {
	Ranges   map[*ir.Var]Interval // of integers
	Bufs     map[*ir.Buf]Interval // of the elements of buffers of integers
	Spans    map[*ir.Var]Span     // of doubles
	BufSpans map[*ir.Buf]Span     // of the elements of buffers of doubles
	Least    map[*ir.Var]float64  // bounds from below of doubles that may be infinite
	// Limits has, for an extent that is the greater of 0 and a sum, that sum:
	// indices below the extent are below the sum.
	Limits map[*ir.Var]affine.Poly
	// Residues has the operands, as doubles or as 32 bits, of remainders computed
	// with floating-point numbers.
	Residues map[*ir.Var][2]ir.Expr
	Trips    map[*ir.Var]int64 // how many iterations loops over these variables have at most
	Fixed    map[*ir.Buf]bool  // buffers that change places with others of their size
	Bytes    bool              // characters below 256 are compared as bytes
	Relaxed  bool              // results may differ in their last digits

	Created int // variables that were made
}

// NewBase returns a base that knows nothing.
func NewBase() *Base {
	return &Base{Ranges: map[*ir.Var]Interval{}, Bufs: map[*ir.Buf]Interval{}, Spans: map[*ir.Var]Span{}, BufSpans: map[*ir.Buf]Span{}, Least: map[*ir.Var]float64{},
		Limits: map[*ir.Var]affine.Poly{}, Residues: map[*ir.Var][2]ir.Expr{}, Trips: map[*ir.Var]int64{}, Fixed: map[*ir.Buf]bool{}}
}

// NewVar makes a variable, of which nothing is known.
func (l *Base) NewVar(name string, k ir.Kind) *ir.Var {
	l.Created++
	return &ir.Var{Name: name, Kind: k, ID: l.Created}
}
