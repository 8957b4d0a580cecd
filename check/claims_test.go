package check

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/infer"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/tail"
	"github.com/tailor-lang/tailor/tail/eval"
)

// inputs is the number of arguments on which each claim is tried.
const inputs = 24

// TestClaims compares the verdicts of testdata/claims with those expected, and
// attacks them: functions that are proved have to return something that fits for
// all arguments that fit, those that are refuted must not for the counterexample.
func TestClaims(t *testing.T) {
	files, err := filepath.Glob("../testdata/claims/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { claimFile(t, file) })
	}
}

// claimFile checks the functions of a file.
func claimFile(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	heading := ""
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "⍝"):
		case !strings.HasPrefix(line, "\t"):
			heading = line
		default:
			at := fmt.Sprintf("%s:%d", filepath.Base(file), i+1)
			claimCase(t, at, strings.TrimPrefix(line, "\t"), heading)
		}
	}
}

// claimCase checks one function f whose verdict is expected.
func claimCase(t *testing.T, at, source, heading string) {
	tree, err := apl.Parse(diag.NewSource("a", source+"\n"))
	require.NoError(t, err, at)
	r := Program(tree, infer.Options{})
	if !assert.Len(t, r.Reports, 1, "%s: %v", at, r.Errors) {
		return
	}
	report := r.Reports[0]
	assert.Equal(t, heading, summary(report), "%s: %s", at, source)
	c := newClaim(t, source)
	switch {
	case report.Verdict() == infer.Refuted:
		c.refuted(t, at, report)
	case report.Verdict() <= infer.Conditional:
		assert.GreaterOrEqual(t, c.proved(t, at, report), inputs/3, "%s: too few arguments fit", at)
	}
}

// summary is a verdict as testdata/claims names it.
func summary(r *infer.Report) string {
	text := verdicts(r)
	switch v := r.Verdict(); {
	case v > infer.Conditional:
		return v.String()
	default:
		return text
	}
}

// claimed is an annotated function that can be called.
type claimed struct {
	function string // without its annotation
	call     string // the function with its operands
	ty       *tail.FuncType
	params   []tail.Type
	vars     map[string]bool // of element types
	ranks    map[string]bool
	nested   []string // how arguments are made of their elements, "" for simple ones
}

func newClaim(t *testing.T, source string) *claimed {
	function, note, ok := strings.Cut(source, " ⍝: ")
	require.True(t, ok, source)
	note, with, _ := strings.Cut(note, " ⍝ with ")
	ty, err := tail.ParseAnnotation(note)
	require.NoError(t, err, source)
	c := &claimed{function: function, ty: ty.(*tail.FuncType), vars: map[string]bool{}, ranks: map[string]bool{}}
	name, _, _ := strings.Cut(function, "←")
	operands := strings.Fields(with)
	c.params = c.ty.Params[len(operands):]
	switch len(operands) {
	case 0:
		c.call = name
	case 1:
		c.call = "(" + operands[0] + name + ")"
	default:
		c.call = "(" + operands[0] + name + operands[1] + ")"
	}
	for _, p := range append(slices.Clone(c.params), c.ty.Result) {
		eachArray(p, func(a *tail.Array) {
			if a.ElemVar != "" && a.ElemVar != "_" {
				c.vars[a.ElemVar] = true
			}
			for _, x := range a.Rank.Terms {
				c.ranks[x.Var] = true
			}
		})
	}
	return c
}

func eachArray(t tail.Type, f func(*tail.Array)) {
	switch t := t.(type) {
	case *tail.Array:
		f(t)
	case *tail.TupleType:
		for _, e := range t.Elems {
			eachArray(e, f)
		}
	case *tail.NestType:
		eachArray(t.Item, f)
	}
}

// instance is what the variables of a claim stand for.
type instance struct {
	elems map[string]array.Elem
	sizes map[string]tail.Size
}

var lengths = []int64{0, 1, 2, 3, 5, 1, 8, 4, 33}

