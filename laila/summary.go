package laila

import "github.com/tailor-lang/tailor/laila/ir"

// summary is what a statement reads and writes, with all that is in it.
type summary struct {
	reads, writes map[*ir.Var]bool
	loads, stores map[*ir.Buf]bool
	declares      map[*ir.Var]bool
	size          int
	barrier       bool // it leaves the function
	guard         bool // it can stop the program
	loops         bool // loops are in it, below the nest itself
	slow          bool // it has functions without vector code
	checked       bool // overflow is looked for
}

// of returns the summary of s, which is computed once.
func (f *fuser) of(s ir.Stmt) *summary {
	t, ok := f.sums[s]
	if !ok {
		t = &summary{reads: map[*ir.Var]bool{}, writes: map[*ir.Var]bool{}, loads: map[*ir.Buf]bool{}, stores: map[*ir.Buf]bool{}, declares: map[*ir.Var]bool{}}
		t.stmt(s)
		f.sums[s] = t
	}
	return t
}

// buffers returns all buffers of t.
func (t *summary) buffers() map[*ir.Buf]bool {
	all := map[*ir.Buf]bool{}
	for x := range t.loads {
		all[x] = true
	}
	for x := range t.stores {
		all[x] = true
	}
	return all
}

// clashes reports whether a statement with summary u that follows one with
// summary t cannot change places with it.
func (t *summary) clashes(u *summary) bool {
	return meet(t.writes, u.reads) || meet(t.writes, u.writes) || meet(t.reads, u.writes) ||
		meetBufs(t.stores, u.loads) || meetBufs(t.stores, u.stores) || meetBufs(t.loads, u.stores)
}

func meet(x, y map[*ir.Var]bool) bool {
	for v := range x {
		if y[v] {
			return true
		}
	}
	return false
}

func meetBufs(x, y map[*ir.Buf]bool) bool {
	for v := range x {
		if y[v] {
			return true
		}
	}
	return false
}

func (t *summary) stmt(s ir.Stmt) {
	t.size++
	switch s := s.(type) {
	case *ir.Decl:
		t.writes[s.Var], t.declares[s.Var] = true, true
	case *ir.Assign:
		t.writes[s.Var] = true
	case *ir.Checked:
		t.writes[s.Var], t.writes[s.Flag], t.reads[s.Flag] = true, true, true
		t.checked = true
	case *ir.DeclBuf:
		t.stores[s.Buf] = true
	case *ir.Free:
		t.stores[s.Buf] = true
	case *ir.Move:
		t.stores[s.Dst], t.stores[s.Src] = true, true
	case *ir.Swap:
		t.stores[s.A], t.stores[s.B] = true, true
	case *ir.Copy:
		t.loads[s.Src], t.stores[s.Dst] = true, true
		t.loops = true
	case *ir.Store:
		t.stores[s.Buf] = true
	case *ir.Filter:
		t.stores[s.Dst] = true
		t.writes[s.Count], t.reads[s.Count] = true, true
		t.writes[s.Var], t.declares[s.Var] = true, true
		t.loops = true
	case *ir.Micro:
		t.loads[s.C], t.loads[s.A], t.loads[s.B], t.stores[s.C] = true, true, true, true
		t.loops = true
	case *ir.For:
		t.writes[s.Var], t.declares[s.Var] = true, true
		t.loops = true
	case *ir.Loop:
		t.loops = true
	case *ir.Nest:
		for _, d := range append(append([]ir.Dim{}, s.Dims...), s.Red...) {
			t.writes[d.Var], t.declares[d.Var] = true, true
		}
		t.loops = t.loops || t.size > 1
	case *ir.Fail:
		t.guard = true
	case *ir.Call:
		t.arrays(s.Args, s.Results)
		t.guard = true
	case *ir.Runtime:
		var args []ir.Array
		for _, a := range s.Args {
			if a.Array != nil {
				args = append(args, *a.Array)
			}
		}
		t.arrays(args, s.Results)
		t.guard = true
	case *ir.Return:
		t.barrier = true
	}
	for _, x := range ir.Exprs(s) {
		t.expr(x)
	}
	for _, inner := range ir.Blocks(s) {
		for _, u := range *inner {
			t.stmt(u)
		}
	}
}

func (t *summary) arrays(args, results []ir.Array) {
	for _, a := range args {
		if a.Buf != nil {
			t.loads[a.Buf] = true
		}
		if a.Scalar != nil {
			t.reads[a.Scalar] = true
		}
		for _, d := range a.Dims {
			t.expr(d)
		}
	}
	for _, a := range results {
		if a.Buf != nil {
			t.stores[a.Buf] = true
		}
		if a.Scalar != nil {
			t.writes[a.Scalar] = true
		}
		for _, d := range a.Dims {
			if u, ok := d.(*ir.Use); ok {
				t.writes[u.Var] = true
			}
		}
	}
}

func (t *summary) expr(x ir.Expr) {
	switch x := x.(type) {
	case nil:
		return
	case *ir.Use:
		t.reads[x.Var] = true
	case *ir.Load:
		t.loads[x.Buf] = true
	case *ir.Math:
		t.slow = t.slow || scalarMath[x.Fn]
	}
	for _, y := range ir.Operands(x) {
		t.expr(y)
	}
}

// scalarMath are functions that C compilers make no vector code of.
var scalarMath = map[string]bool{
	"tan": true, "sinh": true, "cosh": true, "tanh": true, "asin": true, "acos": true, "atan": true, "asinh": true, "acosh": true, "atanh": true,
	"tl_gcdi": true, "tl_lcmi": true, "tl_gcdd": true, "tl_lcmd": true, "tl_bind": true, "tl_factd": true, "tl_circled": true,
	"tl_powi": true, "tl_resi": true, "tl_floorquoi": true, "tl_upperc": true, "tl_lowerc": true, "tl_foldc": true, "tl_bad_circled": true, "tl_bad_bind": true,
	"tl_rolli_at": true,
}
