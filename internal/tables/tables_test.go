package tables

import (
	"bytes"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/stretchr/testify/require"
)

// stream returns a stream with the columns of a record.
func stream(t *testing.T, batch arrow.RecordBatch) []byte {
	t.Helper()
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(batch.Schema()))
	require.NoError(t, w.Write(batch))
	require.NoError(t, w.Write(batch))
	require.NoError(t, w.Close())
	return b.Bytes()
}

// Columns of other types than are written are read, too, from several batches.
func TestParse(t *testing.T) {
	words := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "small", Type: arrow.PrimitiveTypes.Uint8},
		{Name: "half", Type: arrow.PrimitiveTypes.Float32, Nullable: true},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32},
		{Name: "at", Type: arrow.FixedWidthTypes.Timestamp_ms},
		{Name: "word", Type: words, Nullable: true},
		{Name: "none", Type: arrow.Null, Nullable: true},
	}, nil)
	r := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	r.Field(0).(*array.Uint8Builder).AppendValues([]uint8{3, 250}, nil)
	r.Field(1).(*array.Float32Builder).AppendValues([]float32{0.5, 0}, []bool{true, false})
	day := time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)
	r.Field(2).(*array.Date32Builder).AppendValues([]arrow.Date32{arrow.Date32FromTime(day), 0}, nil)
	r.Field(3).(*array.TimestampBuilder).AppendValues([]arrow.Timestamp{arrow.Timestamp(day.UnixMilli()), 0}, nil)
	d := r.Field(4).(*array.BinaryDictionaryBuilder)
	require.NoError(t, d.AppendString("so"))
	d.AppendNull()
	r.Field(5).AppendNulls(2)
	got, err := Parse(stream(t, r.NewRecordBatch()))
	require.NoError(t, err)
	require.Equal(t, []Column{
		{Name: "small", Kind: Ints, Ints: []int64{3, 250, 3, 250}},
		{Name: "half", Kind: Doubles, Doubles: []float64{0.5, 0, 0.5, 0}, Null: []bool{false, true, false, true}},
		{Name: "day", Kind: Ints, Ints: []int64{45350, 25568, 45350, 25568}},
		{Name: "at", Kind: Doubles, Doubles: []float64{45350.5, 25568, 45350.5, 25568}},
		{Name: "word", Kind: Texts, Texts: []string{"so", "", "so", ""}, Null: []bool{false, true, false, true}},
		{Name: "none", Null: []bool{true, true, true, true}},
	}, got)
}

// What is written is read again.
func TestFormat(t *testing.T) {
	columns := []Column{
		{Name: "b", Kind: Bools, Bools: []byte{1, 0}},
		{Name: "i", Kind: Ints, Ints: []int64{-1 << 62, 0}, Null: []bool{false, true}},
		{Name: "d", Kind: Doubles, Doubles: []float64{0.1, 2}},
		{Name: "t", Kind: Texts, Texts: []string{"é", ""}},
	}
	b, err := Format(columns)
	require.NoError(t, err)
	got, err := Parse(b)
	require.NoError(t, err)
	require.Equal(t, columns, got)
	for n := range b {
		_, err := Parse(b[:n]) // no file that is cut off panics
		if n < len(b)/2 {
			require.Error(t, err)
		}
	}
}