// arguments returns arguments of the given number that fit, and what the variables
// stand for; ok is false where there are none.
func (c *claimed) arguments(seed int) (args []*array.Array, in instance, ok bool) {
	in = instance{map[string]array.Elem{}, map[string]tail.Size{}}
	n := seed
	next := func(k int) int {
		n = (n*1103515245 + 12345) & 0x7fffffff
		return (n >> 8) % k
	}
	// The first inputs are empty, of one item and of equal lengths.
	length := func() int64 {
		switch {
		case seed == 0:
			return 0
		case seed == 1:
			return 1
		case seed < 4:
			return int64(seed + 1)
		case seed == 4:
			return 60
		}
		return lengths[next(len(lengths))]
	}
	for _, v := range sorted(c.vars) {
		all := []array.Elem{array.Bool, array.Int, array.Double, array.Char, array.Complex}
		if strings.HasPrefix(v, "κ") || strings.HasPrefix(v, "k") {
			all = []array.Elem{array.Int, array.Double}
		}
		in.elems[v] = all[(seed+next(2))%len(all)]
	}
	for _, v := range sorted(c.ranks) {
		in.sizes[v] = tail.ConstSize(int64((seed/2 + next(2)) % 3))
	}
	c.nested = make([]string, len(c.params))
	for i, p := range c.params {
		if nest, ok := p.(*tail.NestType); ok {
			z := c.nestedArgument(i, nest, in, length, seed)
			if z == nil {
				return nil, in, false
			}
			args = append(args, z)
			continue
		}
		a, isArray := p.(*tail.Array)
		if !isArray {
			return nil, in, false
		}
		elem := a.Elem
		if a.ElemVar == "_" {
			elem = array.Int
		} else if a.ElemVar != "" {
			elem = in.elems[a.ElemVar]
		}
		rank, known := a.Rank.Subst(in.sizes).IsConst()
		if !known {
			rank = int64(seed % 3)
		}
		shape := make([]int, rank)
		for k := range shape {
			x := tail.AnySize
			if a.Extents != nil {
				x = a.Extent(k)
			}
			size := in.size(x, length)
			if size < 0 {
				return nil, in, false
			}
			shape[k] = int(size)
			if rank > 1 && shape[k] > 12 {
				shape[k] = 0
				return nil, in, false
			}
		}
		z := array.New(elem, shape...)
		fill(z, seed+3*i)
		if _, nested := c.ty.Result.(*tail.NestType); nested && rank == 0 && elem == array.Int {
			z.Ints[0] %= 100 // or as many items
		}
		if len(a.Values) == 1 && elem == array.Int && len(z.Ints) == 1 {
			z.Ints[0] = in.size(a.Values[0], length)
		}
		args = append(args, z)
	}
	return args, in, true
}

// size is the value of a size; variables without one get a length.
func (in instance) size(s tail.Size, length func() int64) int64 {
	if !s.Known() {
		return length()
	}
	for _, t := range s.Terms {
		if _, ok := in.sizes[t.Var]; !ok {
			in.sizes[t.Var] = tail.ConstSize(length())
		}
	}
	n, _ := s.Subst(in.sizes).IsConst()
	return n
}

func sorted(m map[string]bool) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// fill gives an array elements: small, negative, equal and large ones.
func fill(a *array.Array, seed int) {
	for i := range a.Len() {
		n := []int64{int64(i + 1), -int64(i) - 1, 2, 0, int64((i*7 + seed) % 5), 1000003 * int64(i+1), int64(1 - i%2), 1}[seed%8]
		switch a.Elem {
		case array.Bool:
			a.Bools[i] = byte(n & 1)
		case array.Int:
			a.Ints[i] = n
		case array.Double:
			a.Doubles[i] = float64(n) + []float64{0, 0.5, 0.25}[seed%3]
		case array.Char:
			a.Chars[i] = rune('a' + (n%26+26)%26)
		case array.Complex:
			a.Complexes[i] = complex(float64(n), float64(i%2))
		}
	}
}

// apply calls the function and returns the values of z, the result.
func (c *claimed) apply(args []*array.Array) ([]*array.Array, *infer.Known, error) {
	call := "z←" + c.call + " y"
	if len(args) == 2 {
		call = "z←x " + c.call + " y"
	}
	return evaluate(c.function+"\n"+strings.Join(c.nested, "")+call, args)
}

