package driver

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
)

// A bundle is the executable of tailor with an archive behind it, in the form of zip,
// whose comment is bundleMark: the source, with its name as comment, and the parts. It may
// stand behind a compiled program, which runs it in its place where it cannot go on; then
// behindMark and the place where it begins are at the end (cgen/rt/out.c).

const (
	bundleMark = "tailor's program"
	behindMark = "tailor is behind"
	sourceName = "source"
	partFolder = "parts/"
	// machineName names the text of what the parts ask of a processor.
	machineName = "processor"
	// stretchesName names the statements among the parts, as JSON.
	stretchesName = "statements"
)

// Bundle is a program that stands behind an executable, with parts of it that are
// compiled.
type Bundle struct {
	Source    *diag.Source
	Parts     Parts
	Stretches []interp.Stretch // the statements among them
}

// Parts are shared objects by the C source that they were made of; see
// Compilation.Part.
type Parts map[string]func() ([]byte, error)

// WriteBundle writes an executable that interprets a program and calls the parts, the
// contents of shared objects by their keys, of which some are statements.
func WriteBundle(src *diag.Source, parts map[string][]byte, statements []interp.Stretch, out string) error {
	entries := map[string][]byte{}
	if len(statements) > 0 {
		text, err := json.Marshal(statements)
		if err != nil {
			return err
		}
		entries[stretchesName] = text
	}
	for key, contents := range parts {
		entries[partFolder+key] = contents
	}
	return writeBundle(nil, src, entries, out)
}

// WriteAgain writes an executable that runs a compiled program and interprets it where
// that meets what only the interpreter goes on with.
func WriteAgain(src *diag.Source, program, out string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return readError(program, err)
	}
	return writeBundle(text, src, nil, out)
}

// writeBundle writes an executable with entries behind it, itself behind a compiled
// program where there is one.
func writeBundle(program []byte, src *diag.Source, entries map[string][]byte, out string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find tailor itself: %w", systemError(err))
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return readError(self, err)
	}
	archive, err := bundled(src, entries)
	if err != nil {
		return err
	}
	text = append(text, archive...)
	if program != nil {
		text = append(append(slices.Clone(program), text...), behindMark...)
		text = binary.NativeEndian.AppendUint64(text, uint64(len(program)))
	}
	os.Remove(out) // a running program cannot be written to, but its name can be reused
	if err := os.WriteFile(out, text, 0o755); err != nil {
		return writeError(out, err)
	}
	return nil
}

// bundled returns the archive of a bundle.
func bundled(src *diag.Source, entries map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(h *zip.FileHeader, contents []byte) error {
		h.Method = zip.Deflate
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(contents)
		}
		return err
	}
	err := add(&zip.FileHeader{Name: sourceName, Comment: src.Name}, []byte(src.Text))
	if err == nil && len(entries) > 0 {
		err = add(&zip.FileHeader{Name: machineName}, []byte(abilities()))
	}
	for name, contents := range entries {
		if err == nil {
			err = add(&zip.FileHeader{Name: name}, contents)
		}
	}
	if err == nil {
		err = z.SetComment(bundleMark)
	}
	if e := z.Close(); err == nil {
		err = e
	}
	return b.Bytes(), err
}

// Bundled returns the bundle that this executable is, or nil.
func Bundled() *Bundle {
	f, err := os.Open("/proc/self/exe") // which may have no name
	if err != nil {
		self, err := os.Executable()
		if err != nil {
			return nil
		}
		if f, err = os.Open(self); err != nil {
			return nil
		}
	}
	b := readBundle(f)
	if b == nil { // else its parts are read when they are needed
		f.Close()
	}
	return b
}

// readBundle returns the bundle of an executable, or nil.
func readBundle(f *os.File) *Bundle {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size < int64(len(bundleMark)) {
		return nil
	}
	mark := make([]byte, len(bundleMark))
	if _, err := f.ReadAt(mark, size-int64(len(mark))); err != nil || string(mark) != bundleMark {
		return nil
	}
	z, err := zip.NewReader(f, size)
	if err != nil || len(z.File) == 0 || z.File[0].Name != sourceName {
		return nil
	}
	text, err := contents(z.File[0])
	if err != nil {
		return nil
	}
	b := &Bundle{Source: diag.NewSource(z.File[0].Comment, string(text)), Parts: Parts{}}
	for _, e := range z.File[1:] {
		if key, ok := strings.CutPrefix(e.Name, partFolder); ok {
			b.Parts[key] = func() ([]byte, error) { return contents(e) }
		} else if e.Name == stretchesName {
			text, err := contents(e)
			if err != nil || json.Unmarshal(text, &b.Stretches) != nil {
				return nil
			}
		} else if needs, err := contents(e); err != nil || e.Name != machineName || !runsFor(string(needs)) {
			return &Bundle{Source: b.Source}
		}
	}
	return b
}

// contents returns those of an entry of an archive.
func contents(e *zip.File) ([]byte, error) {
	r, err := e.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// runsFor reports whether this processor can do what one with other abilities can.
func runsFor(other string) bool {
	has := strings.Fields(abilities())
	for _, word := range strings.Fields(other) {
		if !slices.Contains(has, word) {
			return false
		}
	}
	return true
}
