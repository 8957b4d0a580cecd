package fcl

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/fcl/device"
	"github.com/tailor-lang/tailor/fcl/eval"
	"github.com/tailor-lang/tailor/fcl/scalar"
	"github.com/tailor-lang/tailor/fcl/types"
	"github.com/tailor-lang/tailor/internal/data"
)

// Data is an argument of main: a scalar, or a vector of scalars of one type. Loose data
// were written as text, and become whatever type main wants.
type Data struct {
	Elem   types.Scalar
	Elems  []eval.Scalar
	Vector bool
	Loose  bool
	// Raw holds the elements in place of Elems, as a device stores them.
	Raw []byte
}

// elems returns the elements.
func (d Data) elems() []eval.Scalar {
	if d.Raw == nil {
		return d.Elems
	}
	v := device.Vector{Elem: d.Elem, Bytes: d.Raw}
	all := make([]eval.Scalar, v.Len())
	for i := range all {
		all[i] = v.At(i)
	}
	return all
}

// value returns the data as a value of the evaluator, with elements of a type.
func (d Data) value(elem types.Scalar) eval.Value {
	given := d.elems()
	if !d.Vector {
		return scalar.Convert(elem, given[0])
	}
	values := make([]eval.Value, len(given))
	for i, e := range given {
		values[i] = scalar.Convert(elem, e)
	}
	return eval.Vector(values)
}

// vector returns the data as a device stores them, with elements of a type.
func (d Data) vector(elem types.Scalar) *device.Vector {
	v := &device.Vector{Elem: elem}
	if d.Raw != nil && d.Elem == elem {
		v.Bytes = d.Raw
		return v
	}
	for _, e := range d.elems() {
		v.Append(scalar.Convert(elem, e))
	}
	return v
}

// Type returns the type of the data.
func (d Data) Type() types.Type { return d.typed(d.Elem) }

// fit returns the type of the elements of data where main wants a type, and whether they fit.
func (d Data) fit(want types.Type) (types.Scalar, bool) {
	want = types.Find(want)
	if p, ok := want.(*types.Pull); ok && d.Vector {
		want = types.Find(p.Elem)
	} else if ok != d.Vector && !isVar(want) {
		return d.Elem, false
	}
	to, ok := want.(types.Scalar)
	if !ok || to == d.Elem {
		return d.Elem, true
	}
	if !d.Loose {
		return to, widens(d.Elem, to)
	}
	if d.Elem.IsFloat() && !to.IsFloat() || d.Elem == types.Bool != (to == types.Bool) {
		return d.Elem, false
	}
	for _, e := range d.Elems {
		if !to.IsFloat() && scalar.Convert(to, e).I != e.I {
			return d.Elem, false
		}
	}
	return to, true
}

// typed returns the type of data with elements of a type.
func (d Data) typed(elem types.Scalar) types.Type {
	if d.Vector {
		return &types.Pull{Elem: elem}
	}
	return elem
}

// loosen makes data that were written as text doubles where a type variable of main stands
// for no integers, or stands for doubles elsewhere.
func loosen(wants []types.Type, args []Data) {
	double := map[types.Type]bool{}
	elem := func(i int) types.Type {
		t := types.Find(wants[i])
		if p, ok := t.(*types.Pull); ok && args[i].Vector {
			t = types.Find(p.Elem)
		}
		return t
	}
	for i, a := range args {
		if v, ok := elem(i).(*types.Var); ok && (a.Elem == types.Double || v.Kind&types.INT == 0) {
			double[v] = true
		}
	}
	for i, a := range args {
		if !a.Loose || a.Elem != types.Int || !double[elem(i)] {
			continue
		}
		args[i].Elem = types.Double
		args[i].Elems = make([]eval.Scalar, len(a.Elems))
		for j, e := range a.Elems {
			args[i].Elems[j] = scalar.Convert(types.Double, e)
		}
	}
}

func isVar(t types.Type) bool {
	_, ok := t.(*types.Var)
	return ok
}

// widens reports whether every value of one type is one of the other.
func widens(from, to types.Scalar) bool {
	switch {
	case from == types.Bool || to == types.Bool:
		return false
	case from.IsFloat():
		return to.IsFloat() && from.Size() <= to.Size()
	case to.IsFloat():
		return from.Size() < to.Size()
	}
	return from.Size() <= to.Size()
}

