package data

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/ctest"
)

// TestMutated compares C and Go on damaged files.
func TestMutated(t *testing.T) {
	if testing.Short() {
		t.Skip("a process for each of many files")
	}
	program := ctest.Build(t, "testdata/data.c")
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	rr := rand.New(rand.NewSource(5))
	elems := []array.Elem{array.Bool, array.Int, array.Double, array.Char}
	for k := 0; k < 150; k++ {
		r := reads[rr.Intn(len(reads))]
		if r.op == "number" {
			continue
		}
		b := []byte(r.text)
		for m := rr.Intn(4); m >= 0 && len(b) > 0; m-- {
			i := rr.Intn(len(b))
			switch rr.Intn(4) {
			case 0:
				b[i] = byte(rr.Intn(256))
			case 1:
				b = append(b[:i], b[i+1:]...)
			case 2:
				b[i] = "0123456789,.eE-+\"\n\r \t'()¯"[rr.Intn(24)]
			case 3:
				j := rr.Intn(len(b))
				b = append(b[:i:i], append(append([]byte{}, b[min(i, j):max(i, j)]...), b[i:]...)...)
			}
		}
		if err := os.WriteFile(name, b, 0o666); err != nil {
			t.Fatal(err)
		}
		elem := elems[rr.Intn(4)]
		if r.op == "csv" {
			elem = elems[rr.Intn(3)]
		}
		rank := r.rank
		a, err := readWith(r.op, name, string(b), elem, rank)
		stdout, stderr, status := ctest.Try(t, program, nil, r.op, name, fmt.Sprint(elemCodes[elem]), fmt.Sprint(rank))
		if err != nil {
			if string(stderr) != failure(err) || status != 1 {
				t.Errorf("%s of %q: C says %d\n%s\nwant %s", r.op, b, status, stderr, failure(err))
			}
			continue
		}
		if want := ctest.Encode(nil, a); !bytes.Equal(stdout, want) || status != 0 {
			t.Errorf("%s of %q: C gives %d, %q, Go %q\n%s", r.op, b, status, stdout, want, stderr)
		}
	}
}
