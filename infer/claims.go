package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Verdict is what is known of a claim.
type Verdict uint8

// The verdicts. The zero value is "unset".
const (
	NoVerdict   Verdict = iota
	Proved              // it holds for all instances
	Conditional         // it holds for those that meet conditions
	AtRunTime           // it is checked when the program runs
	Refuted             // it fails for some instance
)

var verdictNames = [...]string{Proved: "proved", Conditional: "proved on conditions", AtRunTime: "checked at run time", Refuted: "refuted"}

func (v Verdict) String() string {
	if v == NoVerdict || int(v) >= len(verdictNames) {
		panic("internal error: verdict is unset")
	}
	return verdictNames[v]
}

// Claim is one thing that an annotation says of a result: the element type, the
// rank, an extent, a value.
type Claim struct {
	Part    string
	Verdict Verdict
	Reason  string // for claims that are not proved
	// narrow reports that the type of the result is wider than what is claimed, so
	// that its elements decide.
	narrow bool
}

// Report is what was found about one annotation.
type Report struct {
	Name   string // of the function, the operator or the variable
	Note   *apl.Annotation
	Claims []Claim
	// Conditions are relations of sizes and values outside of which the function
	// may stop, or return something else: what is proved is proved for them.
	Conditions []string
	// Example, of a claim that is refuted, is arguments for which it fails.
	Example []*array.Array
	// Err is the first reason why a claim is refuted, or nil.
	Err *diag.Error
	// Reached reports that the annotation was examined: one of a function inside
	// another that is never called with known arguments is not.
	Reached bool
	// Nothing reports that the annotation claims nothing of the result.
	Nothing bool
	narrow  bool // there were more conditions
	// unsettled reports that a name which the function uses is bound again.
	unsettled bool
	// conditions are the ways in which each condition can be written.
	conditions [][]string
}

// Holds reports whether every result that the function returns is proved to fit,
// so that none needs a check.
func (r *Report) Holds() bool {
	if !r.Reached || r.narrow || len(r.Conditions) > 0 {
		return false
	}
	for _, c := range r.Claims {
		if c.Verdict != Proved && c.Part != returning {
			return false
		}
	}
	return true
}

// Verdict returns the worst verdict of the claims.
func (r *Report) Verdict() Verdict {
	worst := Proved
	if len(r.Conditions) > 0 {
		worst = Conditional
	}
	for _, c := range r.Claims {
		worst = max(worst, c.Verdict)
	}
	return worst
}

// examiner collects reports while a program is inferred.
type examiner struct {
	reports []*Report
	of      map[*apl.Annotation]*Report
	pending []func() // examinations of the program's functions, for the end
	depth   int      // of examinations inside each other
	plain   bool     // claims are about types only: when functions return is left out
	// standIns says that unknown operands are functions that can be evaluated.
	standIns  bool
	constants []int64 // numbers near those that the function mentions
	watched   []watched
	words     map[apl.Node][]string // the names in functions
}

// LineClaims examines every annotation of a program, or of a line of a session after
// what is known, whose own annotations are left out. The error is a diag.List of what
// is wrong besides the claims.
func LineClaims(p *apl.Program, known []Known, o Options) ([]*Report, error) {
	if places := p.Dynamic(); len(places) > 0 {
		var reports []*Report
		structuredForm(p, func(q *apl.Program) {
			if all, err := LineClaims(q, known, o); err == nil {
				reports, places = all, nil
			}
		})
		return reports, places.Err()
	}
	g := newInfer(p, o)
	g.block(func() tail.Expr {
		g.recall(known)
		g.examiner = &examiner{of: map[*apl.Annotation]*Report{}}
		g.statements(p.Body)
		for _, f := range g.examiner.pending {
			f()
		}
		return &tail.Tuple{}
	})
	g.examiner.unsettle()
	g.doubt()
	reports := g.examiner.reports
	slices.SortStableFunc(reports, func(a, b *Report) int { return a.Note.Span().Start - b.Note.Span().Start })
	return reports, g.errs.Err()
}

// report returns the report for an annotation.
func (x *examiner) report(name string, n *apl.Annotation) *Report {
	r := x.of[n]
	if r == nil {
		r = &Report{Name: name, Note: n}
		x.of[n] = r
		x.reports = append(x.reports, r)
	}
	return r
}

// merge adds a verdict on a part; the worst stays.
func (r *Report) merge(c Claim) {
	r.Reached = true
	for i := range r.Claims {
		if r.Claims[i].Part == c.Part {
			if c.Verdict > r.Claims[i].Verdict {
				r.Claims[i] = c
			}
			return
		}
	}
	r.Claims = append(r.Claims, c)
}

