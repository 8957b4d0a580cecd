package interp

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"io"

	"github.com/pierrec/lz4/v4"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// 220⌶ and 219⌶ give bytes as integers from ¯128 to 127. The form of a serialised array
// is our own: a byte for its kind, its rank, its shape, and its elements, numbers of
// eight bytes. References are described in serialrefs.go.

// serialMark opens what 220⌶ makes.
const serialMark = "\xDFTailor1"

// serialised is 220⌶: with 1 to the left an array as bytes, with 0 the array again.
func serialised(in *Interp, _ options.Set, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "220⌶ needs a left argument")
	}
	way, err := prim.Whole(x)
	switch {
	case err != nil || way != 0 && way != 1:
		return nil, prim.Errorf(diag.WrongDomain, "the left argument of 220⌶ is 0 or 1")
	case way == 1:
		out := bytes.NewBufferString(serialMark)
		w := &serialWriter{in: in, out: out, ids: map[*value.Namespace]int{}, outside: map[*value.Namespace]bool{}}
		if err := w.array(y); err != nil {
			return nil, err
		}
		return signedBytes(out.Bytes()), nil
	}
	b, err := bytesOf(y)
	if err != nil {
		return nil, err
	}
	rest, ok := bytes.CutPrefix(b, []byte(serialMark))
	if !ok {
		return nil, errSerial
	}
	r := &serialReader{Reader: bytes.NewReader(rest), in: in, home: in.frame()}
	v, err := r.array()
	if err == nil && r.Len() > 0 {
		err = errSerial
	}
	return v, err
}

var errSerial = prim.Errorf(diag.WrongDomain, "the bytes are no serialised array")

// signedBytes returns bytes as integers with a sign.
func signedBytes(b []byte) *V {
	out := make([]int64, len(b))
	for i, c := range b {
		out[i] = int64(int8(c))
	}
	return value.Integers(out)
}

// bytesOf returns the bytes that integers with a sign stand for.
func bytesOf(y *V) ([]byte, error) {
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	if y.Rank() != 1 {
		return nil, prim.Errorf(diag.WrongRank, "bytes of rank %d", y.Rank())
	}
	out := make([]byte, len(n))
	for i, k := range n {
		if k < -128 || k > 127 {
			return nil, prim.Errorf(diag.WrongDomain, "%d is not between ¯128 and 127", k)
		}
		out[i] = byte(k)
	}
	return out, nil
}

// array writes an array.
func (w *serialWriter) array(v *V) error {
	if v.Ref != nil {
		return w.reference(v)
	}
	out := w.out
	out.WriteByte(byte(v.Kind))
	out.WriteByte(byte(v.Rank()))
	for _, n := range v.Shape {
		put(out, int64(n))
	}
	switch v.Kind {
	case value.Bool:
		out.Write(v.Bools)
	case value.Int:
		put(out, v.Ints)
	case value.Double:
		put(out, v.Doubles)
	case value.Complex:
		put(out, v.Complexes)
	case value.Char:
		put(out, v.Chars)
	case value.Mixed:
		for _, x := range v.Items {
			if err := w.array(x); err != nil {
				return err
			}
		}
		if len(v.Items) == 0 {
			return w.array(v.Prototype())
		}
	}
	return nil
}

// put writes numbers of a fixed size.
func put(out *bytes.Buffer, v any) {
	if err := binary.Write(out, binary.LittleEndian, v); err != nil {
		panic("internal error: " + err.Error())
	}
}

// array reads an array.
func (r *serialReader) array() (*V, error) {
	kind, _ := r.ReadByte()
	if kind >= serialSpace && kind <= serialForm {
		return r.reference(kind)
	}
	rank, err := r.ReadByte()
	if err != nil || kind < byte(value.Bool) || kind > byte(value.Mixed) || rank > 15 {
		return nil, errSerial
	}
	shape, n := make([]int, rank), 1
	for i := range shape {
		var k int64
		if binary.Read(r, binary.LittleEndian, &k) != nil || k < 0 || k > 1<<48 {
			return nil, errSerial
		}
		shape[i] = int(k)
		n *= int(k)
		if n > r.Len() {
			return nil, errSerial
		}
	}
	v := &V{Kind: value.Kind(kind), Shape: shape}
	switch v.Kind {
	case value.Bool:
		v.Bools = make([]byte, n)
		_, err = io.ReadFull(r, v.Bools)
	case value.Int:
		v.Ints = make([]int64, n)
		err = binary.Read(r, binary.LittleEndian, v.Ints)
	case value.Double:
		v.Doubles = make([]float64, n)
		err = binary.Read(r, binary.LittleEndian, v.Doubles)
	case value.Complex:
		v.Complexes = make([]complex128, n)
		err = binary.Read(r, binary.LittleEndian, v.Complexes)
	case value.Char:
		v.Chars = make([]rune, n)
		err = binary.Read(r, binary.LittleEndian, v.Chars)
	case value.Mixed:
		if n == 0 {
			fill, err := r.array()
			if err != nil {
				return nil, err
			}
			return value.Empty(shape, fill), nil
		}
		items := make([]*V, n)
		for i := range items {
			if items[i], err = r.array(); err != nil {
				return nil, err
			}
		}
		return value.FromItems(shape, items), nil
	}
	if err != nil {
		return nil, errSerial
	}
	return v, nil
}

