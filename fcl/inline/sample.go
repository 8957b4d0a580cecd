package inline

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/lib"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/display"
	"github.com/tailor-lang/tailor/tail"
	taileval "github.com/tailor-lang/tailor/tail/eval"
)

const (
	// samples is how many arguments a body is tried on.
	samples = 40
	// sampleTime bounds the time of one of them, by the dfn.
	sampleTime = time.Second
	// sameDigits is how far doubles may differ, relatively: a body may add in another order.
	sameDigits = 1e-9
)

// blocks returns the parameters that bodies are tried with: small ones, so that few elements
// need several groups, and those of a device.
var blocks = sync.OnceValue(func() []map[string]int64 {
	few := lib.Params(lib.GPU)
	maps.Copy(few, map[string]int64{"BlockSize": 4, "WarpSize": 2, "Groups": 3, "TileSize": 2, "ScanPiece": 2, "SortParts": 3, "SortPart": 2})
	return []map[string]int64{few, lib.Params(lib.GPU)}
})

// agree tries an instance, and returns for how many arguments the body gives what the dfn
// gives, or the smallest ones for which it does not. Arguments that the dfn faults for do not
// count.
func (r *Typed) agree(i *Instance) (tried int, worst *diag.Error) {
	random := rand.New(rand.NewPCG(uint64(len(i.Args)), 19))
	smallest := 0
	for k := range samples {
		args := r.sample(random, i, k)
		if args == nil {
			continue
		}
		size := 0
		for _, a := range args {
			size += a.Len()
		}
		if worst != nil && size >= smallest {
			continue
		}
		want, ok := meaning(i, args)
		if !ok {
			continue
		}
		tried++
		if got := r.gives(i, args, want, blocks()[k%len(blocks())]); got != "" {
			worst, smallest = r.difference(args, want, got), size
		}
	}
	return tried, worst
}

// gives returns "" where the body gives what is wanted for arguments, else what it does.
func (r *Typed) gives(i *Instance, args []*array.Array, want *array.Array, params map[string]int64) string {
	values := make([]eval.Value, len(args))
	for j, a := range args {
		values[j] = value(a)
	}
	v, _, err := eval.Run(i.Use, r.Program.Info, params, values)
	if err != nil {
		var e *diag.Error
		errors.As(err, &e)
		return "stops at " + moved(e, r.Program.Source, r.At.Src).Error()
	}
	got, ok := hosted(v, i.Result)
	switch {
	case !ok:
		return "gives " + eval.Text(v)
	case !same(want, got):
		return "gives " + shown(got)
	}
	return ""
}

// difference is the error that a body does not give what the dfn gives.
func (r *Typed) difference(args []*array.Array, want *array.Array, got string) *diag.Error {
	names := []string{"⍺", "⍵"}[2-len(args):]
	var given []string
	for i, a := range args {
		given = append(given, names[i]+" = "+shown(a))
	}
	e := diag.Errorf(diag.FalseAnnotation, r.At, "the FCL body of %s does not give what the dfn gives", r.Name())
	e.Notes = append(e.Notes, diag.Note{Message: fmt.Sprintf("for %s: the dfn gives %s; the FCL body %s", strings.Join(given, ", "), shown(want), got)})
	return e
}

// shown writes an array on one line.
func shown(a *array.Array) string {
	if a.Len() == 0 && a.Rank() == 1 {
		return "⍬"
	}
	flat := *a
	flat.Shape = []int{a.Len()}
	text := strings.TrimSuffix(display.Format(&flat, 17), "\n")
	switch {
	case a.Rank() == 1 && a.Len() == 1:
		return "(," + text + ")"
	case a.Rank() < 2:
		return strings.ReplaceAll(text, "\n", "")
	case a.Len() == 0:
		text = "⍬"
	}
	return strings.Trim(fmt.Sprint(a.Shape), "[]") + "⍴" + strings.ReplaceAll(text, "\n", "")
}

// extents are those of samples, the first ones small.
var extents = []int{2, 1, 3, 0, 5, 4, 7, 9, 17, 33}

// sample returns arguments: every second time their extents are all the same. Sizes that the
// annotation names are the same wherever it does.
func (r *Typed) sample(random *rand.Rand, i *Instance, k int) []*array.Array {
	named := map[string]tail.Size{}
	most := min(len(extents), 3+k/2)
	common := extents[random.IntN(most)]
	next := func() int {
		if k%2 == 0 {
			return common
		}
		return extents[random.IntN(most)]
	}
	args := make([]*array.Array, len(i.Args))
	for j, kind := range i.Args {
		shape := make([]int, kind.Rank)
		elements := 1
		for axis := range shape {
			shape[axis] = next()
			if r.note != nil {
				shape[axis] = claimed(r.note.Params[j], axis, named, shape[axis])
			}
			if shape[axis] < 0 {
				return nil
			}
			elements *= shape[axis]
		}
		if elements > 1<<12 {
			return nil
		}
		args[j] = filled(random, array.New(kind.Elem, shape...))
	}
	return args
}

