package flow

import "github.com/tailor-lang/tailor/laila/ir"

// Touched is what statements read and write.
type Touched struct {
	Reads, Writes map[*ir.Var]bool
	Bufs          map[*ir.Buf]bool
	Effects       bool // more than scalars are written
	Checked       bool // overflow is looked for
}

// NewTouched returns what nothing touches.
func NewTouched() *Touched {
	return &Touched{Reads: map[*ir.Var]bool{}, Writes: map[*ir.Var]bool{}, Bufs: map[*ir.Buf]bool{}}
}

// Stmt adds what s touches.
func (t *Touched) Stmt(s ir.Stmt) {
	switch s := s.(type) {
	case *ir.Decl:
		t.Writes[s.Var] = true
	case *ir.Assign:
		t.Writes[s.Var] = true
	case *ir.Checked:
		t.Writes[s.Var], t.Writes[s.Flag] = true, true
		t.Reads[s.Flag] = true
		t.Checked = true
	case *ir.Nest, *ir.For, *ir.If, *ir.Comment, *ir.Fail:
	default:
		t.Effects = true
	}
	for _, x := range ir.Exprs(s) {
		t.Expr(x)
	}
	for _, inner := range ir.Blocks(s) {
		for _, u := range *inner {
			t.Stmt(u)
		}
	}
}

// Expr adds what x reads.
func (t *Touched) Expr(x ir.Expr) {
	switch x := x.(type) {
	case *ir.Use:
		t.Reads[x.Var] = true
	case *ir.Load:
		t.Bufs[x.Buf] = true
	}
	for _, y := range ir.Operands(x) {
		t.Expr(y)
	}
}
