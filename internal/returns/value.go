package returns

import (
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
)

// Value is what is known of the value of an expression.
type Value struct {
	// Type has extents that are all known, up to variables.
	Type tail.Type
	// Low and High bound the elements of an array of integers or truth values.
	Low, High tail.Size
	yes, no   []tail.Size // facts where a truth value is 1, and where it is 0
	// ifYes and ifNo are goals that make all truth values 1, or 0; ifZero, of a
	// number, are such that make it 0, and zero is the truth value that is 0 then.
	ifYes, ifNo, ifZero []tail.Size
	zero                *Value
	items               []*Value   // of a tuple
	numeral             bool       // a text that spells a number
	member              *tail.Size // an element of a vector of integers, or nil
	ratio               *ratio     // of a double that is one, else nil
}

// Array returns the type of a value that is an array.
func (v *Value) Array() *tail.Array { return v.Type.(*tail.Array) }

// Items returns the values of a tuple's items.
func (v *Value) Items() []*Value { return v.items }

type span struct{ low, high tail.Size }

// finder is the state of one interpretation.
type finder struct {
	numbers map[*tail.Var]bool // of items, in functions of items and segments
	values  map[*tail.Var]*Value
	sizes   map[string]tail.Size // of the function that is being looked at
	known   map[string]tail.Size // the numbers that expressions of numbers have
	bounds  map[string]span      // of numbers that stand for elements of arrays
	choices map[string]extreme   // numbers that are the greater, or the lesser, of two
	rounds  map[string]ratio     // numbers that are ratios rounded down
	own     map[string]bool      // variables of the parameters
	lengths map[string]bool      // those of them that are extents
	facts   []tail.Size
	active  map[*tail.Func]bool
	checked map[*tail.Func]bool // recursive functions that were looked at
	params  []*Value
	assumed []Condition // of params, and of those of recursive functions that are like them
	safe    func(*tail.Apply) bool
	quiet   bool // the operation that is looked at is safe
	perhaps bool // what is needed is more than that no fault happens
	muted   int  // no faults are noted
	deep    int  // guards and functions that are being looked into
	serial  int
	left    int // expressions that may still be looked at
	result  *Result
}

// A number that may be negative is the difference of two natural ones, whose
// names end in these marks.
const (
	plusMark  = "⁺"
	minusMark = "⁻"
)

// mark begins the names of variables that are made here; their numbers grow.
const mark = "$"

// size returns a new natural number.
func (f *finder) size() tail.Size {
	f.serial++
	return tail.VarSize(fmt.Sprintf("%s%d", mark, f.serial))
}

// number returns a new number.
func (f *finder) number() tail.Size {
	f.serial++
	name := fmt.Sprintf("%s%d", mark, f.serial)
	return tail.VarSize(name + plusMark).Minus(tail.VarSize(name + minusMark))
}

// made returns the number of the variable of a name, or 0 for a parameter's.
func made(name string) int {
	n := 0
	if rest, ok := strings.CutPrefix(name, mark); ok {
		fmt.Sscanf(rest, "%d", &n)
	}
	return n
}

// newer reports whether a size mentions a variable made after the given one.
func newer(s tail.Size, serial int) bool {
	for _, t := range s.Terms {
		if made(t.Var) > serial {
			return true
		}
	}
	return false
}

// fact notes that s is at least 0.
func (f *finder) fact(s tail.Size) {
	if s.Known() && !natural(s) {
		f.facts = append(f.facts, s)
	}
}

// proves reports whether a size is at least 0.
func (f *finder) proves(goal tail.Size) bool {
	if follows(f.facts, goal) {
		return true
	}
	for _, g := range f.cases(goal) {
		if !follows(f.facts, g) && !follows(f.facts, f.unrounded(g)) {
			return false
		}
	}
	return !goal.Any
}

// same reports whether two sizes are equal.
func (f *finder) same(a, b tail.Size) bool {
	return a.Known() && b.Known() && (a.Equal(b) || f.proves(minus(a, b)) && f.proves(minus(b, a)))
}

// unreachable reports whether the facts contradict each other.
func (f *finder) unreachable() bool { return contradict(append([]tail.Size{}, f.facts...)) }

