package data

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/ctest"
)

// npyFile makes a NumPy file with the given header and elements.
func npyFile(version byte, header string, elements ...any) string {
	var b bytes.Buffer
	b.WriteString(npyMagic)
	b.Write([]byte{version, 0})
	if version == 1 {
		binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	} else {
		binary.Write(&b, binary.LittleEndian, uint32(len(header)))
	}
	b.WriteString(header)
	for _, e := range elements {
		binary.Write(&b, binary.LittleEndian, e)
	}
	return b.String()
}

func npyHeader(descr, fortran, shape string) string {
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, fortran, shape)
}

// reads are files, what to read from them, and what comes out: the message,
// or the ravel and shape as %v prints them.
var reads = []struct {
	op   string
	text string
	elem array.Elem
	rank int
	want string
}{
	{"text", "a⍋\r\nb\rc\n", array.Char, 1, "a⍋\nb\nc\n"},
	{"text", "\xEF\xBB\xBFx", array.Char, 1, "x"},
	{"text", "", array.Char, 1, ""},
	{"text", "ok\xFF", array.Char, 1, "DOMAIN ERROR: FILE: not UTF-8 at byte 3"},
	{"text", "a\xC0\x80", array.Char, 1, "DOMAIN ERROR: FILE: not UTF-8 at byte 2"},
	{"text", "\xED\xA0\x80", array.Char, 1, "DOMAIN ERROR: FILE: not UTF-8 at byte 1"},
	{"text", "😀\xF0\x9F", array.Char, 1, "DOMAIN ERROR: FILE: not UTF-8 at byte 5"},

	{"csv", "1,2.5\n-3e2,¯4E¯1\r\n\n +5 ,\".5\"", array.Double, 2, "[1 2.5 -300 -0.4 5 0.5] [3 2]"},
	{"csv", "", array.Double, 2, "[] [0 0]"},
	{"csv", "1,2\n3\n", array.Double, 2, "DOMAIN ERROR: FILE:2:1: 1 fields where line 1 has 2"},
	{"csv", "\n1,2\n3,4,5\n", array.Int, 2, "DOMAIN ERROR: FILE:3:1: 3 fields where line 2 has 2"},
	{"csv", "1,⍋é\n", array.Double, 2, "DOMAIN ERROR: FILE:1:3: \"⍋é\" is not a number"},
	{"csv", "¯1,  x\n", array.Double, 2, "DOMAIN ERROR: FILE:1:6: \"x\" is not a number"},
	{"csv", "1,,2\n", array.Int, 2, "DOMAIN ERROR: FILE:1:3: \"\" is not a number"},
	{"csv", "1,1.5", array.Int, 2, "DOMAIN ERROR: FILE:1:3: \"1.5\" is not an integer"},
	{"csv", "9223372036854775807,-9223372036854775808,1e3,2.0,007", array.Int, 2, "[9223372036854775807 -9223372036854775808 1000 2 7] [1 5]"},
	{"csv", "9223372036854775808", array.Int, 2, "DOMAIN ERROR: FILE:1:1: \"9223372036854775808\" is too large for an int"},
	{"csv", "¯9223372036854775809", array.Int, 2, "DOMAIN ERROR: FILE:1:1: \"¯9223372036854775809\" is too large for an int"},
	{"csv", "1e30", array.Int, 2, "DOMAIN ERROR: FILE:1:1: \"1e30\" is too large for an int"},
	{"csv", "1e400", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"1e400\" is too large"},
	{"csv", "1e-400,4.9e-324,1.7976931348623157e308", array.Double, 2, "[0 5e-324 1.7976931348623157e+308] [1 3]"},
	{"csv", "0,1\n1,1", array.Bool, 2, "[0 1 1 1] [2 2]"},
	{"csv", "2", array.Bool, 2, "DOMAIN ERROR: FILE:1:1: \"2\" is not 0 or 1"},
	{"csv", "0.5", array.Bool, 2, "DOMAIN ERROR: FILE:1:1: \"0.5\" is not 0 or 1"},
	{"csv", "1.2.3", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"1.2.3\" is not a number"},
	{"csv", "nan", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"nan\" is not a number"},
	{"csv", "0x10", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"0x10\" is not a number"},
	{"csv", "1e", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"1e\" is not a number"},
	{"csv", ".", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \".\" is not a number"},
	{"csv", "--1", array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"--1\" is not a number"},
	{"csv", "123456789012345678901234567890,0.1234567890123456789012345,1e22,1e23,9007199254740993", array.Double, 2,
		"[1.2345678901234568e+29 0.12345678901234568 1e+22 1e+23 9.007199254740992e+15] [1 5]"},
	{"csv", strings.Repeat("é", 50), array.Double, 2, "DOMAIN ERROR: FILE:1:1: \"" + strings.Repeat("é", 20) + "\" is not a number"},

	{"npy", npyFile(1, npyHeader("<f8", "False", "(2, 3)"), []float64{1, 2, 3, 4, 5, 6}), array.Double, 2, "[1 2 3 4 5 6] [2 3]"},
	{"npy", npyFile(2, npyHeader("<f8", "True", "(2, 3)"), []float64{1, 2, 3, 4, 5, 6}), array.Double, 2, "[1 3 5 2 4 6] [2 3]"},
	{"npy", npyFile(3, npyHeader("<i4", "True", "(2, 1, 2)"), []int32{-1, 2, 3, 4}), array.Int, 3, "[-1 3 2 4] [2 1 2]"},
	{"npy", npyFile(1, npyHeader("|b1", "False", "(3,)"), []byte{0, 1, 7}), array.Bool, 1, "[0 1 1] [3]"},
	{"npy", npyFile(1, npyHeader("|b1", "False", "(3,)"), []byte{0, 1, 7}), array.Double, 1, "[0 1 1] [3]"},
	{"npy", npyFile(1, npyHeader("|u1", "False", "(2,)"), []byte{0, 200}), array.Int, 1, "[0 200] [2]"},
	{"npy", npyFile(1, npyHeader("|i1", "False", "(2,)"), []byte{0, 200}), array.Int, 1, "[0 -56] [2]"},
	{"npy", npyFile(1, npyHeader("<u4", "False", "()"), uint32(1<<32-1)), array.Int, 0, "[4294967295] []"},
	{"npy", npyFile(1, npyHeader("<i8", "False", "(1,)"), int64(-5)), array.Double, 1, "[-5] [1]"},
	{"npy", npyFile(1, npyHeader("<f4", "False", "(2,)"), []float32{0.5, float32(math.Inf(1))}), array.Double, 1, "[0.5 +Inf] [2]"},
	{"npy", npyFile(1, npyHeader("<U1", "False", "(2,)"), []int32{'⍋', 'x'}), array.Char, 1, "⍋x"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "(0, 3)")), array.Double, 2, "[] [0 3]"},
	{"npy", npyFile(1, npyHeader("<f8", "True", "(4, 0)")), array.Double, 2, "[] [4 0]"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "(2,)"), []float64{1}), array.Double, 1, "DOMAIN ERROR: FILE: the file is cut off"},
	{"npy", npyFile(1, npyHeader("<U1", "False", "(2,)"), []uint32{65, 0xffffffff}), array.Char, 1, "DOMAIN ERROR: FILE: the file holds what is no character"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "(4611686018427387904, 4)")), array.Double, 2, "DOMAIN ERROR: FILE: the file is cut off"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "(99999999999999999999,)")), array.Double, 1, "DOMAIN ERROR: FILE: the header is malformed"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "(1,)"), 1.0), array.Int, 1, "TYPE ERROR: FILE holds elements of type <f8, not int"},
	{"npy", npyFile(1, npyHeader("<i8", "False", "(1,)"), int64(1)), array.Bool, 1, "TYPE ERROR: FILE holds elements of type <i8, not bool"},
	{"npy", npyFile(1, npyHeader("<U1", "False", "(1,)"), int32('x')), array.Double, 1, "TYPE ERROR: FILE holds elements of type <U1, not double"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "(1,)"), 1.0), array.Double, 2, "TYPE ERROR: FILE holds an array of rank 1, not 2"},
	{"npy", npyFile(1, npyHeader("<c16", "False", "(1,)"), 1.0, 1.0), array.Double, 1, "TYPE ERROR: FILE holds elements of type <c16, not double"},
	{"npy", npyFile(1, npyHeader(">f8", "False", "(1,)"), 1.0), array.Double, 1, "DOMAIN ERROR: FILE: elements of type >f8 are not supported"},
	{"npy", npyFile(4, npyHeader("<f8", "False", "()"), 1.0), array.Double, 0, "DOMAIN ERROR: FILE: version 4 of NumPy's format is not supported"},
	{"npy", npyFile(1, "{'descr': '<f8', 'fortran_order': Maybe, 'shape': ()}", 1.0), array.Double, 0, "DOMAIN ERROR: FILE: the header is malformed"},
	{"npy", npyFile(1, "{'descr': '', 'fortran_order': False, 'shape': ()}", 1.0), array.Double, 0, "DOMAIN ERROR: FILE: the header is malformed"},
	{"npy", npyFile(1, "{'fortran_order': False, 'shape': ()}", 1.0), array.Double, 0, "DOMAIN ERROR: FILE: the header is malformed"},
	{"npy", npyFile(1, npyHeader("<f8", "False", "()"))[:20], array.Double, 0, "DOMAIN ERROR: FILE: the file is cut off"},
	{"npy", "hello, world", array.Double, 0, "DOMAIN ERROR: FILE: not a NumPy file"},
	{"npy", "", array.Double, 0, "DOMAIN ERROR: FILE: not a NumPy file"},

	{"number", " ¯1.5e¯3\t", array.Double, 0, "[-0.0015] []"},
	{"number", "12 3", array.Double, 0, "DOMAIN ERROR: \"12 3\" is not a number"},
	{"number", "", array.Double, 0, "DOMAIN ERROR: \"\" is not a number"},
}