// mostBytes bounds each array of a function that is tried: arguments are large
// numbers, too, and ⍳ of one would take seconds. The fault is excused.
const mostBytes = 16 << 20

// evaluation is how long one evaluation may take: recursion without end may take
// no memory.
const evaluation = time.Second

// evaluate runs a program in which x and y have values, and returns those of z.
func evaluate(program string, args []*array.Array) ([]*array.Array, *infer.Known, error) {
	known := []infer.Known{{Name: "y", Value: args[len(args)-1]}}
	classes := map[string]apl.Class{"y": apl.ArrayClass}
	if len(args) == 2 {
		known = append(known, infer.Known{Name: "x", Value: args[0]})
		classes["x"] = apl.ArrayClass
	}
	tree, err := apl.ParseWith(diag.NewSource("b", program), classes)
	if err != nil {
		return nil, nil, err
	}
	p, assigned, err := infer.Line(tree, known, infer.Options{})
	if err != nil {
		return nil, nil, err
	}
	stop := make(chan struct{})
	timer := time.AfterFunc(evaluation, func() { close(stop) })
	defer timer.Stop()
	values, err := eval.Values(p, &eval.Env{MaxDepth: 500, MaxBytes: mostBytes, Interrupt: stop})
	if err != nil {
		return nil, nil, err
	}
	for i := range assigned {
		n := flatCount(assigned[i].Items)
		if assigned[i].Name == "z" {
			return values[:n], &assigned[i], nil
		}
		values = values[n:]
	}
	return nil, nil, errors.New("no result")
}

func flatCount(i *infer.Items) int {
	if i.Of == nil {
		return 1
	}
	n := 0
	for _, item := range i.Of {
		n += flatCount(item)
	}
	return n
}

// fits reports, as an error, a value that is not of a type.
func (in instance) fits(values []*array.Array, known *infer.Known, want tail.Type) error {
	if t, ok := want.(*tail.NestType); ok {
		return in.fitsNest(values, known, t)
	}
	if t, ok := want.(*tail.TupleType); ok {
		if len(values) == 1 && values[0].Rank() == 1 && values[0].Len() == len(t.Elems) {
			return nil // a strand of scalars
		}
		if len(values) != len(t.Elems) {
			return fmt.Errorf("%d items", len(values))
		}
		for i, e := range t.Elems {
			if err := in.fits(values[i:i+1], nil, e); err != nil {
				return err
			}
		}
		return nil
	}
	w := want.(*tail.Array)
	if len(values) != 1 {
		return fmt.Errorf("%d arrays", len(values))
	}
	a := values[0]
	elem := w.Elem
	if w.ElemVar != "" {
		elem = in.elems[w.ElemVar]
	}
	if w.ElemVar != "_" && !fitsElem(a, elem) {
		return fmt.Errorf("elements of type %v, not %v", a.Elem, elem)
	}
	if n, known := w.Rank.Subst(in.sizes).IsConst(); known && int(n) != a.Rank() {
		return fmt.Errorf("rank %d", a.Rank())
	}
	for i, x := range w.Extents {
		if !x.Known() {
			continue
		}
		in.bind(x, int64(a.Shape[i]))
		if n := in.size(x, func() int64 { return 0 }); n != int64(a.Shape[i]) {
			return fmt.Errorf("axis %d is %d, not %d", i+1, a.Shape[i], n)
		}
	}
	if len(w.Values) == 1 && w.Values[0].Known() && a.Elem == array.Int {
		if n := in.size(w.Values[0], func() int64 { return a.Ints[0] }); n != a.Ints[0] {
			return fmt.Errorf("value %d, not %d", a.Ints[0], n)
		}
	}
	return nil
}

func fitsElem(a *array.Array, want array.Elem) bool {
	if want == array.Double && a.Elem == array.Complex {
		return !slices.ContainsFunc(a.Complexes, func(z complex128) bool { return imag(z) != 0 })
	}
	order := []array.Elem{array.Bool, array.Int, array.Double, array.Complex}
	if want == array.Char || a.Elem == array.Char {
		return a.Elem == want
	}
	if want == array.Bool && a.Elem == array.Int {
		return !slices.ContainsFunc(a.Ints, func(n int64) bool { return n != 0 && n != 1 })
	}
	return slices.Index(order, a.Elem) <= slices.Index(order, want)
}

