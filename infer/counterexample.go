package infer

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/analysis"
	"github.com/tailor-lang/tailor/tail/eval"
)

// A claim that is not proved is tried on small arguments that fit: the function
// is inferred for their shapes and evaluated. What it returns may refute the
// claim.

const (
	// maxTrials bounds the evaluations for one annotation.
	maxTrials = 160
	// maxTrialSize is the number of elements of the largest argument.
	maxTrialSize = 4096
	// trialTime is how long one evaluation may take.
	trialTime = 2 * time.Second
)

// trials is the search for a counterexample to one annotation.
type trials struct {
	left        int
	returned    bool // for some arguments
	conditional int  // choices that were tried although all is proved on conditions
}

// counterexample is arguments for which a claim fails.
type counterexample struct {
	at     choice // with the sizes
	args   []*array.Array
	claims []Claim
	shown  bool // the values matter
}

// samples are lengths to try.
var samples = []int64{1, 2, 3, 7, 0}

// sizeSamples returns assignments of lengths to variables: growing from the first
// to the last, falling, all equal, and each alone 0 or 1.
func sizeSamples(names []string, extra []int64) []map[string]int64 {
	if len(names) == 0 {
		return []map[string]int64{{}}
	}
	var all []map[string]int64
	add := func(f func(i int) int64) {
		m := map[string]int64{}
		for i, n := range names {
			m[n] = f(i)
		}
		all = append(all, m)
	}
	lengths := append(append([]int64{}, samples...), extra...)
	for _, s := range lengths {
		add(func(i int) int64 { return s + int64(4*i) })
	}
	if len(names) == 1 {
		return all
	}
	for _, s := range lengths {
		add(func(i int) int64 { return s + int64(4*(len(names)-1-i)) })
	}
	for _, s := range lengths {
		add(func(int) int64 { return s })
	}
	for k := range names {
		for _, s := range []int64{1, 0} {
			add(func(i int) int64 {
				if i == k {
					return s
				}
				return 3
			})
			add(func(i int) int64 {
				if i == k {
					return 3
				}
				return s
			})
		}
	}
	return all
}

// seek looks for arguments for which a claim fails. It returns nil where there
// are none among those that it tries.
func (g *infer) seek(f function, sig *signature, op *userOperator, c choice, j judgement, t *trials) *counterexample {
	trust, examining := g.options.Trust, g.examiner.standIns
	g.options.Trust, g.examiner.standIns = true, true
	defer func() { g.options.Trust, g.examiner.standIns = trust, examining }()
	names := append([]string{}, sig.sizes...)
	anonymous := g.anonymous(sig, c)
	extra := g.examiner.constants
	for _, sizes := range sizeSamples(append(names, anonymous...), extra) {
		if t.left <= 0 {
			return nil
		}
		if j.emptied(sizes, g.examiner.depth) {
			continue
		}
		if x := g.seekAt(f, sig, op, c, sizes, j, t); x != nil {
			return x
		}
	}
	return nil
}

// emptied reports whether a reduction by ⌈ or ⌊ has no elements for some sizes.
func (j judgement) emptied(sizes map[string]int64, depth int) bool {
	mark := strings.Repeat("'", depth)
	of := map[string]tail.Size{}
	for n, s := range sizes {
		of[n+mark] = tail.ConstSize(s)
	}
	for _, c := range j.empties {
		for _, goal := range c.Goals {
			if n, ok := goal.Subst(of).IsConst(); ok && n < 0 {
				return true
			}
		}
	}
	return false
}

// anonymous returns the names of extents of the arguments that the annotation
// does not state, as rigid numbers them.
func (g *infer) anonymous(sig *signature, c choice) []string {
	var names []string
	for _, p := range sig.params {
		walkArrays(c.instance(p, nil), func(a *tail.Array) {
			n, constant := a.Rank.IsConst()
			for i := 0; constant && i < int(n); i++ {
				if !a.Extent(i).Known() {
					names = append(names, fmt.Sprintf("#%d", len(names)+1))
				}
			}
		})
	}
	return names
}

// seekAt tries some values of arguments of given sizes.
func (g *infer) seekAt(f function, sig *signature, op *userOperator, c choice, sizes map[string]int64, j judgement, t *trials) *counterexample {
	at := choice{elems: c.elems, ranks: map[string]tail.Size{}}
	for n, s := range c.ranks {
		at.ranks[n] = s
	}
	for n, s := range sizes {
		at.ranks[n] = tail.ConstSize(s)
	}
	types := make([]*tail.Array, len(sig.params))
	serial := 0
	for i, p := range sig.params {
		ty, ok := at.instance(p, nil).(*tail.Array)
		if !ok || ty.ElemVar != "" {
			return nil
		}
		if types[i] = concrete(ty, sizes, &serial); types[i] == nil {
			return nil
		}
	}
	want := at.instance(sig.result, nil)
	for variant := range variants {
		args := make([]*array.Array, len(types))
		different := variant == 0
		for i, ty := range types {
			args[i] = g.sample(ty, variant+2*i)
			different = different || args[i].Len() > 0
		}
		if !different {
			return nil
		}
		if t.left--; t.left <= 0 {
			return nil
		}
		claims := g.tryOut(f, sig, op, at, args, want, t)
		if len(claims) > 0 && g.refutedBySizes(f, sig, op, at, want, claims, j) {
			return &counterexample{at: at, args: args, claims: claims, shown: variant > 0 || len(sizes) == 0}
		}
	}
	return nil
}