func readWith(op, name, text string, elem array.Elem, rank int) (*array.Array, error) {
	switch op {
	case "csv":
		return ReadCSV(name, elem)
	case "npy":
		return ReadNpy(name, elem, rank)
	case "number":
		x, err := ParseNumber([]rune(text))
		return array.ScalarDouble(x), err
	}
	c, err := ReadText(name)
	return array.VectorChar(c), err
}

// outcome writes a result as the table has it.
func outcome(a *array.Array, err error, name string) string {
	switch {
	case err != nil:
		return strings.ReplaceAll(err.Error(), name, "FILE")
	case a.Elem == array.Char:
		return string(a.Chars)
	case a.Elem == array.Double:
		return fmt.Sprint(a.Doubles, " ", a.Shape)
	case a.Elem == array.Int:
		return fmt.Sprint(a.Ints, " ", a.Shape)
	}
	return fmt.Sprint(a.Bools, " ", a.Shape)
}

func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for _, r := range reads {
		if err := os.WriteFile(name, []byte(r.text), 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := readWith(r.op, name, r.text, r.elem, r.rank)
		if got := outcome(a, err, name); got != r.want {
			t.Errorf("%s of %q:\ngot  %s\nwant %s", r.op, r.text, got, r.want)
		}
	}
}