// subst puts the sizes of a call for the size variables of a function.
func (f *finder) subst(s tail.Size) tail.Size {
	if s.Any || f.sizes == nil {
		return s
	}
	for _, t := range s.Terms {
		known, ok := f.sizes[t.Var]
		if ok && known.Any || !ok && !f.own[t.Var] && made(t.Var) == 0 {
			return tail.AnySize
		}
	}
	return s.Subst(f.sizes)
}

// fresh is a value of a type of which nothing else is known.
func (f *finder) fresh(t tail.Type) *Value {
	switch t := t.(type) {
	case *tail.TupleType:
		v := &Value{Type: t}
		for _, item := range t.Elems {
			v.items = append(v.items, f.fresh(item))
		}
		return v
	case *tail.Array:
		if _, ok := t.Rank.IsConst(); !ok {
			return &Value{Type: t, Low: tail.AnySize, High: tail.AnySize}
		}
		v := &Value{Type: f.shaped(t), Low: tail.AnySize, High: tail.AnySize}
		f.bound(v)
		if t.Dims() > 0 && t.Elem == array.Int && !v.Low.Known() {
			v.Low, v.High = f.number(), f.number() // of an empty array, they are any
		}
		return v
	}
	return &Value{Type: t, Low: tail.AnySize, High: tail.AnySize}
}

// shaped returns a type whose extents are known.
func (f *finder) shaped(t *tail.Array) *tail.Array {
	r := *t
	r.Extents = make([]tail.Size, t.Dims())
	for i := range r.Extents {
		if r.Extents[i] = f.subst(t.Extent(i)); !r.Extents[i].Known() {
			r.Extents[i] = f.size()
		}
	}
	if t.Dims() == 0 {
		r.Extents = nil
	}
	r.Values = nil
	for _, v := range t.Values {
		r.Values = append(r.Values, f.subst(v))
	}
	return &r
}

// bound completes the bounds of a value from its type, and gives an integer
// that nothing is known of a variable.
func (f *finder) bound(v *Value) {
	t := v.Array()
	if t.Elem == array.Double {
		return
	}
	if t.Elem != array.Int && t.Elem != array.Bool {
		v.Low, v.High = tail.AnySize, tail.AnySize
		return
	}
	if t.Elem == array.Bool {
		v.Low, v.High = f.most(v.Low, constant(0)), f.least(v.High, constant(1))
	}
	if t.Dims() == 0 && !t.Value(0).Known() {
		n := f.number()
		if v.Low.Known() && natural(v.Low) {
			n = f.size()
		}
		f.atLeast(n, v.Low)
		f.atLeast(v.High, n)
		r := *t
		r.Values = []tail.Size{n}
		v.Type = &r
		v.Low, v.High = n, n
		return
	}
	if len(t.Values) == 0 {
		return
	}
	low, high := f.extremes(t.Values)
	if low.Known() {
		v.Low = low
	}
	if high.Known() {
		v.High = high
	}
}

// maxCompared is the number of values, not all of them constants, that are compared
// to find their bounds.
const maxCompared = 3

// extremes bounds some values.
func (f *finder) extremes(values []tail.Size) (low, high tail.Size) {
	constants, naturals := true, true
	for _, x := range values {
		_, ok := x.IsConst()
		constants, naturals = constants && ok, naturals && natural(x)
	}
	if !constants && len(values) > maxCompared {
		if naturals {
			return constant(0), tail.AnySize
		}
		return tail.AnySize, tail.AnySize
	}
	low, high = values[0], values[0]
	for _, x := range values[1:] {
		low, high = f.lesser(low, x), f.greater(high, x)
	}
	return low, high
}

// atLeast notes that a is not less than b.
func (f *finder) atLeast(a, b tail.Size) {
	if a.Known() && b.Known() {
		f.fact(minus(a, b))
	}
}

// lesser is the lesser of two numbers, or a number that is not greater than
// both; Any where none is known.
func (f *finder) lesser(a, b tail.Size) tail.Size {
	switch {
	case !a.Known() || !b.Known():
		return tail.AnySize
	case f.proves(minus(b, a)):
		return a
	case f.proves(minus(a, b)):
		return b
	case natural(a) && natural(b):
		return constant(0)
	}
	return tail.AnySize
}

func (f *finder) greater(a, b tail.Size) tail.Size {
	switch {
	case !a.Known() || !b.Known():
		return tail.AnySize
	case f.proves(minus(b, a)):
		return b
	case f.proves(minus(a, b)):
		return a
	case natural(a) && natural(b):
		return plus(a, b)
	}
	return tail.AnySize
}