// refutedBySizes reports whether one of some claims fails for all arguments of
// some sizes, or on a path that sizes and scalars decide. Where claims fail for
// some arguments only, because of what their elements are, they are checked when
// the program runs.
func (g *infer) refutedBySizes(f function, sig *signature, op *userOperator, at choice, want tail.Type, claims []Claim, j judgement) bool {
	for _, c := range claims {
		if j.definite[c.Part] {
			return true
		}
	}
	got, bad, _ := g.probe(f, sig, op, at)
	if bad != nil || got == nil {
		return bad != nil
	}
	probed := g.probed
	got, want = sig.settle(got, want)
	for _, c := range g.compareResult(probed, got, want) {
		for _, claim := range claims {
			if c.Part == claim.Part && c.Verdict == Refuted {
				return true
			}
		}
	}
	return false
}

// concrete returns a type with the given sizes, nil where one is negative or the
// array is large.
func concrete(t *tail.Array, sizes map[string]int64, serial *int) *tail.Array {
	r := tail.Ranked(t.Elem, t.Dims())
	n := int64(1)
	for i := range t.Dims() {
		x := t.Extent(i)
		if !x.Known() {
			*serial++
			x = tail.ConstSize(sizes[fmt.Sprintf("#%d", *serial)])
		}
		size, ok := x.IsConst()
		if n *= max(size, 1); !ok || size < 0 || n > maxTrialSize {
			return nil
		}
		r.Extents = append(r.Extents, x)
	}
	r.Values = t.Values
	return r
}

// tryOut applies a function to arguments. It returns the claims that the result
// refutes.
func (g *infer) tryOut(f function, sig *signature, op *userOperator, at choice, args []*array.Array, want tail.Type, t *trials) (refuted []Claim) {
	got, bad, _ := g.probeWith(f, sig, op, at, args)
	if bad != nil || got == nil {
		return nil
	}
	if analysis.Impure(g.probedAll) {
		t.left = 0
		return nil
	}
	all := g.closed(g.probedAll)
	if all == nil {
		t.left = 0
		return nil
	}
	values, ok := g.run(all, t)
	if !ok {
		return nil
	}
	has := valuesType(got, &values, want)
	if has == nil {
		return nil
	}
	t.returned = true
	has, want = sig.settle(has, want)
	for _, claim := range compare(has, want, "") {
		if claim.Verdict == Refuted {
			refuted = append(refuted, claim)
		}
	}
	return refuted
}

// closed binds the variables of the program that an expression mentions; nil
// where one has no value before the program runs.
func (g *infer) closed(e tail.Expr) tail.Expr {
	bound := map[*tail.Var]bool{}
	var lets []let
	var bind func(e tail.Expr) bool
	bind = func(e tail.Expr) bool {
		for _, v := range tail.FreeVars(e) {
			if bound[v] {
				continue
			}
			bound[v] = true
			k := g.known[v]
			if k == nil || analysis.Impure(k.e) || !bind(k.e) {
				return false
			}
			lets = append(lets, let{v, k.e})
		}
		return true
	}
	if !bind(e) {
		return nil
	}
	for i := len(lets) - 1; i >= 0; i-- {
		e = &tail.Let{At: tail.At{Where: e.Span()}, Var: lets[i].v, Bind: lets[i].e, Body: e}
	}
	return e
}

// run evaluates an expression; ok is false where it does not return.
func (g *infer) run(e tail.Expr, t *trials) (values []*array.Array, ok bool) {
	stop := make(chan struct{})
	timer := time.AfterFunc(trialTime, func() { close(stop) })
	defer timer.Stop()
	p := &tail.Program{Source: g.prog.Source, Funcs: g.prog.Funcs, Main: e, Wrap: g.prog.Wrap, Exact: g.exact}
	env := &eval.Env{Stdout: io.Discard, MaxDepth: 300, MaxBytes: 1 << 22, Interrupt: stop}
	values, err := eval.Values(p, env)
	if err == eval.ErrInterrupted {
		t.left = 0
	}
	return values, err == nil
}