// The libraries of 219⌶.
const (
	blockLZ4 = iota + 1
	zlibData
	gzipData
	frameLZ4
)

// compression is 219⌶: bytes compressed by a library, described by a header, and, with
// 0 or the library's number below 0 to the left, the bytes again.
func compression(_ *Interp, _ options.Set, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "219⌶ needs a left argument")
	}
	how, err := prim.Ints(x)
	if err != nil {
		return nil, err
	}
	if len(how) < 1 || len(how) > 2 || len(how) == 2 && (how[0] == 0 || how[0] == blockLZ4 || how[0] == frameLZ4) {
		return nil, prim.Errorf(diag.WrongLength, "the left argument of 219⌶ has %d numbers", len(how))
	}
	switch library := int(how[0]); {
	case library == 0:
		if y.Rank() != 1 || y.Len() != 2 {
			return nil, prim.Errorf(diag.WrongLength, "0(219⌶) takes a header and the bytes")
		}
		header, err := bytesOf(y.Item(0))
		if err != nil {
			return nil, err
		}
		if len(header) != 8 || header[1] != compressionMark {
			return nil, prim.Errorf(diag.WrongDomain, "the header is none of 219⌶")
		}
		return expanded(int(header[2]), y.Item(1), int(binary.BigEndian.Uint32(header[4:])))
	case library < 0 && library >= -frameLZ4:
		size := 0
		if len(how) == 2 {
			size = int(how[1])
		}
		return expanded(-library, y, size)
	case library > 0 && library <= frameLZ4:
		level := zlib.DefaultCompression
		if len(how) == 2 {
			level = int(how[1])
		}
		return compressed(library, level, y)
	}
	return nil, prim.Errorf(diag.WrongDomain, "219⌶ has no library %d", how[0])
}

const compressionMark = 0xC9

// compressed returns a header and the compressed bytes.
func compressed(library, level int, y *V) (*V, error) {
	b, err := bytesOf(y)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var w io.WriteCloser
	switch library {
	case blockLZ4:
		room := make([]byte, lz4.CompressBlockBound(len(b)))
		var c lz4.Compressor
		n, err := c.CompressBlock(b, room)
		if err != nil {
			return nil, prim.Errorf(diag.WrongDomain, "%v", err)
		}
		out.Write(room[:n])
	case zlibData:
		w, err = zlib.NewWriterLevel(&out, level)
	case gzipData:
		w, err = gzip.NewWriterLevel(&out, level)
	case frameLZ4:
		w = lz4.NewWriter(&out)
	}
	if err == nil && w != nil {
		if _, err = w.Write(b); err == nil {
			err = w.Close()
		}
	}
	if err != nil {
		return nil, prim.Errorf(diag.WrongDomain, "%v", err)
	}
	header := binary.BigEndian.AppendUint32([]byte{8, compressionMark, byte(library), 0}, uint32(len(b)))
	return value.Vector(signedBytes(header), signedBytes(out.Bytes())), nil
}

// expanded returns the bytes that were compressed; size is their number, or 0.
func expanded(library int, y *V, size int) (*V, error) {
	b, err := bytesOf(y)
	if err != nil {
		return nil, err
	}
	var r io.Reader
	switch library {
	case blockLZ4:
		return expandedBlock(b, size)
	case zlibData:
		r, err = zlib.NewReader(bytes.NewReader(b))
	case gzipData:
		r, err = gzip.NewReader(bytes.NewReader(b))
	case frameLZ4:
		r = lz4.NewReader(bytes.NewReader(b))
	default:
		return nil, prim.Errorf(diag.WrongDomain, "219⌶ has no library %d", library)
	}
	var out []byte
	if err == nil {
		out, err = io.ReadAll(r)
	}
	if err != nil {
		return nil, prim.Errorf(diag.WrongDomain, "the bytes are not compressed so: %v", err)
	}
	return signedBytes(out), nil
}

// expandedBlock is expanded of a block of LZ4, which does not tell its size.
func expandedBlock(b []byte, size int) (*V, error) {
	room := max(size, 4*len(b), 64)
	for ; room <= 1<<32; room *= 4 {
		out := make([]byte, room)
		n, err := lz4.UncompressBlock(b, out)
		if err == nil {
			return signedBytes(out[:n]), nil
		}
		if room > 256*len(b) { // more than any block expands to
			break
		}
	}
	return nil, prim.Errorf(diag.WrongDomain, "the bytes are not compressed so")
}
