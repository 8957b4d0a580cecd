// Package returns finds out when an expression of TAIL returns: which relations
// between the sizes and values of its parameters exclude every fault of length,
// rank, index and structure, and which sizes the result then has.
//
// In: the body of a function over unknown arguments, as package infer makes it
// to judge an annotation. Out: conditions, such as m = n for ⍺+.×⍵ of matrices
// [n,m] and [n,k]; faults of which no such condition is known; and the sizes of
// the result on each path through the function's guards.
//
// # How
//
// The expression is interpreted over types whose extents are all known, up to
// variables: one that types leave open gets a variable of its own, as a scalar
// integer does that nothing is known of. Bounds of the elements of integer arrays
// are kept beside the type. Guards, and faults that did not happen, are facts:
// linear inequalities between variables. A fault is excluded where that follows
// from the facts (linear.go).
//
// Overflow, division by zero, arguments outside the domain of an arithmetic
// function, faults of files, exhausted memory and recursion without end are no
// faults here.
package returns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Param is a parameter of the expression, with the name that conditions give
// its elements and its shape.
type Param struct {
	Var  *tail.Var
	Name string
}

// Condition excludes a fault: all goals are at least 0.
type Condition struct {
	Goals []tail.Size
	Fault tail.Fault
	At    diag.Span
}

// Open is a fault of which no condition in terms of the parameters is known.
type Open struct {
	Fault tail.Fault
	At    diag.Span
	// Certain reports that the fault happens whatever the arguments are.
	Certain bool
}

// Leaf is what a function returns on one path through its guards.
type Leaf struct {
	Value *Value
	facts []tail.Size
	own   map[string]bool // the variables of the parameters
}

// Result is what is known of an expression.
type Result struct {
	Conditions []Condition
	Open       []Open
	Leaves     []Leaf
	axes       map[string]axis   // what variables of extents without a name are
	signed     map[string]string // what variables of values are
}

// Equal reports whether two sizes are equal on the path of the leaf.
func (l Leaf) Equal(a, b tail.Size) bool {
	return a.Known() && b.Known() && follows(l.facts, minus(a, b)) && follows(l.facts, minus(b, a))
}

// Natural reports whether a size is at least 0 on the path of the leaf.
func (l Leaf) Natural(s tail.Size) bool { return follows(l.facts, s) }

// Differ reports whether two sizes certainly differ on the path of the leaf.
func (l Leaf) Differ(a, b tail.Size) bool {
	return a.Known() && b.Known() &&
		(follows(l.facts, minus(minus(a, b), constant(1))) || follows(l.facts, minus(minus(b, a), constant(1))))
}

// Decided reports whether sizes and scalars of the parameters decide a size.
func (l Leaf) Decided(s tail.Size) bool {
	if s.Any {
		return false
	}
	for _, t := range s.Terms {
		if !l.own[t.Var] {
			return false
		}
	}
	return true
}

// Between reports whether all elements of an integer array lie between two
// numbers on the path of the leaf.
func (l Leaf) Between(v *Value, low, high int64) bool {
	return follows(l.facts, minus(v.Low, constant(low))) && follows(l.facts, minus(constant(high), v.High))
}

// axis is an axis of a parameter.
type axis struct {
	param   string
	i, rank int
}

// maxNodes bounds the expressions that one question looks at.
const maxNodes = 20000

// Of interprets an expression. Where it may fault it is interpreted again with the
// conditions as facts from the beginning: in ⍵[1;]⍪¯1 0↓⍵ the index, which comes last,
// says that there is a row to drop. The calls of a recursive function have to meet the
// conditions, too, so that its body relies on them. Operations that are safe never fault.
func Of(e tail.Expr, params []Param, safe func(*tail.Apply) bool) *Result {
	r := interpret(e, params, safe, nil, nil)
	var goals []tail.Size
	for _, c := range r.Conditions {
		goals = append(goals, c.Goals...)
	}
	if len(goals) > 0 && !contradict(slices.Clone(goals)) {
		if again := interpret(e, params, safe, goals, r.Conditions); len(again.Open) < len(r.Open) || len(r.Open)+len(again.Open) == 0 {
			again.Conditions = append(r.Conditions, again.Conditions...)
			r = again
		}
	}
	r.shorten()
	return r
}

// interpret interprets an expression where all goals are at least 0; they are those of
// some conditions.
func interpret(e tail.Expr, params []Param, safe func(*tail.Apply) bool, goals []tail.Size, assumed []Condition) *Result {
	f := &finder{
		values: map[*tail.Var]*Value{}, known: map[string]tail.Size{}, bounds: map[string]span{},
		active: map[*tail.Func]bool{}, checked: map[*tail.Func]bool{}, own: map[string]bool{},
		lengths: map[string]bool{},
		choices: map[string]extreme{}, rounds: map[string]ratio{},
		safe:   safe,
		left:   maxNodes,
		result: &Result{axes: map[string]axis{}, signed: map[string]string{}},
	}
	for _, p := range params {
		f.param(p)
		f.params = append(f.params, f.values[p.Var])
	}
	f.assumed = assumed
	f.facts = append(f.facts, goals...)
	f.leaf(e)
	return f.result
}

// shorten leaves out conditions that follow from the others.
func (r *Result) shorten() {
	for i := 0; i < len(r.Conditions); i++ {
		var others []tail.Size
		for k, c := range r.Conditions {
			if k != i {
				others = append(others, c.Goals...)
			}
		}
		implied := true
		for _, g := range r.Conditions[i].Goals {
			implied = implied && follows(others, g)
		}
		if implied {
			r.Conditions = slices.Delete(r.Conditions, i, i+1)
			i--
			continue
		}
		r.Conditions[i].Goals = shortest(r.Conditions[i].Goals)
	}
}

// shortest leaves out goals that follow from one other goal.
func shortest(goals []tail.Size) []tail.Size {
	var kept []tail.Size
	for i, g := range goals {
		implied := false
		for k, h := range goals {
			implied = implied || i != k && minus(g, h).Known() && natural(minus(g, h)) && (k < i || !g.Equal(h))
		}
		if !implied {
			kept = append(kept, g)
		}
	}
	return kept
}

// param gives a parameter a value of which only the type is known.
func (f *finder) param(p Param) {
	ty, ok := p.Var.Type.(*tail.Array)
	if !ok {
		f.values[p.Var] = f.strand(p.Var.Type, p.Name)
		return
	}
	f.values[p.Var] = f.named(ty, p.Name)
}

// strand is the value of a nested parameter.
func (f *finder) strand(t tail.Type, name string) *Value {
	tuple, ok := t.(*tail.TupleType)
	if !ok {
		return f.named(t.(*tail.Array), name)
	}
	v := &Value{Type: t}
	for i, item := range tuple.Elems {
		v.items = append(v.items, f.strand(item, fmt.Sprintf("(%d⊃%s)", i+1, name)))
	}
	return v
}

// named is the value of a parameter that is an array. Its variables may stand in
// conditions.
func (f *finder) named(ty *tail.Array, name string) *Value {
	for i := range ty.Dims() {
		for _, t := range ty.Extent(i).Terms {
			f.own[t.Var], f.lengths[t.Var] = true, true
			if strings.HasPrefix(t.Var, "#") {
				f.result.axes[t.Var] = axis{name, i, ty.Dims()}
			}
		}
	}
	v := f.fresh(ty)
	for _, s := range []tail.Size{v.Low, v.High} {
		for _, t := range s.Terms {
			f.own[t.Var] = true
			if base, ok := strings.CutSuffix(t.Var, plusMark); ok {
				f.result.signed[base] = name
			}
		}
	}
	return v
}