// whole gives all parts of a type one verdict.
func (r *Report) whole(want tail.Type, v Verdict, reason string) {
	for _, part := range partsOf(want, "") {
		r.merge(Claim{Part: part, Verdict: v, Reason: reason})
	}
}

// refute notes why a claim fails.
func (r *Report) refute(e *diag.Error) {
	if r.Err == nil {
		r.Err = e
	}
}

// partsOf returns the names of what a type claims.
func partsOf(want tail.Type, prefix string) []string {
	if t, ok := want.(*tail.TupleType); ok {
		var all []string
		for i, e := range t.Elems {
			all = append(all, partsOf(e, fmt.Sprintf("%sitem %d: ", prefix, i+1))...)
		}
		return all
	}
	if t, ok := want.(*tail.NestType); ok {
		return partsOfNest(t, prefix)
	}
	a, ok := want.(*tail.Array)
	if !ok {
		return nil
	}
	var parts []string
	if a.ElemVar != "_" {
		parts = append(parts, prefix+"element type")
	}
	if a.Rank.Known() {
		parts = append(parts, prefix+"rank")
	}
	for i, x := range a.Extents {
		if x.Known() {
			parts = append(parts, prefix+extentName(i, len(a.Extents)))
		}
	}
	if len(a.Values) == 1 {
		parts = append(parts, prefix+"value")
	}
	return parts
}

func extentName(i, n int) string {
	if n == 1 {
		return "length"
	}
	return fmt.Sprintf("axis %d", i+1)
}

// compareResult judges the result of a function: numbers that certainly are 0 or
// 1 are truth values.
func (g *infer) compareResult(e tail.Expr, got, want tail.Type) []Claim {
	if w, ok := want.(*tail.TupleType); ok {
		if t := itemTypes(e); t != nil && len(t.Elems) == len(w.Elems) {
			got = t
		}
	}
	if w, ok := want.(*tail.NestType); ok {
		if t := g.placedValues(e, w); t != nil {
			got = t
		}
	}
	if a, ok := got.(*tail.Array); ok && truths(e) {
		r := *a
		r.Elem = array.Bool
		got = &r
	}
	return compare(got, want, "")
}

// itemTypes returns the types of the items of a strand of scalars as they are
// before they are made elements of one vector, or nil.
func itemTypes(e tail.Expr) *tail.TupleType {
	for {
		l, ok := e.(*tail.Let)
		if !ok {
			break
		}
		e = l.Body
	}
	v, ok := e.(*tail.Vec)
	if !ok {
		return nil
	}
	t := &tail.TupleType{}
	for _, x := range v.Elems {
		if a, ok := x.(*tail.Apply); ok && (a.Op == tail.OpI2D || a.Op == tail.OpB2D || a.Op == tail.OpB2I || a.Op == tail.OpD2Z) {
			x = a.Args[0]
		}
		t.Elems = append(t.Elems, x.Type())
	}
	return t
}

// compare judges what a type says against what is claimed.
func compare(got, want tail.Type, prefix string) []Claim {
	if t, ok := want.(*tail.NestType); ok {
		return compareNest(got, t, prefix)
	}
	if t, ok := want.(*tail.TupleType); ok {
		g, ok := strandOf(got, t)
		if !ok || len(g.Elems) != len(t.Elems) {
			return refuteAll(want, prefix, fmt.Sprintf("the result is %s, not %d arrays", describeType(got), len(t.Elems)))
		}
		var all []Claim
		for i := range t.Elems {
			all = append(all, compare(g.Elems[i], t.Elems[i], fmt.Sprintf("%sitem %d: ", prefix, i+1))...)
		}
		return all
	}
	w, ok := want.(*tail.Array)
	g, isArray := got.(*tail.Array)
	if !ok || !isArray {
		return refuteAll(want, prefix, "the result is "+describeType(got))
	}
	return compareArrays(g, w, prefix)
}

// strandOf returns the tuple type of a strand. One of scalars is a vector, too.
func strandOf(got tail.Type, want *tail.TupleType) (*tail.TupleType, bool) {
	a, ok := got.(*tail.Array)
	if !ok || a.Dims() != 1 || !a.Extent(0).Equal(tail.ConstSize(int64(len(want.Elems)))) {
		t, ok := got.(*tail.TupleType)
		return t, ok && !IsRagged(t) && !IsColumns(t)
	}
	r := &tail.TupleType{}
	for range want.Elems {
		r.Elems = append(r.Elems, tail.Scalar(a.Elem))
	}
	return r, true
}

func refuteAll(want tail.Type, prefix, reason string) []Claim {
	var all []Claim
	for _, p := range partsOf(want, prefix) {
		all = append(all, Claim{Part: p, Verdict: Refuted, Reason: reason})
	}
	return all
}

