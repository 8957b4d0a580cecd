package interp

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp/options"
	"github.com/tailor-lang/tailor/interp/prim"
	"github.com/tailor-lang/tailor/interp/value"
)

// tie is a native file that is open, and the place that is read or written next.
type tie struct {
	name string
	file *os.File
	at   int64
}

// tied returns the file of a tie number.
func (in *Interp) tied(n int64) (*tie, error) {
	if t := in.ties[int(n)]; t != nil {
		return t, nil
	}
	return nil, fileFault(18, "no file is tied to %s", prim.Plain(value.Int64(n), 17))
}

// open ties a file: to a number, or with 0 to the first that is free.
func (in *Interp) open(name string, n, mode int) (*V, error) {
	if n > 0 {
		return nil, prim.Errorf(diag.Negative, "a tie number is negative")
	}
	if err := in.may(name, mode&(os.O_WRONLY|os.O_RDWR) != 0); err != nil {
		return nil, err
	}
	for k, t := range in.ties {
		if t.name == name && (n == 0 || n == k) && mode&os.O_EXCL == 0 {
			n = k
			t.file.Close()
			delete(in.ties, k)
			break
		}
	}
	if in.ties[n] != nil {
		return nil, fileFault(18, "the tie number %s is in use", prim.Plain(value.Integer(n), 17))
	}
	f, err := os.OpenFile(name, mode, 0o666)
	if err != nil {
		return nil, systemError("open", name, err)
	}
	in.hide = n != 0
	for k := -1; n == 0; k-- {
		if in.ties[k] == nil {
			n = k
		}
	}
	if in.ties == nil {
		in.ties = map[int]*tie{}
	}
	in.ties[n] = &tie{name: name, file: f}
	return value.Integer(n), nil
}

// tieFile is ⎕NTIE.
func tieFile(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, n, err := tieArguments(x, y, "⎕NTIE")
	if err != nil {
		return nil, err
	}
	if len(n) > 1 && n[1]&3 == 0 {
		return in.open(name, int(n[0]), os.O_RDONLY)
	}
	r, err := in.open(name, int(n[0]), os.O_RDWR)
	if err != nil && len(n) == 1 {
		return in.open(name, int(n[0]), os.O_RDONLY)
	}
	return r, err
}

// createFile is ⎕NCREATE.
func createFile(in *Interp, o options.Set, x, y *V) (*V, error) {
	name, n, err := tieArguments(x, y, "⎕NCREATE")
	if err != nil {
		return nil, err
	}
	exists, err := o.Word("IfExists", "Error", "Replace")
	if err != nil {
		return nil, err
	}
	unique, err := o.Flag("Unique", false)
	if err != nil {
		return nil, err
	}
	if unique {
		extension := filepath.Ext(name)
		name = name[:len(name)-len(extension)] + strconv.FormatInt(time.Now().UnixNano()%(1<<31), 36) + extension
	}
	mode := os.O_RDWR | os.O_CREATE | os.O_EXCL
	if exists == "Replace" {
		mode = os.O_RDWR | os.O_CREATE | os.O_TRUNC
	}
	return in.open(name, int(n[0]), mode)
}

func tieArguments(x, y *V, what string) (string, []int64, error) {
	if x == nil {
		return "", nil, prim.Errorf(diag.NoLeftArgument, "%s needs a left argument", what)
	}
	name, err := prim.TextOf(x, "the file name of "+what)
	if err != nil {
		return "", nil, err
	}
	n, err := prim.Ints(y)
	if err == nil && len(n) == 0 {
		err = prim.Errorf(diag.WrongLength, "%s needs a tie number", what)
	}
	return name, n, err
}

// untieFiles is ⎕NUNTIE, all files with an empty argument.
func untieFiles(in *Interp, _ *Frame, _, y *V) (*V, error) {
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	if len(n) == 0 {
		n = in.tieNumbers()
	}
	for _, k := range n {
		t, err := in.tied(k)
		if err != nil {
			return nil, err
		}
		t.file.Close()
		delete(in.ties, int(k))
	}
	in.hide = true
	return value.Integers(n), nil
}