var elemCodes = map[array.Elem]int{array.Bool: ctest.Bool, array.Int: ctest.I64, array.Double: ctest.F64, array.Char: ctest.Char}

// failure is what compiled code prints for an error of ours.
func failure(err error) string {
	code := ""
	if e, ok := err.(*Error); ok {
		code = " [" + e.Code.String() + "]"
	}
	return "p.apl:1:1: " + err.Error() + code + "\n    1 | x\n"
}

// batch is a list of cases for testdata/data.c, each with what Go makes of it.
type batch struct {
	t     *testing.T
	dir   string
	input []byte
	names []string
	want  []*array.Array
	errs  []error
}

// add appends a case whose outcome in Go is a or err.
func (b *batch) add(op, argument string, elem array.Elem, rank int, in, a *array.Array, err error) {
	b.t.Helper()
	out := filepath.Join(b.dir, fmt.Sprint("out", len(b.want)))
	if in != nil {
		b.put(out+".in", string(ctest.Encode(nil, in)))
	}
	for _, field := range []string{op, argument, fmt.Sprint(elemCodes[elem]), fmt.Sprint(rank), out, out + ".in"} {
		b.input = append(append(b.input, field...), 0)
	}
	b.names = append(b.names, fmt.Sprintf("%s of %q", op, argument))
	b.want, b.errs = append(b.want, a), append(b.errs, err)
}

// read adds a case that reads a file.
func (b *batch) read(op, name, text string, elem array.Elem, rank int) {
	b.t.Helper()
	a, err := readWith(op, name, text, elem, rank)
	if op == "number" {
		name = text
	}
	b.add(op, name, elem, rank, nil, a, err)
	b.names[len(b.names)-1] += fmt.Sprintf(" (%q)", text)
}

// file makes a new file.
func (b *batch) file(text string) string {
	name := filepath.Join(b.dir, fmt.Sprint("in", len(b.want)))
	b.put(name, text)
	return name
}

