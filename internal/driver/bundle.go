package driver

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"github.com/tailor-lang/tailor/internal/diag"
)

// A bundle is the executable of tailor with a program behind it: the name and the
// text of the source, their lengths, and bundleMark.

const (
	bundleMark = "tailor's program"
	bundleTail = 16 + len(bundleMark) // two lengths and the mark
)

// Bundle writes an executable that interprets a program.
func Bundle(src *diag.Source, out string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find tailor itself: %w", systemError(err))
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return readError(self, err)
	}
	text = append(text, src.Name...)
	text = append(text, src.Text...)
	text = binary.LittleEndian.AppendUint64(text, uint64(len(src.Name)))
	text = binary.LittleEndian.AppendUint64(text, uint64(len(src.Text)))
	text = append(text, bundleMark...)
	os.Remove(out) // a running program cannot be written to, but its name can be reused
	if err := os.WriteFile(out, text, 0o755); err != nil {
		return writeError(out, err)
	}
	return nil
}

// Bundled returns the program that stands behind this executable, or nil.
func Bundled() *diag.Source {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	f, err := os.Open(self)
	if err != nil {
		return nil
	}
	defer f.Close()
	end, err := f.Seek(-int64(bundleTail), io.SeekEnd)
	if err != nil {
		return nil
	}
	tail := make([]byte, bundleTail)
	if _, err := io.ReadFull(f, tail); err != nil || string(tail[16:]) != bundleMark {
		return nil
	}
	name, size := binary.LittleEndian.Uint64(tail), binary.LittleEndian.Uint64(tail[8:])
	if name > uint64(end) || size > uint64(end)-name {
		return nil
	}
	text := make([]byte, name+size)
	if _, err := f.ReadAt(text, end-int64(name+size)); err != nil {
		return nil
	}
	return diag.NewSource(string(text[:name]), string(text[name:]))
}
