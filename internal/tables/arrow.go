//go:build !js

package tables

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// fileMark is what a file begins with; a stream begins otherwise.
const fileMark = "ARROW1"

// Parse returns the columns of a table in Arrow's format. Dates and times are day
// numbers, counted from 31 December 1899; times of the day and durations are days, too.
func Parse(b []byte) (columns []Column, err error) {
	defer func() { // a file that is damaged
		if r := recover(); r != nil {
			columns, err = nil, errDamaged
		}
	}()
	if err := verify(b); err != nil {
		return nil, err
	}
	schema, batches, err := batchesOf(b)
	if err != nil {
		return nil, err
	}
	for k, f := range schema.Fields() {
		c := &collector{column: Column{Name: f.Name}}
		for _, batch := range batches {
			if err := c.add(batch.Column(k)); err != nil {
				return nil, fmt.Errorf("column %s: %w", f.Name, err)
			}
		}
		columns = append(columns, c.done())
	}
	return columns, nil
}

// batchesOf reads the batches of rows of a file or a stream.
func batchesOf(b []byte) (*arrow.Schema, []arrow.RecordBatch, error) {
	var batches []arrow.RecordBatch
	if bytes.HasPrefix(b, []byte(fileMark)) {
		r, err := ipc.NewFileReader(bytes.NewReader(b))
		if err != nil {
			return nil, nil, err
		}
		for i := range r.NumRecords() {
			batch, err := r.RecordBatchAt(i)
			if err != nil {
				return nil, nil, err
			}
			batches = append(batches, batch)
		}
		return r.Schema(), batches, nil
	}
	r, err := ipc.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, nil, err
	}
	for r.Next() {
		batch := r.RecordBatch()
		batch.Retain()
		batches = append(batches, batch)
	}
	if err := r.Err(); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	return r.Schema(), batches, nil
}

// collector gathers the elements of a column.
type collector struct {
	column Column
	nulls  bool
}

// done returns the column.
func (c *collector) done() Column {
	if !c.nulls {
		c.column.Null = nil
	}
	return c.column
}

// add appends the elements of an array.
func (c *collector) add(a arrow.Array) error {
	for i := range a.Len() {
		if err := c.element(a, i); err != nil {
			return err
		}
	}
	if a.Len() == 0 && c.column.Kind == NoKind {
		c.column.Kind = kindOf(a.DataType())
	}
	return nil
}

// kindOf returns the kind of the elements of a type.
func kindOf(t arrow.DataType) Kind {
	switch id := t.ID(); {
	case id == arrow.BOOL:
		return Bools
	case arrow.IsInteger(id) || id == arrow.DATE32:
		return Ints
	case arrow.IsFloating(id), arrow.IsDecimal(id):
		return Doubles
	case id == arrow.DATE64, id == arrow.TIMESTAMP, id == arrow.TIME32, id == arrow.TIME64, id == arrow.DURATION:
		return Doubles
	case id == arrow.DICTIONARY:
		return kindOf(t.(*arrow.DictionaryType).ValueType)
	case id == arrow.NULL:
		return NoKind
	}
	return Texts
}

// pad appends what stands for a null.
func (c *Column) pad() {
	switch c.Kind {
	case Bools:
		c.Bools = append(c.Bools, 0)
	case Ints:
		c.Ints = append(c.Ints, 0)
	case Doubles:
		c.Doubles = append(c.Doubles, 0)
	case Texts:
		c.Texts = append(c.Texts, "")
	}
}

