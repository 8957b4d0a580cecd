package data

import (
	"archive/zip"
	"bytes"
	"io"
	"math"
	"strings"

	"github.com/tailor-lang/tailor/array"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/memory"
)

// ParseNpz returns the arrays of a NumPy archive, and their names.
func ParseNpz(name string, b []byte) (names []string, arrays []*array.Array, err error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, errorf(diag.NotNumber, "%s: not a NumPy archive", name)
	}
	for _, f := range z.File {
		// Contents, of which no more is read than their size, and the array.
		if size := f.UncompressedSize64; size > math.MaxInt64/2 || !memory.Room(2*int64(size)) {
			return nil, nil, errorf(diag.NoMemory, "%s/%s: out of memory for %d bytes", name, f.Name, size)
		}
		r, err := f.Open()
		if err != nil {
			return nil, nil, errorf(diag.NotNumber, "%s: %v", name, err)
		}
		content, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			return nil, nil, errorf(diag.NotNumber, "%s: %v", name, err)
		}
		a, err := ParseNpy(name+"/"+f.Name, content, array.NoElem, AnyRank)
		if err != nil {
			return nil, nil, err
		}
		names, arrays = append(names, strings.TrimSuffix(f.Name, ".npy")), append(arrays, a)
	}
	return names, arrays, nil
}

// FormatNpz returns the bytes of a NumPy archive, which is not compressed.
func FormatNpz(name string, names []string, arrays []*array.Array) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, a := range arrays {
		content, err := FormatNpy(a, name+"/"+names[i])
		if err != nil {
			return nil, err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: names[i] + ".npy", Method: zip.Store})
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			return nil, errorf(diag.NotNumber, "%s: %v", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, errorf(diag.NotNumber, "%s: %v", name, err)
	}
	return b.Bytes(), nil
}