// tieNumbers returns the tie numbers in use, the first one first.
func (in *Interp) tieNumbers() []int64 {
	out := []int64{}
	for k := range in.ties {
		out = append(out, int64(k))
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// tieNames is ⎕NNAMES.
func (in *Interp) tieNames() *V {
	var lines [][]rune
	width := 0
	for _, k := range in.tieNumbers() {
		lines = append(lines, []rune(in.ties[int(k)].name))
		width = max(width, len(lines[len(lines)-1]))
	}
	return charMatrix(lines, width)
}

// widths are the numbers of bytes of the types of elements.
var elementBytes = map[int64]int64{11: 1, 80: 1, 82: 1, 83: 1, 160: 2, 163: 2, 320: 4, 323: 4, 645: 8}

// readTie is ⎕NREAD.
func readTie(in *Interp, _ *Frame, _, y *V) (*V, error) {
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	if len(n) < 3 || len(n) > 4 {
		return nil, prim.Errorf(diag.WrongLength, "⎕NREAD takes 3 or 4 numbers")
	}
	t, err := in.tied(n[0])
	if err != nil {
		return nil, err
	}
	size, ok := elementBytes[n[1]]
	if !ok || n[2] < -1 {
		return nil, prim.Errorf(diag.WrongDomain, "⎕NREAD has no conversion %d, or no count %d", n[1], n[2])
	}
	if len(n) > 3 && n[3] >= 0 {
		t.at = n[3]
	}
	s, err := t.file.Stat()
	if err != nil {
		return nil, systemError("read", t.name, err)
	}
	rest := max(s.Size()-t.at, 0) / size
	if n[2] >= 0 {
		rest = min(rest, n[2])
	}
	b := make([]byte, rest*size)
	if _, err := t.file.ReadAt(b, t.at); err != nil && err != io.EOF {
		return nil, systemError("read", t.name, err)
	}
	t.at += int64(len(b))
	return fromBytes(b, int(n[1]))
}

// fromBytes returns bytes as elements of a type.
func fromBytes(b []byte, code int) (*V, error) {
	bits := make([]byte, 0, 8*len(b))
	for _, c := range b {
		for k := 7; k >= 0; k-- {
			bits = append(bits, c>>k&1)
		}
	}
	if code == 82 {
		code = 80
	}
	return fromBits(code, bits)
}

// appendToTie is ⎕NAPPEND, and replaceInTie ⎕NREPLACE.
func appendToTie(in *Interp, _ *Frame, x, y *V) (*V, error) {
	return in.writeTie(x, y, false)
}

func replaceInTie(in *Interp, _ *Frame, x, y *V) (*V, error) {
	return in.writeTie(x, y, true)
}

func (in *Interp) writeTie(x, y *V, replace bool) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "a write needs a left argument")
	}
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	if replace && len(n) < 2 || len(n) == 0 {
		return nil, prim.Errorf(diag.WrongLength, "a write needs a tie number and a place")
	}
	t, err := in.tied(n[0])
	if err != nil {
		return nil, err
	}
	at, codes := int64(-1), n[1:]
	if replace {
		if at = n[1]; at < 0 {
			at = t.at
		}
		codes = n[2:]
	} else if s, err := t.file.Stat(); err == nil {
		at = s.Size()
	}
	code := int64(typeCode(x))
	if x.Kind == value.Char {
		code = 80
	}
	if len(codes) > 0 {
		code = codes[0]
	}
	b, err := bytesAs(x.Ravel(), code)
	if err != nil {
		return nil, err
	}
	if _, err := t.file.WriteAt(b, at); err != nil {
		return nil, systemError("write", t.name, err)
	}
	t.at = at + int64(len(b))
	in.hide = true
	return value.Int64(t.at), nil
}