// ReadData returns the data of a command-line argument: the name of a .npy file, a
// number, true, false, or a list of them as [1, 2, 3].
func ReadData(text string) (Data, error) {
	if filepath.Ext(text) == ".npy" {
		return readNpy(text)
	}
	d := Data{Loose: true, Elem: types.Int}
	inside := strings.TrimSpace(text)
	if list, ok := strings.CutPrefix(inside, "["); ok {
		d.Vector = true
		if inside, ok = strings.CutSuffix(list, "]"); !ok {
			return d, fmt.Errorf("%q lacks its ]", text)
		}
	}
	fields := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	if !d.Vector && len(fields) != 1 {
		return d, fmt.Errorf("%q is no .npy file, number, or list of numbers as [1, 2, 3]", text)
	}
	for i, field := range fields {
		s, ok := readScalar(field)
		switch {
		case !ok:
			return d, fmt.Errorf("%q is no .npy file, number, or list of numbers as [1, 2, 3]", text)
		case i > 0 && (s.Type == types.Bool) != (d.Elem == types.Bool):
			return d, fmt.Errorf("%q mixes numbers and truth values", text)
		case i == 0 || s.Type.IsFloat():
			d.Elem = s.Type
		}
		d.Elems = append(d.Elems, s)
	}
	for i, e := range d.Elems {
		d.Elems[i] = scalar.Convert(d.Elem, e)
	}
	return d, nil
}

// readScalar reads a number or a truth value.
func readScalar(text string) (eval.Scalar, bool) {
	if text == "true" || text == "false" {
		return eval.Bool(text == "true"), true
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return eval.Int(i), true
	}
	f, err := strconv.ParseFloat(text, 64)
	return eval.Double(f), err == nil
}

var descr = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`'descr': *'[<|]?([a-z][0-9])'`)
})

// npyTypes are the types of FCL for those of NumPy; others become int or double.
var npyTypes = map[string]types.Scalar{
	"b1": types.Bool, "i1": types.I8, "i2": types.I16, "i4": types.I32, "f4": types.F32,
	"u1": types.Int, "u2": types.Int, "u4": types.Int, "i8": types.Int, "f8": types.Double,
}

// readNpy reads a file of NumPy; arrays of several axes are read row by row.
func readNpy(name string) (Data, error) {
	d := Data{}
	b, err := os.ReadFile(name)
	if err != nil {
		return d, err
	}
	found := descr().FindSubmatch(b[:min(len(b), 256)])
	if found == nil || npyTypes[string(found[1])] == types.NoScalar {
		return d, fmt.Errorf("%s is no .npy file of integers, doubles or truth values; the parts of complex numbers are arrays of their own", name)
	}
	d.Elem = npyTypes[string(found[1])]
	if raw, one, err := data.RawNpy(name, b); err == nil && string(found[1])[0] != 'u' {
		d.Raw, d.Vector = raw, !one
		return d, nil
	}
	elem := array.Int
	switch {
	case d.Elem == types.Bool:
		elem = array.Bool
	case d.Elem.IsFloat():
		elem = array.Double
	}
	a, err := data.ParseNpy(name, b, elem, data.AnyRank)
	if err != nil {
		return d, err
	}
	d.Vector = a.Rank() > 0
	d.Elems = make([]eval.Scalar, a.Len())
	for i := range d.Elems {
		if elem == array.Double {
			d.Elems[i] = scalar.Number(d.Elem, 0, a.Double(i))
		} else {
			d.Elems[i] = scalar.Number(d.Elem, a.Int(i), 0)
		}
	}
	return d, nil
}

// Array returns a result as an array for a file: a scalar, or an array of scalars.
func Array(v device.Value) (*array.Array, error) {
	one, single := v.(scalar.Scalar)
	vector, ok := v.(*device.Vector)
	switch {
	case single:
		vector = &device.Vector{Elem: one.Type}
		vector.Append(one)
	case !ok:
		return nil, fmt.Errorf("only scalars and arrays of scalars can be written to a file")
	}
	elem := array.Int
	switch t := vector.Elem; {
	case t == types.Bool:
		elem = array.Bool
	case t.IsFloat():
		elem = array.Double
	}
	var shape []int
	if !single {
		shape = []int{vector.Len()}
	}
	a := array.New(elem, shape...)
	for i := range vector.Len() {
		switch e := vector.At(i); elem {
		case array.Bool:
			a.Bools[i] = byte(e.I)
		case array.Double:
			a.Doubles[i] = e.F
		default:
			a.Ints[i] = e.I
		}
	}
	return a, nil
}