// element appends element i of an array.
func (c *collector) element(a arrow.Array, i int) error {
	null := a.IsNull(i) || a.DataType().ID() == arrow.NULL
	if d, ok := a.(*array.Dictionary); ok && !null {
		return c.element(d.Dictionary(), d.GetValueIndex(i))
	}
	k := &c.column
	if k.Kind == NoKind {
		k.Kind = kindOf(a.DataType())
	}
	k.Null, c.nulls = append(k.Null, null), c.nulls || null
	if null {
		k.pad()
		return nil
	}
	switch a := a.(type) {
	case *array.Boolean:
		b := byte(0)
		if a.Value(i) {
			b = 1
		}
		k.Bools = append(k.Bools, b)
	case *array.Int8:
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Int16:
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Int32:
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Int64:
		k.Ints = append(k.Ints, a.Value(i))
	case *array.Uint8:
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Uint16:
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Uint32:
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Uint64:
		if a.Value(i) > math.MaxInt64 {
			return fmt.Errorf("%d is more than 63 bits hold", a.Value(i))
		}
		k.Ints = append(k.Ints, int64(a.Value(i)))
	case *array.Float16:
		k.Doubles = append(k.Doubles, float64(a.Value(i).Float32()))
	case *array.Float32:
		k.Doubles = append(k.Doubles, float64(a.Value(i)))
	case *array.Float64:
		k.Doubles = append(k.Doubles, a.Value(i))
	case *array.Date32:
		k.Ints = append(k.Ints, epoch+int64(a.Value(i)))
	case *array.Date64:
		k.Doubles = append(k.Doubles, epoch+float64(a.Value(i))/(secondsOfDay*1e3))
	case *array.Timestamp:
		k.Doubles = append(k.Doubles, epoch+days(int64(a.Value(i)), a.DataType()))
	case *array.Time32:
		k.Doubles = append(k.Doubles, days(int64(a.Value(i)), a.DataType()))
	case *array.Time64:
		k.Doubles = append(k.Doubles, days(int64(a.Value(i)), a.DataType()))
	case *array.Duration:
		k.Doubles = append(k.Doubles, days(int64(a.Value(i)), a.DataType()))
	case *array.Decimal32:
		k.Doubles = append(k.Doubles, a.Value(i).ToFloat64(scaleOf(a)))
	case *array.Decimal64:
		k.Doubles = append(k.Doubles, a.Value(i).ToFloat64(scaleOf(a)))
	case *array.Decimal128:
		k.Doubles = append(k.Doubles, a.Value(i).ToFloat64(scaleOf(a)))
	case *array.Decimal256:
		k.Doubles = append(k.Doubles, a.Value(i).ToFloat64(scaleOf(a)))
	case interface{ Value(int) string }:
		k.Texts = append(k.Texts, a.Value(i))
	default:
		return fmt.Errorf("elements of type %s are not supported", a.DataType())
	}
	return nil
}

// days returns a count of the units of a type of times in days.
func days(n int64, t arrow.DataType) float64 {
	unit := t.(arrow.TemporalWithUnit).TimeUnit().Multiplier().Seconds()
	return float64(n) * unit / secondsOfDay
}

// scaleOf returns the number of decimals of an array.
func scaleOf(a arrow.Array) int32 { return a.DataType().(arrow.DecimalType).GetScale() }

const (
	epoch        = 25568 // the day number of 1 January 1970
	secondsOfDay = 86400
)

// Format returns a file in Arrow's format with columns of one length.
func Format(columns []Column) ([]byte, error) {
	var fields []arrow.Field
	var arrays []arrow.Array
	rows := 0
	for _, c := range columns {
		a := c.array()
		rows = a.Len()
		fields = append(fields, arrow.Field{Name: c.Name, Type: a.DataType(), Nullable: c.Null != nil})
		arrays = append(arrays, a)
	}
	schema := arrow.NewSchema(fields, nil)
	var b bytes.Buffer
	w, err := ipc.NewFileWriter(&b, ipc.WithSchema(schema))
	if err != nil {
		return nil, err
	}
	if err := w.Write(array.NewRecordBatch(schema, arrays, int64(rows))); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// array returns the column as Arrow's.
func (c *Column) array() arrow.Array {
	mem := memory.NewGoAllocator()
	valid := make([]bool, len(c.Null))
	for i, n := range c.Null {
		valid[i] = !n
	}
	switch c.Kind {
	case Bools:
		b := array.NewBooleanBuilder(mem)
		v := make([]bool, len(c.Bools))
		for i, k := range c.Bools {
			v[i] = k != 0
		}
		b.AppendValues(v, valid)
		return b.NewArray()
	case Ints:
		b := array.NewInt64Builder(mem)
		b.AppendValues(c.Ints, valid)
		return b.NewArray()
	case Doubles:
		b := array.NewFloat64Builder(mem)
		b.AppendValues(c.Doubles, valid)
		return b.NewArray()
	case Texts:
		b := array.NewStringBuilder(mem)
		b.AppendValues(c.Texts, valid)
		return b.NewArray()
	}
	return array.NewNull(len(c.Null))
}
