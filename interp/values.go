package interp

import (
	"sort"
	"strings"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// readNames is ⎕VGET: the values of names in the current namespace, or in each of those
// that x refers to or names.
func readNames(in *Interp, f *Frame, x, y *V) (*V, error) {
	if x == nil {
		return in.valuesOf(f, y)
	}
	return in.inEach(f, x, func(where *Frame) (*V, error) { return in.valuesOf(where, y) })
}

// giveNames is ⎕VSET: it gives names in a namespace, or in each of several, values.
func giveNames(in *Interp, f *Frame, x, y *V) (*V, error) {
	names, values, err := namesAndValues(y)
	if err != nil {
		return nil, err
	}
	set := func(where *Frame) (*V, error) {
		for i, name := range names {
			if err := in.give(where, name, values[i]); err != nil {
				return nil, err
			}
		}
		return value.Reference(in.this(where)), nil
	}
	var r *V
	if x == nil {
		r, err = set(f)
	} else {
		r, err = in.inEach(f, x, set)
	}
	in.hide = true
	return r, err
}

// inEach calls a function with the frame of a namespace, or of each of several.
func (in *Interp) inEach(f *Frame, x *V, do func(where *Frame) (*V, error)) (*V, error) {
	if x.Ref == nil && x.Kind == value.Mixed && x.Rank() > 0 {
		return collect(x.Shape, x.Len(), func(i int) (*V, error) { return in.inEach(f, x.Item(i), do) })
	}
	space, err := in.spaceNamed(f, x)
	if err != nil {
		return nil, prim.Errorf(diag.MissingValue, "%s", err)
	}
	return do(in.frameOf(space))
}

// give gives a name that is free, or that of an array, a value.
func (in *Interp) give(where *Frame, name string, v *V) error {
	if !apl.IsName(name) {
		return prim.Errorf(diag.WrongDomain, "%s is no name", name)
	}
	if old := in.held(where, name); old != nil {
		if _, ok := old.(*V); !ok {
			return prim.Errorf(diag.WrongDomain, "%s is not an array", name)
		}
	}
	where.scope(name).set(name, v)
	return nil
}

// fallback is a name, and the value that it is taken to have where it has none; nil is
// an error.
type fallback struct {
	name  string
	value *V
}

// arrayNamed returns the value of a name that is an array.
func (in *Interp) arrayNamed(where *Frame, n fallback) (*V, error) {
	switch v := in.held(where, n.name).(type) {
	case *V:
		return v, nil
	case nil:
		if n.value != nil {
			return n.value, nil
		}
		if !apl.IsName(n.name) {
			return nil, prim.Errorf(diag.WrongDomain, "%s is no name", n.name)
		}
		return nil, prim.Errorf(diag.NoValue, "%s has no value here", n.name)
	}
	return nil, prim.Errorf(diag.WrongDomain, "%s is not an array", n.name)
}

// valuesOf is ⎕VGET in one namespace.
func (in *Interp) valuesOf(where *Frame, y *V) (*V, error) {
	if y.Kind <= value.Double {
		return in.ofClasses(where, y)
	}
	names, shape, err := wanted(y)
	if err != nil {
		return nil, err
	}
	if shape == nil { // a name alone
		return in.arrayNamed(where, names[0])
	}
	items := make([]*V, len(names))
	for i, n := range names {
		if items[i], err = in.arrayNamed(where, n); err != nil {
			return nil, err
		}
	}
	if len(shape) == 0 {
		if y.Items[0].Kind == value.Mixed { // a pair: its value is not enclosed
			return items[0], nil
		}
		return value.Enclose(items[0]), nil
	}
	return value.FromItems(shape, items), nil
}

// wanted reads the names of ⎕VGET. The shape is nil for a name that is not enclosed.
func wanted(y *V) ([]fallback, []int, error) {
	var names []fallback
	add := func(name, v *V) error {
		s, err := prim.TextOf(name, "a name")
		names = append(names, fallback{strings.TrimSpace(s), v})
		return err
	}
	switch {
	case y.Kind == value.Char && y.Rank() < 2:
		err := add(y, nil)
		return names, nil, err
	case y.Kind == value.Char && y.Rank() == 2:
		for i := range y.Shape[0] {
			if err := add(y.Major(i), nil); err != nil {
				return nil, nil, err
			}
		}
		return names, []int{len(names)}, nil
	case y.Rank() == 1 && y.Len() == 2 && y.Item(0).Kind == value.Char && y.Item(0).Rank() == 2:
		matrix, values := y.Item(0), y.Item(1)
		n := matrix.Shape[0]
		if values.Rank() > 0 && values.Len() != n {
			return nil, nil, prim.Errorf(diag.WrongLength, "%d values for %d names", values.Len(), n)
		}
		for i := range n {
			if err := add(matrix.Major(i), values.Item(min(i, values.Len()-1))); err != nil {
				return nil, nil, err
			}
		}
		return names, []int{n}, nil
	case y.Kind != value.Mixed || y.Rank() > 1:
		return nil, nil, prim.Errorf(diag.WrongDomain, "⎕VGET needs names")
	}
	for _, name := range y.AllItems() {
		var without *V
		if name.Kind == value.Mixed {
			if name.Rank() != 1 || name.Len() != 2 {
				return nil, nil, prim.Errorf(diag.WrongDomain, "⎕VGET needs names, or pairs of a name and a value")
			}
			name, without = name.Item(0), name.Item(1)
		}
		if err := add(name, without); err != nil {
			return nil, nil, err
		}
	}
	return names, append([]int{}, y.Shape...), nil
}

// ofClasses is ⎕VGET of classes of names: pairs of names and values where one of them is
// negative, else a matrix of names and a vector of values.
func (in *Interp) ofClasses(where *Frame, y *V) (*V, error) {
	pairs := false
	classes := map[float64]bool{}
	for i := range y.Len() {
		k := y.Item(i).Double(0)
		pairs = pairs || k < 0
		classes[max(k, -k)] = true
	}
	var names []string
	for name := range where.classes() {
		v, _ := where.lookup(name)
		if _, ok := v.(*V); ok {
			if c := classNumberOf(v); classes[c] || classes[float64(int(c))] {
				names = append(names, name)
			}
		}
	}
	sort.Strings(names)
	values := make([]*V, len(names))
	for i, name := range names {
		values[i] = in.held(where, name).(*V)
		if pairs {
			values[i] = value.Vector(value.Text(name), values[i])
		}
	}
	list := value.FromItems([]int{len(values)}, values)
	if len(values) == 0 {
		list = value.Zilde()
	}
	if pairs {
		return list, nil
	}
	return value.Vector(textMatrix(names), list), nil
}

// namesAndValues reads what ⎕VSET assigns.
func namesAndValues(y *V) ([]string, []*V, error) {
	if y.Kind != value.Mixed || y.Rank() > 1 {
		return nil, nil, prim.Errorf(diag.WrongDomain, "⎕VSET needs pairs of a name and a value")
	}
	if y.Rank() == 1 && y.Len() == 2 && y.Item(0).Kind == value.Char && y.Item(0).Rank() == 2 {
		fallbacks, _, err := wanted(y)
		return unpaired(fallbacks, err)
	}
	var all []fallback
	for _, pair := range y.AllItems() {
		if pair.Rank() != 1 || pair.Len() != 2 {
			return nil, nil, prim.Errorf(diag.WrongDomain, "⎕VSET needs pairs of a name and a value")
		}
		name, err := prim.TextOf(pair.Item(0), "a name")
		if err != nil {
			return nil, nil, err
		}
		all = append(all, fallback{name, pair.Item(1)})
	}
	return unpaired(all, nil)
}

func unpaired(all []fallback, err error) (names []string, values []*V, _ error) {
	for _, n := range all {
		names, values = append(names, n.name), append(values, n.value)
	}
	return names, values, err
}
