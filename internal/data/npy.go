package data

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
)

const (
	npyMagic = "\x93NUMPY"
	maxRank  = 15
)

// npy is what the header of a file says.
type npy struct {
	descr   string // like <f8
	fortran bool
	shape   []int
	data    []byte // the elements
}

// npyTypes are the types of elements that can be read, without byte order.
var npyTypes = map[string]struct {
	elem   array.Elem
	size   int
	signed bool
}{
	"b1": {array.Bool, 1, false},
	"i1": {array.Int, 1, true}, "i2": {array.Int, 2, true}, "i4": {array.Int, 4, true}, "i8": {array.Int, 8, true},
	"u1": {array.Int, 1, false}, "u2": {array.Int, 2, false}, "u4": {array.Int, 4, false},
	"f4": {array.Double, 4, true}, "f8": {array.Double, 8, true},
	"c8": {array.Complex, 8, true}, "c16": {array.Complex, 16, true},
	"U1": {array.Char, 4, false},
}

// AnyRank stands for a rank that is not asked for.
const AnyRank = -1

// ReadNpy returns the array in a NumPy file, which must have the given rank
// and elements that are, or become without loss, of the given type.
func ReadNpy(name string, elem array.Elem, rank int) (*array.Array, error) {
	b, err := read(name)
	if err != nil {
		return nil, err
	}
	return ParseNpy(name, b, elem, rank)
}

// ParseNpy is ReadNpy of the bytes of a file. NoElem is the type that the file has.
func ParseNpy(name string, b []byte, elem array.Elem, rank int) (*array.Array, error) {
	h, err := openNpy(name, b)
	if err != nil {
		return nil, err
	}
	t, known := npyTypes[h.descr[min(1, len(h.descr)):]]
	if !known || !orderKnown(h.descr[0], t.size) {
		return nil, errorf(diag.NotNumber, "%s: elements of type %s are not supported", name, h.descr)
	}
	if elem == array.NoElem {
		elem = t.elem
	}
	if !t.elem.Within(elem) {
		return nil, errorf(diag.UnknownType, "%s holds elements of type %s, not %s", name, h.descr, elemName(elem))
	}
	if rank != AnyRank && len(h.shape) != rank {
		return nil, errorf(diag.UnknownType, "%s holds an array of rank %d, not %d", name, len(h.shape), rank)
	}
	if n, ok := count(h.shape); !ok || n > len(h.data)/t.size {
		return nil, errorf(diag.NotNumber, "%s: the file is cut off", name)
	}
	a := array.New(elem, h.shape...)
	if elem == array.Char && !validChars(h.data[:a.Len()*t.size]) {
		return nil, errorf(diag.NotNumber, "%s: the file holds what is no character", name)
	}
	for i, n := 0, a.Len(); i < n; i++ {
		at := i
		if h.fortran {
			at = fortranOffset(i, h.shape)
		}
		setElement(a, i, h.data[at*t.size:][:t.size], t.elem, t.signed)
	}
	return a, nil
}

// RawNpy returns the elements of a file as it has them, where they are little-endian and in
// row-major order, and whether the file is a scalar.
func RawNpy(name string, b []byte) (raw []byte, scalar bool, err error) {
	h, err := openNpy(name, b)
	if err != nil {
		return nil, false, err
	}
	t, known := npyTypes[h.descr[min(1, len(h.descr)):]]
	if !known || !orderKnown(h.descr[0], t.size) || h.fortran && len(h.shape) > 1 {
		return nil, false, errorf(diag.NotNumber, "%s: elements of type %s are not supported", name, h.descr)
	}
	n, ok := count(h.shape)
	if !ok || n > len(h.data)/t.size {
		return nil, false, errorf(diag.NotNumber, "%s: the file is cut off", name)
	}
	return h.data[:n*t.size], len(h.shape) == 0, nil
}

// validChars reports whether all characters, of four bytes each, are those of Unicode.
func validChars(b []byte) bool {
	for ; len(b) > 0; b = b[4:] {
		if binary.LittleEndian.Uint32(b) > unicode.MaxRune {
			return false
		}
	}
	return true
}

// orderKnown reports whether elements with that byte order can be read.
func orderKnown(order byte, size int) bool {
	return strings.IndexByte("<=|", order) >= 0 || size == 1 && order == '>'
}

// count is the product of the extents, if it can be that of an array.
func count(shape []int) (int, bool) {
	n := 1
	for _, e := range shape {
		if e == 0 {
			return 0, true
		}
	}
	for _, e := range shape {
		if n > math.MaxInt/e {
			return 0, false
		}
		n *= e
	}
	return n, true
}

// openNpy reads the header.
func openNpy(name string, b []byte) (*npy, error) {
	if len(b) < 10 || string(b[:6]) != npyMagic {
		return nil, errorf(diag.NotNumber, "%s: not a NumPy file", name)
	}
	if b[6] < 1 || b[6] > 3 {
		return nil, errorf(diag.NotNumber, "%s: version %d of NumPy's format is not supported", name, b[6])
	}
	start, length := 10, int(binary.LittleEndian.Uint16(b[8:]))
	if b[6] > 1 {
		start = 12
		if len(b) >= 12 {
			length = int(binary.LittleEndian.Uint32(b[8:]))
		}
	}
	if start+length > len(b) {
		return nil, errorf(diag.NotNumber, "%s: the file is cut off", name)
	}
	h := &npy{data: b[start+length:]}
	header, _, _ := strings.Cut(string(b[start:start+length]), "\x00")
	if !h.parse(header) {
		return nil, errorf(diag.NotNumber, "%s: the header is malformed", name)
	}
	return h, nil
}