// bytesAs returns the elements of an array as bytes of a type.
func bytesAs(x *V, code int64) ([]byte, error) {
	wide := uint(8 * elementBytes[code])
	wrong := prim.Errorf(diag.WrongDomain, "the array does not fit the type %d", code)
	switch {
	case wide == 0 || x.Kind == value.Mixed || x.Kind == value.Complex:
		return nil, wrong
	case code == 11 && x.Kind == value.Bool:
		return packed(x.Bools), nil
	case x.Kind == value.Char:
		e := encoding{name: map[uint]string{8: "table", 16: "UTF-32LE", 32: "UTF-32LE"}[wide]}
		if wide == 8 {
			e.name = "Latin"
		}
		for _, c := range x.Chars {
			if int64(c)>>wide != 0 {
				return nil, wrong
			}
		}
		b, err := e.encode(x.Chars)
		return narrowed(b, 4, int(wide/8), wide == 8), err
	case code == 645:
		return packed(bitsOf(&V{Kind: value.Double, Shape: x.Shape, Doubles: x.AsDoubles()})), nil
	}
	n, err := prim.Ints(x)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, k := range n {
		if low := k << (64 - wide) >> (64 - wide); low != k && (code != 80 && code != 82 || k < 0 || k > 255) {
			return nil, wrong
		}
		for i := uint(0); i < wide; i += 8 {
			out = append(out, byte(k>>i))
		}
	}
	return out, nil
}

// narrowed keeps the first bytes of words; as it is where they are single bytes.
func narrowed(b []byte, from, to int, single bool) []byte {
	if single || from == to {
		return b
	}
	var out []byte
	for i := 0; i+from <= len(b); i += from {
		out = append(out, b[i:i+to]...)
	}
	return out
}

// packed returns bits as bytes, the highest first.
func packed(bits []byte) []byte {
	out := make([]byte, (len(bits)+7)/8)
	for i, b := range bits {
		out[i/8] |= b << (7 - i%8)
	}
	return out
}

// sizeOfTies is ⎕NSIZE.
func sizeOfTies(in *Interp, _ *Frame, _, y *V) (*V, error) {
	n, err := prim.Ints(y)
	if err != nil {
		return nil, err
	}
	out := make([]int64, len(n))
	for i, k := range n {
		t, err := in.tied(k)
		if err != nil {
			return nil, err
		}
		s, err := t.file.Stat()
		if err != nil {
			return nil, systemError("read", t.name, err)
		}
		out[i] = s.Size()
	}
	return value.Integers(out).WithShape(y.Shape), nil
}

// eraseTie is ⎕NERASE, renameTie ⎕NRENAME and resizeTie ⎕NRESIZE.
func eraseTie(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, n, err := tieArguments(x, y, "⎕NERASE")
	if err != nil {
		return nil, err
	}
	t, err := in.tied(n[0])
	if err != nil {
		return nil, err
	}
	if t.name != name {
		return nil, fileFault(22, "the file tied to %d is %s", n[0], t.name)
	}
	t.file.Close()
	delete(in.ties, int(n[0]))
	if err := os.Remove(name); err != nil {
		return nil, systemError("erase", name, err)
	}
	in.hide = true
	return value.Int64(n[0]), nil
}

func renameTie(in *Interp, _ *Frame, x, y *V) (*V, error) {
	name, n, err := tieArguments(x, y, "⎕NRENAME")
	if err != nil {
		return nil, err
	}
	t, err := in.tied(n[0])
	if err != nil {
		return nil, err
	}
	if err := in.may(name, true); err != nil {
		return nil, err
	}
	if err := os.Rename(t.name, name); err != nil {
		return nil, systemError("rename", t.name, err)
	}
	t.name = name
	in.hide = true
	return value.Int64(n[0]), nil
}

func resizeTie(in *Interp, _ *Frame, x, y *V) (*V, error) {
	if x == nil {
		return nil, prim.Errorf(diag.NoLeftArgument, "⎕NRESIZE needs a left argument")
	}
	size, err := prim.Whole(x)
	if err != nil {
		return nil, err
	}
	n, err := prim.Whole(y)
	if err != nil {
		return nil, err
	}
	t, err := in.tied(int64(n))
	if err != nil {
		return nil, err
	}
	if err := t.file.Truncate(int64(size)); err != nil {
		return nil, systemError("resize", t.name, err)
	}
	in.hide = true
	return value.Integer(n), nil
}

// appendTie writes bytes at the place of a tied file.
func (in *Interp) appendTie(number *V, b []byte) (*V, error) {
	t, err := in.tiedFile(number)
	if err != nil {
		return nil, err
	}
	if _, err := t.file.WriteAt(b, t.at); err != nil {
		return nil, systemError("write", t.name, err)
	}
	t.at += int64(len(b))
	return value.Integer(len(b)), nil
}