// most is the greater of two lower bounds, of which the first may be unknown.
func (f *finder) most(a, b tail.Size) tail.Size {
	if a.Known() && f.proves(minus(a, b)) {
		return a
	}
	return b
}

// least is the lesser of two upper bounds, of which the first may be unknown.
func (f *finder) least(a, b tail.Size) tail.Size {
	if a.Known() && f.proves(minus(b, a)) {
		return a
	}
	return b
}

// empty reports whether an array certainly has no elements.
func (f *finder) empty(t *tail.Array) bool {
	for _, x := range t.Extents {
		if x.Equal(constant(0)) || f.proves(minus(constant(0), x)) {
			return true
		}
	}
	return false
}

// filled reports whether an array certainly has elements.
func (f *finder) filled(t *tail.Array) bool {
	for _, x := range t.Extents {
		if !f.proves(minus(x, constant(1))) {
			return false
		}
	}
	return true
}

// need notes that a fault happens unless one of some alternatives holds, in
// which all goals are at least 0. The first that is possible is the condition.
// It is a fact from then on, unless it cannot be told and there are others.
func (f *finder) need(fault tail.Fault, at diag.Span, alternatives ...[]tail.Size) {
	if f.muted > 0 || f.quiet {
		return
	}
	var left, whole [][]tail.Size
	for _, goals := range alternatives {
		open, possible := f.openGoals(goals)
		if len(open) == 0 && possible {
			return
		}
		if possible {
			left, whole = append(left, open), append(whole, goals)
		}
	}
	if f.unreachable() {
		return
	}
	if len(left) == 0 {
		f.result.Open = append(f.result.Open, Open{Fault: fault, At: at, Certain: f.deep == 0 && !f.perhaps})
		return
	}
	if f.require(fault, at, left[0]) || len(left) == 1 {
		for _, g := range append(left[0], whole[0]...) {
			f.fact(g)
		}
	}
}

// openGoals returns the goals that are not proved; possible is false where one
// certainly is not met.
func (f *finder) openGoals(goals []tail.Size) (open []tail.Size, possible bool) {
	for _, g := range goals {
		if g.Known() && f.proves(minus(constant(-1), g)) {
			return nil, false
		}
		for _, c := range f.cases(g) {
			if !follows(f.facts, c) && !follows(f.facts, f.unrounded(c)) {
				open = append(open, c)
			}
		}
	}
	return open, true
}

// require notes a condition on the parameters, or else an open fault. It reports
// which.
func (f *finder) require(fault tail.Fault, at diag.Span, goals []tail.Size) (condition bool) {
	c := Condition{Fault: fault, At: at}
	for _, g := range goals {
		if g = f.lowest(g); !f.expressible(g) {
			g = f.unrounded(g)
		}
		if !f.expressible(g) || f.proves(minus(constant(-1), g)) {
			f.result.Open = append(f.result.Open, Open{Fault: fault, At: at})
			return false
		}
		c.Goals = append(c.Goals, g)
	}
	f.result.Conditions = append(f.result.Conditions, c)
	return true
}

func (f *finder) expressible(s tail.Size) bool {
	if s.Any {
		return false
	}
	for _, t := range s.Terms {
		if !f.own[t.Var] {
			return false
		}
	}
	return true
}

// lowest replaces numbers that stand for elements of arrays by bounds, so that
// the size is not greater.
func (f *finder) lowest(s tail.Size) tail.Size  { return f.outermost(s, false) }
func (f *finder) highest(s tail.Size) tail.Size { return f.outermost(s, true) }

func (f *finder) outermost(s tail.Size, high bool) tail.Size {
	for range 20 {
		name, coef := "", int64(0)
		for _, t := range s.Terms {
			base := strings.TrimSuffix(t.Var, plusMark)
			if _, has := f.bounds[base]; has && made(base) > made(name) {
				name, coef = base, t.Coef
			}
		}
		if name == "" {
			return s
		}
		b := f.bounds[name].low
		if (coef > 0) == high {
			b = f.bounds[name].high
		}
		n := tail.VarSize(name + plusMark).Minus(tail.VarSize(name + minusMark))
		if s = plus(s, times(minus(b, n), constant(coef))); s.Any {
			return s
		}
	}
	return tail.AnySize
}