// meets reports whether arguments meet the conditions of a verdict, which are read
// as APL.
func (c *claimed) meets(t *testing.T, conditions []string, args []*array.Array, in instance) bool {
	for _, condition := range conditions {
		for _, part := range strings.Split(condition, ", ") {
			words := strings.Fields(part)
			require.Len(t, words, 3, part)
			program := ""
			for name, size := range in.sizes {
				n, _ := size.IsConst()
				program += fmt.Sprintf("%s←%d\n", name, n)
			}
			program += fmt.Sprintf("z←∧/,(%s)%s(%s)", words[0], words[1], words[2])
			program = strings.NewReplacer("⍺", "x", "⍵", "y").Replace(program)
			values, _, err := evaluate(program, args)
			if err != nil || values[0].Int(0) == 0 {
				return false
			}
		}
	}
	return true
}

// excused reports whether an error is none of those that a proof excludes.
func excused(err error) bool {
	if errors.Is(err, eval.ErrInterrupted) {
		return true
	}
	for _, text := range []string{"integer overflow", "floating-point overflow", "division by zero", "outside the function's domain",
		"is not real", "singular", "recursion", "memory", "LIMIT", "NOT SUPPORTED"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// proved runs the function on arguments that fit and meet the conditions, and
// returns how many there were.
func (c *claimed) proved(t *testing.T, at string, r *infer.Report) (tried int) {
	for seed := 0; seed < 40*inputs && tried < inputs; seed++ {
		args, in, ok := c.arguments(seed)
		if !ok || len(r.Conditions) > 0 && !c.meets(t, r.Conditions, args, in) {
			continue
		}
		tried++
		values, known, err := c.apply(args)
		if err == nil {
			err = in.fits(values, known, c.ty.Result)
		} else if excused(err) {
			continue
		}
		if !assert.NoError(t, err, "%s: %s, proved, for %v", at, c.function, args) {
			return inputs
		}
	}
	return tried
}

// refuted runs the function on the counterexample, or, where it is said to stop
// always, on arguments that fit.
func (c *claimed) refuted(t *testing.T, at string, r *infer.Report) {
	if r.Example == nil {
		for seed := range inputs {
			if args, _, ok := c.arguments(seed); ok {
				_, _, err := c.apply(args)
				assert.Error(t, err, "%s: %s, refuted, for %v", at, c.function, args)
			}
		}
		return
	}
	if len(c.params) < len(c.ty.Params) {
		return // the operands of the counterexample are others
	}
	in, ok := c.matched(r.Example)
	assert.True(t, ok, "%s: the counterexample does not fit", at)
	values, known, err := c.apply(r.Example)
	if err == nil {
		err = in.fits(values, known, c.ty.Result)
	}
	assert.Error(t, err, "%s: %s, refuted, for %v", at, c.function, r.Example)
}

// matched returns what the variables of a claim stand for with some arguments.
func (c *claimed) matched(args []*array.Array) (in instance, ok bool) {
	in = instance{map[string]array.Elem{}, map[string]tail.Size{}}
	ok = true
	for i, p := range c.params {
		a := p.(*tail.Array)
		if a.ElemVar != "" {
			in.elems[a.ElemVar] = args[i].Elem
		}
		in.bind(a.Rank, int64(args[i].Rank()))
		for k, x := range a.Extents {
			in.bind(x, int64(args[i].Shape[k]))
		}
		for _, v := range a.Values {
			in.bind(v, args[i].Int(0))
		}
	}
	for i, p := range c.params {
		ok = ok && in.fits(args[i:i+1], nil, p) == nil
	}
	return in, ok
}

// bind gives the variable of a size the value that fits, if it has none.
func (in instance) bind(s tail.Size, n int64) {
	if len(s.Terms) != 1 || s.Terms[0].Coef != 1 {
		return
	}
	if _, ok := in.sizes[s.Terms[0].Var]; !ok && n >= s.Const {
		in.sizes[s.Terms[0].Var] = tail.ConstSize(n - s.Const)
	}
}
