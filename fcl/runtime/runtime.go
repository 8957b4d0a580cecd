// Package runtime has programs of FCL for the run-time functions of package laila/ir that a device
// computes by functions of FCL's library: grades, index of, membership, unique, without, and the
// first of equal major cells.
//
//	y←⍋x     fun main flip x = gradeBy intKey 1 flip x
//
// The host does ∪ of doubles that are compared with a tolerance: which of some that are nearly equal
// stays depends on those before them.
package runtime

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/fcl/compile"
	"github.com/tailor-lang/tailor/fcl/host"
	"github.com/tailor-lang/tailor/fcl/kernel"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/fcl/syntax"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/laila/ir"
)

// Set is what a device computes of a program.
type Set struct {
	Computes map[*ir.Runtime]*ir.Compute
	Plans    map[string]*compile.Plan // by the names that these have
	Text     string                   // in FCL

	params    map[string]int64
	tolerance float64
	order     []string
}

// keys are the functions of FCL that give elements keys in their order, and those by which they are
// equal, by kinds.
var keys = map[ir.Kind]struct{ order, equal string }{
	ir.I64: {"intKey", "(fn x => x)"}, ir.F64: {"doubleKey", "(fn x => if x == 0.0 then 0 else bits x)"},
	ir.U8: {"boolKey", "boolKey"}, ir.C32: {"charKey", "charKey"},
}

// Of compiles what a device with some parameters of FCL's library computes of a program.
func Of(p *ir.Program, params map[string]int64) *Set {
	set := &Set{map[*ir.Runtime]*ir.Compute{}, map[string]*compile.Plan{}, "", params, p.Tolerance(), nil}
	for _, f := range p.Functions() {
		ir.Walk(f.Body, func(s ir.Stmt) {
			if r, ok := s.(*ir.Runtime); ok {
				if c := set.computes(r); c != nil {
					set.Computes[r] = c
				}
			}
		})
	}
	return set
}

// Kernels returns the OpenCL C of all.
func (set *Set) Kernels() string {
	var all []*kernel.Kernel
	for _, name := range set.order {
		all = append(all, set.Plans[name].Kernels...)
	}
	if len(all) == 0 {
		return ""
	}
	return "\n" + kernel.Text(all)
}

// Host returns the C that runs them, by their names.
func (set *Set) Host() map[string]string {
	text := map[string]string{}
	for name, plan := range set.Plans {
		text[name] = host.Function(plan, name)
	}
	return text
}

// computes returns how the device computes a run-time function, nil where it does not.
func (set *Set) computes(s *ir.Runtime) *ir.Compute {
	if s.Fn == "gradeup" || s.Fn == "gradedown" {
		return set.grade(s)
	}
	q, ok := ir.SearchOf(s)
	if !ok {
		return nil
	}
	kind, key := "_"+q.Elem.String(), keys[q.Elem].equal
	c := &ir.Compute{Exact: q.Exact, Arrays: []*ir.Array{q.Table}}
	if q.Items != nil {
		c.Arrays = append(c.Arrays, q.Items)
	}
	exact, known := q.Exact.(*ir.Int)
	tolerant := known && exact.Val == 0
	switch s.Fn {
	case "firstcell":
		c.Numbers = []ir.Expr{columns(q.Table)}
		c.Name = set.program("firstcell"+kind, "fun main columns x = firstCells "+key+" columns x")
	case "unique":
		if tolerant {
			return nil
		}
		c.Name = set.program("unique"+kind, "fun main x = distinct "+key+" x")
	default:
		form := map[string]string{
			"indexof": "fun main x y = %s (fn k => k) (length x + 1) x y",
			"member":  "fun main x y = %s (fn k => k <= length x) (length x + 1) x y",
			"without": "fun main x y = do<grid> { marks <- %s (fn k => k > length x) (length x + 1) x y; stored <- force<grid> marks; compress stored y }",
		}[s.Fn]
		if !tolerant {
			c.Name = set.program(s.Fn+kind, fmt.Sprintf(form, "placesIn "+key))
		}
		if q.Exact != nil && (!known || tolerant) {
			c.Near = set.program(s.Fn+"_near", fmt.Sprintf(form, "placesNear "+set.near()))
		}
	}
	return c
}

// near returns the first arguments of placesNear.
func (set *Set) near() string {
	ct := set.tolerance
	near := uint64(ct*0x1p53) + 8
	return fmt.Sprintf("(double %s) %d %d", strconv.FormatFloat(ct, 'f', -1, 64), near, bits.Len64(2*near))
}

// grade returns how the device computes a grade.
func (set *Set) grade(s *ir.Runtime) *ir.Compute {
	a := s.Args[0].Array
	if len(s.Results) != 1 || s.Results[0].Buf == nil || s.Results[0].Elem != ir.I64 || a == nil || a.Buf == nil || len(a.Dims) == 0 || keys[a.Buf.Elem].order == "" {
		return nil
	}
	c := &ir.Compute{Arrays: []*ir.Array{a}, Numbers: []ir.Expr{ir.Integer(0)}}
	if s.Fn == "gradedown" {
		c.Numbers[0] = ir.Integer(-1)
	}
	key := keys[a.Buf.Elem].order
	if len(a.Dims) == 1 {
		c.Name = set.program("grade_"+a.Buf.Elem.String(), "fun main flip x = gradeBy "+key+" 1 flip x")
	} else {
		c.Numbers = append(c.Numbers, columns(a))
		c.Name = set.program("gradecells_"+a.Buf.Elem.String(), "fun main flip columns x = gradeBy "+key+" columns flip x")
	}
	return c
}

// columns is how many elements a major cell has.
func columns(a *ir.Array) ir.Expr {
	return ir.Product(a.Dims[1:])
}

var library = struct {
	sync.Mutex
	scope *types.Scope
	info  *types.Info
}{info: types.NewInfo()}

// program compiles a program of FCL, once, and returns its name.
func (set *Set) program(name, text string) string {
	if set.Plans[name] != nil {
		return name
	}
	library.Lock()
	defer library.Unlock()
	if library.scope == nil {
		library.scope = lib.Scope()
	}
	tree, err := syntax.Parse(diag.NewSource(name, text))
	must(err)
	scope, err := types.NewScope(library.scope, tree)
	must(err)
	main := scope.Globals["main"]
	must(types.Infer(main, library.info))
	plan, err := compile.Trusted(types.With(main, nil), library.info, set.params)
	must(err)
	for i, k := range plan.Kernels {
		k.Name = fmt.Sprintf("%s_%d", name, i+1)
	}
	set.Plans[name] = plan
	set.Text += strings.Replace(text, "main", name, 1) + "\n\n"
	set.order = append(set.order, name)
	return name
}

// must stops where a program here is wrong.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("internal error: FCL's library: %v", err))
	}
}