// valuesType is the type of a value: what the arrays that it consists of have.
// Numbers that are 0 or 1 are truth values where such are claimed, and numbers
// without a fraction, or without an imaginary part, are integers and doubles.
func valuesType(static tail.Type, values *[]*array.Array, want tail.Type) tail.Type {
	if t, ok := static.(*tail.TupleType); ok {
		w, both := want.(*tail.TupleType)
		if t.Shape != nil {
			return nil
		}
		r := &tail.TupleType{}
		for i, e := range t.Elems {
			var claimed tail.Type
			if both && i < len(w.Elems) {
				claimed = w.Elems[i]
			}
			item := valuesType(e, values, claimed)
			if item == nil {
				return nil
			}
			r.Elems = append(r.Elems, item)
		}
		return r
	}
	if len(*values) == 0 {
		return nil
	}
	a := (*values)[0]
	*values = (*values)[1:]
	if w, ok := want.(*tail.TupleType); ok && a.Rank() == 1 && a.Len() == len(w.Elems) {
		return strandType(a, w)
	}
	t := *tail.LitType(a)
	if w, ok := want.(*tail.Array); ok && narrows(t.Elem, w.Elem) && convert(a, w.Elem) != nil {
		t.Elem = w.Elem
	}
	return &t
}

// strandType is the type of a strand of scalars, each of which has the type that is
// claimed of it if it can.
func strandType(a *array.Array, want *tail.TupleType) tail.Type {
	r := &tail.TupleType{}
	for i, w := range want.Elems {
		elem := a.Elem
		if w, ok := w.(*tail.Array); ok && narrows(a.Elem, w.Elem) && convert(item(a, i), w.Elem) != nil {
			elem = w.Elem
		}
		r.Elems = append(r.Elems, tail.Scalar(elem))
	}
	return r
}

// item is an element of an array of numbers.
func item(a *array.Array, i int) *array.Array {
	if a.Elem == array.Complex {
		z := array.New(array.Complex)
		z.Complexes[0] = a.Complexes[i]
		return z
	}
	return array.ScalarDouble(a.Double(i))
}

// describe says for which arguments a claim fails.
func (x *counterexample) describe(sig *signature) string {
	named := *sig
	named.ranks = append(append([]string{}, sig.ranks...), sig.sizes...)
	text := x.at.describe(&named)
	names := []string{"⍺", "⍵"}[2-len(x.args):]
	for i, a := range x.args {
		part := ""
		t, _ := sig.params[i].(*tail.Array)
		open := t != nil && t.Extents == nil && a.Rank() > 0
		switch {
		case (x.shown || a.Rank() == 0) && a.Len() <= 12 && a.Len() > 0 && a.Rank() < 2 && a.Elem != array.Char:
			part = names[i] + " = " + strings.TrimSuffix(display.Format(a, display.DefaultPrecision), "\n")
		case x.shown && a.Len() == 0 && a.Rank() == 1 && a.Elem != array.Char:
			part = names[i] + " = ⍬"
		case open:
			part = "⍴" + names[i] + " = " + strings.Trim(fmt.Sprint(a.Shape), "[]")
		default:
			continue
		}
		if text != "" {
			text += ", "
		}
		text += part
	}
	return text
}

// error is the refutation that a counterexample is.
func (x *counterexample) error(sig *signature, name string) *diag.Error {
	e := diag.Errorf(diag.FalseAnnotation, sig.note.Span(), "the annotation of %s does not hold", name)
	at := x.describe(sig)
	if at != "" {
		at = "for " + at + ": "
	}
	e.Notes = append(e.Notes, diag.Note{Message: at + x.claims[0].Part + ": " + x.claims[0].Reason})
	return e
}

// standIn is the body of a function that stands for an unknown operand while
// arguments are tried: its argument, the sum of both, or an array of fill
// elements. It is nil where there is none that fits.
func (g *infer) standIn(o *opaque, params []*tail.Var, s site) tail.Expr {
	result, ok := o.ty.Result.(*tail.Array)
	if !ok {
		return nil
	}
	if p, ok := params[len(params)-1].Type.(*tail.Array); ok && tail.Equal(p, result) {
		y := ref(params[len(params)-1], s.fn)
		if len(params) == 2 && result.Dims() == 0 && tail.Equal(params[0].Type, result) && isReal(result.Elem) {
			return g.block(func() tail.Expr {
				return g.dyadic(&primitive{glyph: "+", at: s.fn}, ref(params[0], s.fn), y, s)
			})
		}
		return y
	}
	shape := make([]int, result.Dims())
	for i := range shape {
		n, constant := result.Extent(i).IsConst()
		if !constant || n > maxTrialSize {
			return nil
		}
		shape[i] = int(n)
	}
	return lit(s.fn, array.New(result.Elem, shape...))
}