// headerValue returns what follows a key of the header's dictionary.
func headerValue(header, key string) string {
	_, rest, _ := strings.Cut(header, key)
	if rest == "" || rest[0] != '\'' && rest[0] != '"' {
		return ""
	}
	rest = strings.TrimLeft(rest[1:], " ")
	if !strings.HasPrefix(rest, ":") {
		return ""
	}
	return strings.TrimLeft(rest[1:], " ")
}

// parse reads the header's dictionary.
func (h *npy) parse(header string) bool {
	descr := headerValue(header, "descr")
	if descr == "" || descr[0] != '\'' && descr[0] != '"' {
		return false
	}
	end := strings.IndexByte(descr[1:], descr[0])
	if end < 1 || end > 15 {
		return false
	}
	h.descr = descr[1 : end+1]
	order := headerValue(header, "fortran_order")
	h.fortran = strings.HasPrefix(order, "True")
	if !h.fortran && !strings.HasPrefix(order, "False") {
		return false
	}
	return h.parseShape(headerValue(header, "shape"))
}

func (h *npy) parseShape(s string) bool {
	if !strings.HasPrefix(s, "(") {
		return false
	}
	s = s[1:]
	for {
		s = strings.TrimLeft(s, " ,")
		if strings.HasPrefix(s, ")") {
			return true
		}
		n := digits(s)
		if n == 0 || len(h.shape) == maxRank {
			return false
		}
		extent := 0
		for _, c := range s[:n] {
			if extent > (math.MaxInt-int(c-'0'))/10 {
				return false
			}
			extent = 10*extent + int(c-'0')
		}
		h.shape = append(h.shape, extent)
		s = s[n:]
	}
}

// fortranOffset is where element i of the ravel lies in a file whose first
// axis is fastest.
func fortranOffset(i int, shape []int) int {
	at, step := 0, array.Count(shape)
	for k := len(shape) - 1; k >= 0; k-- {
		step /= shape[k]
		at += i % shape[k] * step
		i /= shape[k]
	}
	return at
}

// setElement stores the element with the given bytes.
func setElement(a *array.Array, i int, b []byte, have array.Elem, signed bool) {
	switch {
	case have == array.Complex:
		a.Complexes[i] = complex(npyDouble(b[:len(b)/2]), npyDouble(b[len(b)/2:]))
		return
	case have == array.Double && a.Elem == array.Complex:
		a.Complexes[i] = complex(npyDouble(b), 0)
		return
	case have == array.Double:
		a.Doubles[i] = npyDouble(b)
		return
	}
	var wide [8]byte
	copy(wide[:], b)
	v := int64(binary.LittleEndian.Uint64(wide[:]))
	if shift := 64 - 8*len(b); signed {
		v = v << shift >> shift
	}
	if have == array.Bool && v != 0 {
		v = 1
	}
	switch a.Elem {
	case array.Bool:
		a.Bools[i] = byte(v)
	case array.Int:
		a.Ints[i] = v
	case array.Double:
		a.Doubles[i] = float64(v)
	case array.Complex:
		a.Complexes[i] = complex(float64(v), 0)
	case array.Char:
		a.Chars[i] = rune(v)
	}
}

// npyDouble returns the number that 4 or 8 bytes hold.
func npyDouble(b []byte) float64 {
	if len(b) == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// npyDescr gives the types that are written.
var npyDescr = map[array.Elem]string{array.Bool: "|b1", array.Int: "<i8", array.Double: "<f8", array.Char: "<U1", array.Complex: "<c16"}

// WriteNpy writes an array to a NumPy file, replacing it, and returns the
// number of bytes.
func WriteNpy(a *array.Array, name string) (int64, error) {
	b, err := FormatNpy(a, name)
	if err != nil {
		return 0, err
	}
	return write(name, b, true)
}

// FormatNpy returns the bytes of a NumPy file of that name with an array.
func FormatNpy(a *array.Array, name string) ([]byte, error) {
	descr, ok := npyDescr[a.Elem]
	if !ok {
		return nil, errorf(diag.NotNumber, "%s: elements of type %s are not supported", name, elemName(a.Elem))
	}
	var b bytes.Buffer
	b.WriteString(npyMagic + "\x01\x00\x00\x00")
	fmt.Fprintf(&b, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr)
	for k, n := range a.Shape {
		if k > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d", n)
	}
	if a.Rank() == 1 {
		b.WriteByte(',')
	}
	b.WriteString("), }")
	for (b.Len()+1)%64 != 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('\n')
	binary.LittleEndian.PutUint16(b.Bytes()[8:], uint16(b.Len()-10))
	var ravel any
	switch a.Elem {
	case array.Bool:
		ravel = a.Bools
	case array.Int:
		ravel = a.Ints
	case array.Double:
		ravel = a.Doubles
	case array.Char:
		ravel = a.Chars
	case array.Complex:
		ravel = a.Complexes
	}
	if err := binary.Write(&b, binary.LittleEndian, ravel); err != nil {
		panic("internal error: " + err.Error())
	}
	return b.Bytes(), nil
}
