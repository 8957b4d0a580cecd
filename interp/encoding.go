package interp

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// encoding is an encoding of texts in files.
type encoding struct {
	name  string // without -BOM and -NOBOM
	bom   bool
	given *V // a table of 256 code points
}

// encodingMarks are the byte order marks; longer ones stand first.
var encodingMarks = []struct{ name, mark string }{
	{"UTF-8", "\xEF\xBB\xBF"}, {"UTF-32LE", "\xFF\xFE\x00\x00"}, {"UTF-32BE", "\x00\x00\xFE\xFF"},
	{"UTF-16LE", "\xFF\xFE"}, {"UTF-16BE", "\xFE\xFF"},
}

// encodingOf reads the name of an encoding, or a table; ok is false if v is empty.
func encodingOf(v *V) (e encoding, ok bool, err error) {
	if v == nil || v.Len() == 0 {
		return e, false, nil
	}
	if v.Kind.Numeric() {
		if v.Rank() != 1 || v.Len() != 256 {
			return e, false, prim.Errorf(diag.WrongLength, "a table of an encoding has 256 numbers")
		}
		return encoding{name: "table", given: v}, true, nil
	}
	s, err := prim.TextOf(v, "an encoding")
	if err != nil {
		return e, false, err
	}
	name, without := strings.CutSuffix(s, "-NOBOM")
	name, with := strings.CutSuffix(name, "-BOM")
	switch name {
	case "UTF-16":
		name = "UTF-16LE"
	case "UTF-32":
		name = "UTF-32LE"
	case "ANSI":
		name = "Windows-1252"
	}
	switch name {
	case "UTF-8":
		return encoding{name: name, bom: with}, true, nil
	case "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE":
		return encoding{name: name, bom: !without}, true, nil
	case "ASCII", "Windows-1252":
		if !with && !without {
			return encoding{name: name}, true, nil
		}
	}
	return e, false, prim.Errorf(diag.WrongDomain, "%s is no encoding", s)
}

// value returns what ⎕NGET reports.
func (e encoding) value() *V {
	switch {
	case e.given != nil:
		return e.given
	case !strings.HasPrefix(e.name, "UTF"):
		return value.Text(e.name)
	case e.bom:
		return value.Text(e.name + "-BOM")
	}
	return value.Text(e.name + "-NOBOM")
}

// decodeFile returns the characters of a file: by its byte order mark, the encoding
// that is wanted, or that which its bytes suggest.
func decodeFile(b []byte, want *V) ([]rune, encoding, error) {
	e, ok, err := encodingOf(want)
	if err != nil {
		return nil, e, err
	}
	for _, m := range encodingMarks {
		if bytes.HasPrefix(b, []byte(m.mark)) {
			e = encoding{name: m.name, bom: true}
			chars, err := e.decode(b[len(m.mark):])
			return chars, e, err
		}
	}
	if !ok {
		if e.name = "UTF-8"; !utf8.Valid(b) {
			e.name = "Windows-1252"
		}
	}
	e.bom = false
	chars, err := e.decode(b)
	return chars, e, err
}

// windows1252 are the characters 128 to 159 of Windows-1252; 0 is none.
var windows1252 = []rune("€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ")

var errEncoding = prim.Errorf(diag.WrongDomain, "the bytes of the text do not fit its encoding")

// decode returns the characters of bytes.
func (e encoding) decode(b []byte) ([]rune, error) {
	switch e.name {
	case "UTF-8":
		if !utf8.Valid(b) {
			return nil, errEncoding
		}
		return []rune(string(b)), nil
	case "UTF-16LE", "UTF-16BE":
		if len(b)%2 != 0 {
			return nil, errEncoding
		}
		words := make([]uint16, len(b)/2)
		for i := range words {
			words[i] = e.order().Uint16(b[2*i:])
		}
		return utf16.Decode(words), nil
	case "UTF-32LE", "UTF-32BE":
		if len(b)%4 != 0 {
			return nil, errEncoding
		}
		out := make([]rune, len(b)/4)
		for i := range out {
			out[i] = rune(e.order().Uint32(b[4*i:]))
		}
		return out, nil
	}
	table, err := e.table()
	if err != nil {
		return nil, err
	}
	out := make([]rune, len(b))
	for i, c := range b {
		if out[i] = table[c]; out[i] < 0 {
			return nil, errEncoding
		}
	}
	return out, nil
}

func (e encoding) order() binary.ByteOrder {
	if strings.HasSuffix(e.name, "BE") {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// table returns the characters of the bytes of an encoding by bytes, -1 for none.
func (e encoding) table() ([]rune, error) {
	out := make([]rune, 256)
	if e.given != nil {
		n, err := prim.Ints(e.given)
		for i, k := range n {
			out[i] = rune(k)
		}
		return out, err
	}
	for i := range out {
		out[i] = rune(i)
		switch {
		case e.name == "ASCII" && i > 127:
			out[i] = -1
		case e.name == "Windows-1252" && i >= 128 && i < 160 && windows1252[i-128] != 0:
			out[i] = windows1252[i-128]
		}
	}
	return out, nil
}

// encode returns the bytes of characters, without a byte order mark.
func (e encoding) encode(chars []rune) ([]byte, error) {
	switch e.name {
	case "UTF-8":
		return []byte(string(chars)), nil
	case "UTF-16LE", "UTF-16BE":
		var out []byte
		for _, w := range utf16.Encode(chars) {
			out = e.append(out, uint32(w), 2)
		}
		return out, nil
	case "UTF-32LE", "UTF-32BE":
		var out []byte
		for _, c := range chars {
			out = e.append(out, uint32(c), 4)
		}
		return out, nil
	}
	table, err := e.table()
	if err != nil {
		return nil, err
	}
	bytes := map[rune]byte{}
	for i, c := range table {
		bytes[c] = byte(i)
	}
	out := make([]byte, len(chars))
	for i, c := range chars {
		b, ok := bytes[c]
		if !ok {
			return nil, prim.Errorf(diag.WrongDomain, "%q has no place in the encoding %s", c, e.name)
		}
		out[i] = b
	}
	return out, nil
}

func (e encoding) append(out []byte, w uint32, n int) []byte {
	if n == 2 {
		return e.order().(binary.AppendByteOrder).AppendUint16(out, uint16(w))
	}
	return e.order().(binary.AppendByteOrder).AppendUint32(out, w)
}

// mark returns the byte order mark.
func (e encoding) mark() string {
	for _, m := range encodingMarks {
		if e.bom && m.name == e.name {
			return m.mark
		}
	}
	return ""
}