// Columns of every type are read, or refused by the name of the type; with nulls and
// without rows, too.
func TestTypes(t *testing.T) {
	mem := memory.NewGoAllocator()
	second := &arrow.Time32Type{Unit: arrow.Second}
	for _, c := range []struct {
		of   arrow.DataType
		text string // of an element as arrow-go reads it
		want Column
	}{
		{arrow.FixedWidthTypes.Boolean, "true", Column{Kind: Bools, Bools: []byte{1, 0}}},
		{arrow.PrimitiveTypes.Int8, "-3", Column{Kind: Ints, Ints: []int64{-3, 0}}},
		{arrow.PrimitiveTypes.Int16, "-300", Column{Kind: Ints, Ints: []int64{-300, 0}}},
		{arrow.PrimitiveTypes.Int32, "70000", Column{Kind: Ints, Ints: []int64{70000, 0}}},
		{arrow.PrimitiveTypes.Int64, "9007199254740993", Column{Kind: Ints, Ints: []int64{9007199254740993, 0}}},
		{arrow.PrimitiveTypes.Uint8, "255", Column{Kind: Ints, Ints: []int64{255, 0}}},
		{arrow.PrimitiveTypes.Uint16, "65535", Column{Kind: Ints, Ints: []int64{65535, 0}}},
		{arrow.PrimitiveTypes.Uint32, "4294967295", Column{Kind: Ints, Ints: []int64{4294967295, 0}}},
		{arrow.PrimitiveTypes.Uint64, "9", Column{Kind: Ints, Ints: []int64{9, 0}}},
		{arrow.FixedWidthTypes.Float16, "0.5", Column{Kind: Doubles, Doubles: []float64{0.5, 0}}},
		{arrow.PrimitiveTypes.Float32, "0.25", Column{Kind: Doubles, Doubles: []float64{0.25, 0}}},
		{arrow.PrimitiveTypes.Float64, "0.1", Column{Kind: Doubles, Doubles: []float64{0.1, 0}}},
		{&arrow.Decimal32Type{Precision: 9, Scale: 2}, "12.25", Column{Kind: Doubles, Doubles: []float64{12.25, 0}}},
		{&arrow.Decimal64Type{Precision: 18, Scale: 2}, "12.25", Column{Kind: Doubles, Doubles: []float64{12.25, 0}}},
		{&arrow.Decimal128Type{Precision: 20, Scale: 2}, "-12.25", Column{Kind: Doubles, Doubles: []float64{-12.25, 0}}},
		{&arrow.Decimal256Type{Precision: 40, Scale: 1}, "7.5", Column{Kind: Doubles, Doubles: []float64{7.5, 0}}},
		{arrow.FixedWidthTypes.Date32, "1970-01-02", Column{Kind: Ints, Ints: []int64{25569, 0}}},
		{arrow.FixedWidthTypes.Date64, "1970-01-02", Column{Kind: Doubles, Doubles: []float64{25569, 0}}},
		{second, "06:00:00", Column{Kind: Doubles, Doubles: []float64{0.25, 0}}},
		{arrow.FixedWidthTypes.Time64us, "12:00:00", Column{Kind: Doubles, Doubles: []float64{0.5, 0}}},
		{arrow.FixedWidthTypes.Timestamp_ns, "1970-01-01 18:00:00Z", Column{Kind: Doubles, Doubles: []float64{25568.75, 0}}},
		{arrow.FixedWidthTypes.Duration_s, "21600s", Column{Kind: Doubles, Doubles: []float64{0.25, 0}}},
		{arrow.BinaryTypes.String, "héllo", Column{Kind: Texts, Texts: []string{"héllo", ""}}},
		{arrow.BinaryTypes.LargeString, "x", Column{Kind: Texts, Texts: []string{"x", ""}}},
		{arrow.BinaryTypes.StringView, "x", Column{Kind: Texts, Texts: []string{"x", ""}}},
		{arrow.BinaryTypes.Binary, "eA==", Column{}},
		{&arrow.FixedSizeBinaryType{ByteWidth: 1}, "eA==", Column{}},
		{arrow.ListOf(arrow.PrimitiveTypes.Int8), "[1]", Column{}},
	} {
		b := array.NewBuilder(mem, c.of)
		require.NoError(t, b.AppendValueFromString(c.text), "%s", c.of)
		b.AppendNull()
		a := b.NewArray()
		schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: c.of, Nullable: true}}, nil)
		one := func(a arrow.Array) []byte {
			var b bytes.Buffer
			w, err := ipc.NewFileWriter(&b, ipc.WithSchema(schema))
			require.NoError(t, err)
			require.NoError(t, w.Write(array.NewRecordBatch(schema, []arrow.Array{a}, int64(a.Len()))))
			require.NoError(t, w.Close())
			return b.Bytes()
		}
		got, err := Parse(one(a))
		if c.want.Kind == NoKind {
			require.ErrorContains(t, err, "column x: elements of type "+c.of.String()+" are not supported")
			continue
		}
		require.NoError(t, err, "%s", c.of)
		c.want.Name, c.want.Null = "x", []bool{false, true}
		require.Equal(t, []Column{c.want}, got, "%s", c.of)
		got, err = Parse(one(array.NewSlice(a, 0, 0)))
		require.NoError(t, err, "%s", c.of)
		require.Equal(t, []Column{{Name: "x", Kind: c.want.Kind}}, got, "%s", c.of)
	}
}

// A file with other bytes in it is read as something, or refused: it ends no program, and
// takes no more memory than there is.
func TestDamage(t *testing.T) {
	columns := []Column{
		{Name: "i", Kind: Ints, Ints: []int64{1, 2}, Null: []bool{false, true}},
		{Name: "t", Kind: Texts, Texts: []string{"é", ""}},
		{Name: "n", Null: []bool{true, true}},
	}
	file, err := Format(columns)
	require.NoError(t, err)
	schema := arrow.NewSchema([]arrow.Field{{Name: "w", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}}}, nil)
	r := array.NewRecordBuilder(memory.NewGoAllocator(), schema)
	require.NoError(t, r.Field(0).(*array.BinaryDictionaryBuilder).AppendString("so"))
	for _, b := range [][]byte{file, stream(t, r.NewRecordBatch())} {
		refused := 0
		for i := range b {
			for _, with := range []byte{0, 1, 0x7f, 0x80, 0xff} {
				damaged := append([]byte{}, b...)
				damaged[i] = with
				if _, err := Parse(damaged); err != nil {
					refused++
				}
			}
		}
		require.Greater(t, refused, len(b)/4)
	}
}
