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