func compareArrays(got, want *tail.Array, prefix string) []Claim {
	var all []Claim
	add := func(part string, v Verdict, reason string) {
		all = append(all, Claim{Part: prefix + part, Verdict: v, Reason: reason})
	}
	if want.ElemVar != "_" {
		if join, ok := joinElem(got.Elem, want.Elem); ok && join == want.Elem || want.Elem == array.Bool && zeroOrOne(got) {
			add("element type", Proved, "")
		} else {
			add("element type", Refuted, fmt.Sprintf("the result has elements of type %v, not %v", got.Elem, want.Elem))
			all[len(all)-1].narrow = narrows(got.Elem, want.Elem)
		}
	}
	if !want.Rank.Known() {
		return all
	}
	if !got.Rank.Equal(want.Rank) {
		reason := fmt.Sprintf("the result is %s, not %s", describeRank(got), describeRank(want))
		return append(all, refuteAll(&tail.Array{ElemVar: "_", Elem: want.Elem, Rank: want.Rank, Extents: want.Extents, Values: want.Values}, prefix, reason)...)
	}
	add("rank", Proved, "")
	for i, x := range want.Extents {
		if x.Known() {
			v, reason := compareSizes(got.Extent(i), x)
			add(extentName(i, len(want.Extents)), v, reason)
		}
	}
	if len(want.Values) == 1 {
		v, reason := compareSizes(got.Value(0), want.Values[0])
		add("value", v, reason)
	}
	return all
}

// narrows reports whether numbers of one type may be such of a smaller one, which
// a type does not say: 2×⍵÷2 has elements of type double that are integers.
func narrows(from, to array.Elem) bool {
	return from.Numeric() && to.Numeric() && to < from
}

// compareSizes judges a size, in which all variables may be any natural number.
func compareSizes(got, want tail.Size) (Verdict, string) {
	switch {
	case !want.Known():
		return AtRunTime, "it is compared with another size that is not known before the program runs"
	case !got.Known():
		return AtRunTime, fmt.Sprintf("it is not known before the program runs that it is %s", plainSize(want))
	case got.Equal(want):
		return Proved, ""
	}
	return Refuted, fmt.Sprintf("it is %s, not %s", plainSize(got), plainSize(want))
}

// plainSize writes a size with the variables of the annotation.
func plainSize(s tail.Size) string { return plainText(s.String()) }

// plainText takes the marks of rigid variables out of a text; extents that the
// annotation does not name are question marks.
func plainText(text string) string {
	return strings.ReplaceAll(unnamed.ReplaceAllString(text, "?"), "'", "")
}

var anyElem = regexp.MustCompile(`([<\[\]]|^)_\d+`)

var unnamed = regexp.MustCompile(`#\d+'+`)

// describeType says what a value is in users' words.
func describeType(t tail.Type) string {
	switch t := t.(type) {
	case *tail.TupleType:
		if isEitherType(t) {
			return "a scalar or " + describeType(t.Elems[0])
		}
		if IsRagged(t) || IsColumns(t) {
			return "a nested array (" + plainText(Written(t)) + ")"
		}
		return fmt.Sprintf("a strand of %d arrays", len(t.Elems))
	case *tail.Array:
		return describeRank(t) + " (" + t.Elem.String() + ")"
	}
	return "a function"
}

// describeBeside is describeType for a type that differs from another one: the
// items of a strand are described where the strands have as many.
func describeBeside(t, other tail.Type) string {
	text := describeType(t)
	tuple, ok := t.(*tail.TupleType)
	if !ok || IsRagged(tuple) || IsColumns(tuple) || text != describeType(other) || len(tuple.Elems) > maxDescribed {
		return text
	}
	items := make([]string, len(tuple.Elems))
	for i, e := range tuple.Elems {
		items[i] = describeType(e)
	}
	return "a strand of " + strings.Join(items, " and ")
}

// maxDescribed is the number of items of a strand that are described.
const maxDescribed = 4

// describeRank says how many axes arrays of a type have, and their extents
// where they are known.
func describeRank(t *tail.Array) string {
	n, ok := t.Rank.IsConst()
	switch {
	case !ok:
		return "an array of rank " + t.Rank.String()
	case n == 0:
		return "a scalar"
	}
	name := map[int64]string{1: "a vector", 2: "a matrix"}[n]
	if name == "" {
		name = fmt.Sprintf("an array of rank %d", n)
	}
	parts := make([]string, n)
	for i := range parts {
		x := t.Extent(i)
		if !x.Known() {
			return name
		}
		parts[i] = plainSize(x)
	}
	if n == 1 {
		return name + " of length " + parts[0]
	}
	return name + " of shape " + strings.Join(parts, " ")
}