// claimed returns an extent: that which the annotation says, whose variables get values.
func claimed(t tail.Type, axis int, named map[string]tail.Size, free int) int {
	a, ok := t.(*tail.Array)
	if !ok || !a.Extent(axis).Known() {
		return free
	}
	size := a.Extent(axis).Subst(named)
	if c, ok := size.IsConst(); ok {
		return int(c)
	}
	for _, term := range size.Terms {
		named[term.Var] = tail.ConstSize(int64(free))
	}
	c, _ := size.Subst(named).IsConst()
	return int(c)
}

// filled gives an array elements: small integers, and quarters of them, whose sums are exact.
func filled(random *rand.Rand, a *array.Array) *array.Array {
	for i := range a.Len() {
		n := random.Int64N(19) - 6
		switch a.Elem {
		case array.Bool:
			a.Bools[i] = byte(n & 1)
		case array.Int:
			a.Ints[i] = n
		default:
			a.Doubles[i] = float64(n) / 4
		}
	}
	return a
}

// meaning returns what the dfn gives, if it returns.
func meaning(i *Instance, args []*array.Array) (*array.Array, bool) {
	p := *i.typed
	call := &tail.Call{Fn: p.Entry, Ty: p.Entry.Result}
	for _, a := range args {
		call.Args = append(call.Args, &tail.Lit{Value: a, Ty: tail.LitType(a)})
	}
	p.Main = &tail.Tuple{Elems: []tail.Expr{call}}
	stop := make(chan struct{})
	timer := time.AfterFunc(sampleTime, func() { close(stop) })
	defer timer.Stop()
	values, err := taileval.Values(&p, &taileval.Env{Stdout: io.Discard, MaxDepth: 300, MaxBytes: 1 << 24, Interrupt: stop})
	if err != nil || len(values) != 1 {
		return nil, false
	}
	return values[0], true
}

// value returns an array as a value of FCL.
func value(a *array.Array) eval.Value {
	all := make([]eval.Value, a.Len())
	for i := range all {
		switch a.Elem {
		case array.Bool:
			all[i] = eval.Bool(a.Bools[i] != 0)
		case array.Int:
			all[i] = eval.Int(a.Ints[i])
		default:
			all[i] = eval.Double(a.Doubles[i])
		}
	}
	switch a.Rank() {
	case 0:
		return all[0]
	case 1:
		return eval.Vector(all)
	}
	extents := eval.Tuple{}
	for _, n := range a.Shape {
		extents = append(extents, eval.Int(int64(n)))
	}
	return eval.Tuple{extents, eval.Vector(all)}
}

// hosted returns a value of FCL as an array of a type; ok is false where the extents of one
// with several axes are not those of its elements.
func hosted(v eval.Value, k Kind) (a *array.Array, ok bool) {
	var shape []int
	n := int64(1)
	if k.Rank > 1 {
		t := v.(eval.Tuple)
		for _, e := range t[0].(eval.Tuple) {
			shape = append(shape, int(e.(eval.Scalar).I))
			n *= e.(eval.Scalar).I
		}
		if v = t[1]; n != v.(*eval.Pull).N || n < 0 {
			return nil, false
		}
	}
	elems := []eval.Value{v}
	if p, ok := v.(*eval.Pull); ok {
		elems = make([]eval.Value, p.N)
		for i := range elems {
			elems[i] = p.At(int64(i))
		}
		if k.Rank == 1 {
			shape = []int{len(elems)}
		}
	}
	a = array.New(k.Elem, shape...)
	for i, e := range elems {
		switch s := e.(eval.Scalar); k.Elem {
		case array.Bool:
			a.Bools[i] = byte(s.I)
		case array.Int:
			a.Ints[i] = s.I
		default:
			a.Doubles[i] = s.F
		}
	}
	return a, true
}

// same reports whether arrays have the same shape and elements, doubles up to rounding.
func same(a, b *array.Array) bool {
	if a.Elem != b.Elem || fmt.Sprint(a.Shape) != fmt.Sprint(b.Shape) {
		return false
	}
	for i := range a.Len() {
		if a.Elem != array.Double {
			if a.Int(i) != b.Int(i) {
				return false
			}
			continue
		}
		x, y := a.Doubles[i], b.Doubles[i]
		if x != y && !(math.Abs(x-y) <= sameDigits*max(math.Abs(x), math.Abs(y))) && !(x != x && y != y) {
			return false
		}
	}
	return true
}
