package flow

import "github.com/tailor-lang/tailor/laila/ir"

// Summary is what a statement reads and writes, with all that is in it.
type Summary struct {
	Reads, Writes map[*ir.Var]bool
	Loads, Stores map[*ir.Buf]bool
	Declares      map[*ir.Var]bool
	Size          int
	Barrier       bool // it leaves the function
	Guard         bool // it can stop the program
	Loops         bool // loops are in it, below the nest itself
	Slow          bool // it has functions without vector code
	Checked       bool // overflow is looked for
}

// NewSummary returns the summary of nothing.
func NewSummary() *Summary {
	return &Summary{Reads: map[*ir.Var]bool{}, Writes: map[*ir.Var]bool{}, Loads: map[*ir.Buf]bool{}, Stores: map[*ir.Buf]bool{}, Declares: map[*ir.Var]bool{}}
}

// SummaryOf returns the summary of s.
func SummaryOf(s ir.Stmt) *Summary {
	t := NewSummary()
	t.Stmt(s)
	return t
}

// Buffers returns all buffers of t.
func (t *Summary) Buffers() map[*ir.Buf]bool {
	all := map[*ir.Buf]bool{}
	for x := range t.Loads {
		all[x] = true
	}
	for x := range t.Stores {
		all[x] = true
	}
	return all
}

// Clashes reports whether a statement with summary u that follows one with
// summary t cannot change places with it.
func (t *Summary) Clashes(u *Summary) bool {
	return Meet(t.Writes, u.Reads) || Meet(t.Writes, u.Writes) || Meet(t.Reads, u.Writes) ||
		Meet(t.Stores, u.Loads) || Meet(t.Stores, u.Stores) || Meet(t.Loads, u.Stores)
}

// Meet reports whether two sets, of variables or of buffers, have an element in common.
func Meet[K comparable](x, y map[K]bool) bool {
	for k := range x {
		if y[k] {
			return true
		}
	}
	return false
}

// Stmt adds what s reads and writes.
func (t *Summary) Stmt(s ir.Stmt) {
	t.Size++
	switch s := s.(type) {
	case *ir.Decl:
		t.Writes[s.Var], t.Declares[s.Var] = true, true
	case *ir.Assign:
		t.Writes[s.Var] = true
	case *ir.Checked:
		t.Writes[s.Var], t.Writes[s.Flag], t.Reads[s.Flag] = true, true, true
		t.Checked = true
	case *ir.DeclBuf:
		t.Stores[s.Buf] = true
	case *ir.Free:
		t.Stores[s.Buf] = true
	case *ir.Move:
		t.Stores[s.Dst], t.Stores[s.Src] = true, true
	case *ir.Swap:
		t.Stores[s.A], t.Stores[s.B] = true, true
	case *ir.Copy:
		t.Loads[s.Src], t.Stores[s.Dst] = true, true
		t.Loops = true
	case *ir.Store:
		t.Stores[s.Buf] = true
	case *ir.Filter:
		t.Stores[s.Dst] = true
		t.Writes[s.Count], t.Reads[s.Count] = true, true
		t.Writes[s.Var], t.Declares[s.Var] = true, true
		t.Loops = true
	case *ir.Micro:
		t.Loads[s.C], t.Loads[s.A], t.Loads[s.B], t.Stores[s.C] = true, true, true, true
		t.Loops = true
	case *ir.For:
		t.Writes[s.Var], t.Declares[s.Var] = true, true
		t.Loops = true
	case *ir.Loop:
		t.Loops = true
	case *ir.Nest:
		for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
			t.Writes[d.Var], t.Declares[d.Var] = true, true
		}
		t.Loops = t.Loops || t.Size > 1
	case *ir.Fail:
		t.Guard = true
	case *ir.Call:
		t.arrays(s.Args, s.Results)
		t.Guard = true
	case *ir.Runtime:
		var args []ir.Array
		for _, a := range s.Args {
			if a.Array != nil {
				args = append(args, *a.Array)
			}
		}
		t.arrays(args, s.Results)
		t.Guard = true
	case *ir.Return:
		t.Barrier = true
	}
	for _, x := range ir.Exprs(s) {
		t.expr(x)
	}
	for _, inner := range ir.Blocks(s) {
		for _, u := range *inner {
			t.Stmt(u)
		}
	}
}

func (t *Summary) arrays(args, results []ir.Array) {
	for _, a := range args {
		if a.Buf != nil {
			t.Loads[a.Buf] = true
		}
		if a.Scalar != nil {
			t.Reads[a.Scalar] = true
		}
		for _, d := range a.Dims {
			t.expr(d)
		}
	}
	for _, a := range results {
		if a.Buf != nil {
			t.Stores[a.Buf] = true
		}
		if a.Scalar != nil {
			t.Writes[a.Scalar] = true
		}
		for _, d := range a.Dims {
			if u, ok := d.(*ir.Use); ok {
				t.Writes[u.Var] = true
			}
		}
	}
}

func (t *Summary) expr(x ir.Expr) {
	switch x := x.(type) {
	case nil:
		return
	case *ir.Use:
		t.Reads[x.Var] = true
	case *ir.Load:
		t.Loads[x.Buf] = true
	case *ir.Math:
		t.Slow = t.Slow || ScalarMath[x.Fn]
	}
	for _, y := range ir.Operands(x) {
		t.expr(y)
	}
}

// ScalarMath are functions that C compilers make no vector code of.
var ScalarMath = map[string]bool{
	"tan": true, "sinh": true, "cosh": true, "tanh": true, "asin": true, "acos": true, "atan": true, "asinh": true, "acosh": true, "atanh": true,
	"tl_gcdi": true, "tl_lcmi": true, "tl_gcdd": true, "tl_lcmd": true, "tl_bind": true, "tl_factd": true, "tl_circled": true,
	"tl_powi": true, "tl_resi": true, "tl_floorquoi": true, "tl_upperc": true, "tl_lowerc": true, "tl_foldc": true, "tl_bad_circled": true, "tl_bad_bind": true,
	"tl_rolli_at": true,
}
