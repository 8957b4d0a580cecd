package interp

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// nameClass is ⎕NC of a name, of the rows of a matrix or the items of a vector.
func nameClass(_ *Interp, f *Frame, x, y *V) (*V, error) {
	if x != nil {
		return nil, prim.Errorf(diag.Syntax, "⎕NC takes one argument")
	}
	switch {
	case y.Kind == value.Mixed:
		return collect(y.Shape, y.Len(), func(i int) (*V, error) { return classNumber(f, y.Item(i)) })
	case y.Rank() == 2:
		return collect(y.Shape[:1], y.Shape[0], func(i int) (*V, error) { return classNumber(f, y.Major(i)) })
	}
	return classNumber(f, y)
}

func classNumber(f *Frame, n *V) (*V, error) {
	name, err := text(n, "a name")
	if err != nil {
		return nil, err
	}
	v, _ := f.lookup(strings.TrimSpace(name))
	switch v.(type) {
	case *V:
		return value.Integer(2), nil
	case Function:
		return value.Integer(3), nil
	case Operator:
		return value.Integer(4), nil
	}
	return value.Integer(0), nil
}

// delay is ⎕DL.
func delay(in *Interp, _ *Frame, x, y *V) (*V, error) {
	if x != nil || y.Len() != 1 || y.Kind > value.Double {
		return nil, prim.Errorf(diag.Domain, "⎕DL needs a number of seconds")
	}
	start := time.Now()
	in.out.Flush()
	time.Sleep(time.Duration(y.Double(0) * float64(time.Second)))
	in.hide = true
	return value.Number(time.Since(start).Seconds()), nil
}

// jsonText is ⎕JSON: JSON as an array, or with 1 to the left an array as JSON. Without
// a left argument texts are read and other arrays written.
func jsonText(_ *Interp, _ *Frame, x, y *V) (*V, error) {
	write := y.Kind != value.Char
	if x != nil {
		n, err := prim.Whole(x)
		if err != nil {
			return nil, err
		}
		write = n == 1
	}
	if write {
		var b strings.Builder
		if err := writeJSON(&b, y); err != nil {
			return nil, err
		}
		return value.Text(b.String()), nil
	}
	s, err := text(y, "the argument of ⎕JSON")
	if err != nil {
		return nil, err
	}
	var v any
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, prim.Errorf(diag.Domain, "⎕JSON: %v", err)
	}
	return fromJSON(v)
}

func fromJSON(v any) (*V, error) {
	switch v := v.(type) {
	case nil:
		return value.Enclose(value.Text("null")), nil
	case bool:
		if v {
			return value.Enclose(value.Text("true")), nil
		}
		return value.Enclose(value.Text("false")), nil
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return value.Int64(i), nil
		}
		x, err := v.Float64()
		if err != nil {
			return nil, prim.Errorf(diag.Domain, "⎕JSON: %v", err)
		}
		return value.Number(x), nil
	case string:
		return value.Text(v), nil
	case []any:
		items := make([]*V, len(v))
		for i, x := range v {
			item, err := fromJSON(x)
			if err != nil {
				return nil, err
			}
			items[i] = item
		}
		return value.Vector(items...), nil
	}
	return nil, prim.Errorf(diag.Unsupported, "⎕JSON of an object: there are no namespaces")
}

// writeJSON writes a vector as an array, a text as a string and an enclosed text as
// a word.
func writeJSON(b *strings.Builder, y *V) error {
	switch {
	case y.Ref != nil || y.Rank() > 1:
		return prim.Errorf(diag.Domain, "⎕JSON of an array of rank %d", y.Rank())
	case y.Kind == value.Char:
		out, err := json.Marshal(string(y.Chars))
		if err != nil {
			return err
		}
		b.Write(out)
		return nil
	case y.Rank() == 0 && y.Kind == value.Mixed:
		word, err := text(y.Items[0], "a word of ⎕JSON")
		b.WriteString(word)
		return err
	case y.Rank() == 0:
		if y.Kind > value.Double {
			return prim.Errorf(diag.Domain, "⎕JSON of a complex number")
		}
		if x := y.Double(0); x == math.Trunc(x) && math.Abs(x) < 1e15 {
			y = value.Int64(int64(x))
		}
		b.WriteString(strings.ReplaceAll(prim.Plain(y, 17), "¯", "-"))
		return nil
	}
	b.WriteByte('[')
	for i, x := range y.AllItems() {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := writeJSON(b, x); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}
