package data

import (
	"bytes"
	"os"
	"unicode/utf8"

	"github.com/tailor-lang/tailor/internal/diag"
)

var byteOrderMark = []byte("\xEF\xBB\xBF")

// read returns the bytes of a file.
func read(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fileError("read", name, err)
	}
	return b, nil
}

// write replaces the contents of a file.
func write(name string, b []byte, replace bool) (int64, error) {
	mode := os.O_TRUNC
	if !replace {
		mode = os.O_EXCL
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return 0, fileError("write", name, err)
	}
	_, err = f.Write(b)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return 0, fileError("write", name, err)
	}
	return int64(len(b)), nil
}

// ReadText returns the characters of a file (⎕NGET), its line ends made to be
// newlines.
func ReadText(name string) ([]rune, error) {
	b, err := read(name)
	if err != nil {
		return nil, err
	}
	start := len(b) - len(bytes.TrimPrefix(b, byteOrderMark))
	chars := make([]rune, 0, len(b))
	for i := start; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n == 1 {
			return nil, errorf(diag.NotNumber, "%s: not UTF-8 at byte %d", name, i+1)
		}
		i += n
		if c == '\r' {
			if i < len(b) && b[i] == '\n' {
				continue
			}
			c = '\n'
		}
		chars = append(chars, c)
	}
	return chars, nil
}

// WriteText writes characters to a file (⎕NPUT) and returns the number of
// bytes. A file that is there is an error, unless replace.
func WriteText(text []rune, name string, replace bool) (int64, error) {
	b := make([]byte, 0, len(text))
	for _, c := range text {
		b = utf8.AppendRune(b, c)
	}
	return write(name, b, replace)
}