func (b *batch) put(name, text string) {
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// run runs all cases in C and compares.
func (b *batch) run(program string) {
	b.t.Helper()
	statuses := strings.Fields(string(ctest.Run(b.t, program, b.input)))
	for i, want := range b.want {
		out := filepath.Join(b.dir, fmt.Sprint("out", i))
		stdout, _ := os.ReadFile(out)
		stderr, _ := os.ReadFile(out + ".err")
		switch {
		case b.errs[i] != nil && (string(stderr) != failure(b.errs[i]) || statuses[i] != "1"):
			b.t.Errorf("%s: C says %s\n%s\nGo says %v", b.names[i], statuses[i], stderr, b.errs[i])
		case b.errs[i] == nil && (!bytes.Equal(stdout, ctest.Encode(nil, want)) || statuses[i] != "0"):
			b.t.Errorf("%s: C gives %s, %q, Go %v\n%s", b.names[i], statuses[i], stdout, want, stderr)
		}
	}
}

// TestC compares the C run-time with this package.
func TestC(t *testing.T) {
	program := ctest.Build(t, "testdata/data.c")
	t.Run("read", func(t *testing.T) { readC(t, program) })
	t.Run("damaged", func(t *testing.T) { damagedC(t, program) })
	t.Run("write", func(t *testing.T) { writeC(t, program) })
}

func readC(t *testing.T, program string) {
	b := &batch{t: t, dir: t.TempDir()}
	for _, r := range reads {
		b.read(r.op, b.file(r.text), r.text, r.elem, r.rank)
	}
	b.read("text", filepath.Join(b.dir, "missing ⍋"), "", array.Char, 1)
	b.read("csv", b.dir, "", array.Double, 2)
	b.read("npy", b.file("")+"/under", "", array.Double, 2)
	b.run(program)
}

// damagedC reads damaged files.
func damagedC(t *testing.T, program string) {
	b := &batch{t: t, dir: t.TempDir()}
	r := rand.New(rand.NewSource(1))
	elems := []array.Elem{array.Bool, array.Int, array.Double, array.Char}
	for len(b.want) < 400 {
		c := reads[r.Intn(len(reads))]
		elem := elems[r.Intn(len(elems))]
		if c.op == "csv" && elem == array.Char || c.op == "number" {
			continue
		}
		text := string(damage(r, []byte(c.text)))
		b.read(c.op, b.file(text), text, elem, c.rank)
	}
	b.run(program)
}

// damage changes, drops, replaces or doubles a few bytes.
func damage(r *rand.Rand, b []byte) []byte {
	for n := r.Intn(4); n >= 0 && len(b) > 0; n-- {
		i, j := r.Intn(len(b)), r.Intn(len(b))
		switch r.Intn(4) {
		case 0:
			b[i] = byte(r.Intn(256))
		case 1:
			b = slices.Delete(b, i, i+1)
		case 2:
			const usual = "0123456789,.eE-+\"\n\r \t'()"
			b[i] = usual[r.Intn(len(usual))]
		case 3:
			b = slices.Insert(b, i, bytes.Clone(b[min(i, j):max(i, j)])...)
		}
	}
	return b
}

var arrays = []*array.Array{
	{Elem: array.Double, Shape: []int{2, 2}, Doubles: []float64{1, -0.5, math.Inf(1), 1e300}},
	array.ScalarInt(math.MinInt64), array.VectorBool([]byte{1, 0}), array.VectorChar([]rune("a⍋")),
	array.New(array.Double, 0, 5), array.New(array.Int, 2, 1, 3),
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.npy")
	for _, a := range arrays {
		n, err := WriteNpy(a, name)
		if err != nil || n%8 != 0 && a.Elem != array.Bool {
			t.Errorf("%v: %d bytes, %v", a, n, err)
		}
		b, err := ReadNpy(name, a.Elem, a.Rank())
		if err != nil || !bytes.Equal(ctest.Encode(nil, a), ctest.Encode(nil, b)) {
			t.Errorf("%v comes back as %v, %v", a, b, err)
		}
	}
	if n, err := WriteText([]rune("a⍋\n"), name, true); n != 5 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := WriteText(nil, dir, true); err == nil || !strings.HasPrefix(err.Error(), "SYSTEM ERROR: cannot write ") {
		t.Errorf("writing a folder: %v", err)
	}
}

func writeC(t *testing.T, program string) {
	b := &batch{t: t, dir: t.TempDir()}
	ours := func(i int) string { return filepath.Join(b.dir, fmt.Sprint("go", i)) }
	theirs := func(i int) string { return filepath.Join(b.dir, fmt.Sprint("c", i)) }
	for i, a := range arrays {
		n, err := WriteNpy(a, ours(i))
		b.add("writenpy", theirs(i), array.Int, 0, a, array.ScalarInt(n), err)
	}
	text := array.VectorChar([]rune("a⍋\n"))
	n, err := WriteText(text.Chars, ours(len(arrays)), true)
	b.add("writetext", theirs(len(arrays)), array.Int, 0, text, array.ScalarInt(n), err)
	_, err = WriteText(nil, b.dir, true)
	b.add("writetext", b.dir, array.Int, 0, text, nil, err)
	b.run(program)
	for i := 0; i <= len(arrays); i++ {
		x, err := os.ReadFile(ours(i))
		y, err2 := os.ReadFile(theirs(i))
		if err != nil || err2 != nil || !bytes.Equal(x, y) {
			t.Errorf("case %d: Go writes %q, C %q", i, x, y)
		}
	}
}
